// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <vector>

#include "petstore/export.hpp"

namespace petstore::server {

namespace asio = boost::asio;

/// The number of connections that may wait to be accepted on each acceptor.
inline constexpr int backlog_default = 4096;

/// Binds one acceptor for each executor to the same endpoint (SO_REUSEPORT), so that every thread accepts for itself. A
/// plain bind is tried first: a port that another program holds is an error (address_in_use), not a silent share. With
/// port 0, all acceptors share the port that the first one got. Throws boost::system::system_error.
[[nodiscard]] PETSTORE_EXPORT std::vector<asio::ip::tcp::acceptor> open_acceptors(
    asio::ip::tcp::endpoint, std::vector<asio::any_io_executor> const&, int backlog = backlog_default);

/// Makes acceptors over a socket that listens already and was handed to this process: one for each executor, at least
/// one. All accept from the one queue of that socket. They own it from then on, and the descriptor is closed. Other
/// processes that hold the socket keep it. Throws boost::system::system_error, std::bad_alloc, and
/// std::invalid_argument if there is no executor; the descriptor then stays open.
[[nodiscard]] PETSTORE_EXPORT std::vector<asio::ip::tcp::acceptor> adopt_acceptors(
    int socket, std::vector<asio::any_io_executor> const&, int backlog = backlog_default);

}  // namespace petstore::server
