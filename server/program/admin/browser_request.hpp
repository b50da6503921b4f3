// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "petstore/server/request.hpp"

/// What the fields of a request tell about the page that sends it from a browser. Any thread.
namespace petstore::program {

/// A page of another site can send a request here from the operator's browser. The browser says so in Sec-Fetch-Site,
/// or in Origin if it is too old for that. Programs send neither.
bool comes_from_another_site(server::request const&);

/// Whether the page has an address of https: a proxy ends its TLS. Browsers say so in Origin, with every request that
/// may change something.
bool uses_tls(server::request const&);

/// An HTML form cannot send this type. A script of another site needs a CORS preflight for it, which is never granted.
bool is_json(server::request const&);

}  // namespace petstore::program
