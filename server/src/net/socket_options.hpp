// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include "petstore/server/connection_limits.hpp"

namespace petstore::server::net {

/// What every connection needs. Of an acceptor it is set once: Linux gives its options to the sockets it accepts.
/// Throws boost::system::system_error.
void prepare_socket(int socket, connection_limits const&);

/// Closing breaks the connection off, and what the client has not taken is thrown away. Otherwise the kernel goes on
/// offering it, and keeps the memory, for as long as the client's machine says that there is no room.
void forget_unsent(int socket) noexcept;

}  // namespace petstore::server::net
