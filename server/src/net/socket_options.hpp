// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include "petstore/server/connection_limits.hpp"

namespace petstore::server::net {

/// Sets the options that every connection needs. For an acceptor it is called once: Linux passes its options on to the
/// sockets it accepts. Throws boost::system::system_error.
void prepare_socket(int socket, connection_limits const&);

/// Changes how long the kernel lets the client's machine leave sent data unacknowledged.
void set_write_timeout(int socket, connection_limits const&) noexcept;

/// Makes a later close reset the connection and discard the unsent data. Otherwise the kernel keeps offering the data,
/// and keeps its memory, for as long as the client's machine advertises no free space.
void forget_unsent(int socket) noexcept;

}  // namespace petstore::server::net
