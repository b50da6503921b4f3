// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "net/address.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/service_options.hpp"

namespace petstore::server {

/// Who is at the other end, behind the proxies that are trusted: the rightmost address of all lines of the field that
/// they set (X-Forwarded-For, or Forwarded) that is not a trusted proxy's. What stands left of it was written by
/// somebody untrusted and is not looked at; an element that is no address ends the search, and the last good one
/// counts. The other one of the two fields is never looked at: proxies hand on what they do not set as the client sent
/// it.
raw_address find_client_address(request const&, service_options const&) noexcept;

}  // namespace petstore::server
