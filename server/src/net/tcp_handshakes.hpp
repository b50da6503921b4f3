// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/ip/tcp.hpp>

namespace petstore::server::net {

namespace asio = boost::asio;

/// Makes the kernel ignore new TCP handshakes and complete those that it has answered already. A moment later the queue
/// of the acceptor is final, and closing the acceptor then resets no connection. This matters because a client may send
/// a request as soon as its own part of the handshake is done, and a proxy must not repeat one such as POST. An ignored
/// client tries again by itself after a second (RFC 6298). It is refused by then, and every proxy understands that.
///
/// Where there is no such filter, nothing happens.
void refuse_tcp_handshakes(asio::ip::tcp::acceptor&) noexcept;

}  // namespace petstore::server::net
