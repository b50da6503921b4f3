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

/// The parts of a server that can fail to open. Each function throws config_error naming the setting and the cause.
namespace petstore::program {

/// The main thread's context, then one for each thread that serves; 0 wanted: as many as processors. Throws
/// config_error where it cannot wait for anything.
std::vector<std::unique_ptr<boost::asio::io_context>> make_contexts(std::size_t wanted);

/// An acceptor for each executor, on the endpoint of that setting, or on the socket that was passed for it.
std::vector<boost::asio::ip::tcp::acceptor> open_port(std::string_view setting, boost::asio::ip::tcp::endpoint const&,
                                                      std::optional<int> passed, loaded_settings const&,
                                                      std::vector<boost::asio::any_io_executor> const&);

/// How many connections may be open and how many of them from one address: what is configured, but only as many as
/// leave the process files for everything else when it may open `files_max`.
server::connection_shares choose_shares(settings const&, std::size_t files_max);

/// How many TLS handshakes an address may begin: of those under way, half as many as it may have connections.
server::handshake_shares choose_handshakes(settings const&, server::connection_shares const&);

}  // namespace petstore::program
