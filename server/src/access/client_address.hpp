// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "net/address.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/service_options.hpp"

namespace petstore::server {

/// Returns the client's address behind the trusted proxies: the rightmost address, in all lines of the field that they
/// set (X-Forwarded-For or Forwarded), that is not a trusted proxy's. The elements to the left of it come from an
/// untrusted sender and are ignored. An element that is not an address ends the search; then the last valid address
/// counts. The other of the two fields is always ignored, since proxies pass on the fields that they do not set as the
/// client sent them.
raw_address find_client_address(request const&, service_options const&) noexcept;

}  // namespace petstore::server
