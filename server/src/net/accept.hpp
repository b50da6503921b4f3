// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>

#include "net/descriptor.hpp"

namespace petstore::server::net {

struct accepted {
  descriptor socket;                    ///< does not block; negative after an error
  boost::asio::ip::tcp::endpoint peer;  ///< of the client
  boost::system::error_code error;      ///< `operation_would_block`: no connection waits
};

/// Accepts a connection that waits. The acceptor must not block. As plain as the reads and writes of a socket_stream:
/// the socket is registered with no reactor, because a connection may need none.
accepted accept(boost::asio::ip::tcp::acceptor&);

}  // namespace petstore::server::net
