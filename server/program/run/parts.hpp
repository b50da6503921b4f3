// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "config/load.hpp"
#include "petstore/server/connection_budget.hpp"
#include "petstore/server/handshake_budget.hpp"

/// Makes parts of a server. A function that cannot open its part throws config_error, or command_error if the cause may
/// pass. Both name the setting and the cause.
namespace petstore::program {

/// Makes the main thread's context, and then one for each thread that serves. If `wanted` is 0, there are as many of
/// these as processors.
std::vector<std::unique_ptr<boost::asio::io_context>> make_contexts(std::size_t wanted);

/// Opens an acceptor for each executor, on the endpoint of the setting, or on the socket that was passed for it.
std::vector<boost::asio::ip::tcp::acceptor> open_port(std::string_view setting, boost::asio::ip::tcp::endpoint const&,
                                                      std::optional<int> passed, loaded_settings const&,
                                                      std::vector<boost::asio::any_io_executor> const&);

/// Returns how many connections may be open, in all and from one address. The process may open `files_max` files; if
/// the configured number of connections leaves too few for everything else, the result is smaller.
server::connection_shares choose_shares(settings const&, std::size_t files_max);

/// Returns how many TLS handshakes an address may begin. At one time, it may have half as many handshakes as
/// connections.
server::handshake_shares choose_handshakes(settings const&, server::connection_shares const&);

}  // namespace petstore::program
