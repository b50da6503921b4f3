// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <string_view>

#include "http/session.hpp"
#include "net/descriptor.hpp"

namespace petstore::server::http {

/// Answers 503 without a request, and without waiting until the client reads it. It is used when too many connections
/// are being refused already.
void turn_away_at_once(net::descriptor socket, asio::ip::tcp::endpoint const& peer, http_state&, std::string_view why);

}  // namespace petstore::server::http
