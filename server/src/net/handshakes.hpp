// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>

namespace petstore::server::net {

namespace asio = boost::asio;

/// So long a handshake that has begun may take to end: a few round trips between a load balancer and its nodes.
inline constexpr std::chrono::milliseconds handshake_time_max{50};

/// From now on the kernel ignores who begins to connect, and goes on with whom it has answered already. So a moment
/// later the queue of the acceptor is final, and closing it after that resets nobody's connection: a client may send a
/// request as soon as its own part of the handshake is done, and a proxy must not send one such as POST twice. Whoever
/// was ignored tries again after a second, by itself (RFC 6298), and is refused by then, which every proxy takes for
/// what it is.
///
/// Where there is no such filter, nothing happens.
void refuse_handshakes(asio::ip::tcp::acceptor&) noexcept;

}  // namespace petstore::server::net
