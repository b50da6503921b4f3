// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/turned_away.hpp"

#include <sys/socket.h>

#include <algorithm>

#include "net/address.hpp"

namespace petstore::server::http {

void turn_away_at_once(net::descriptor socket, asio::ip::tcp::endpoint const& peer, http_state& shared,
                       std::string_view why) {
  session s{to_bytes(peer.address()), shared};
  s.refuse({errc::unavailable, why});
  // The connection ends whatever fails here. The send buffer of a new socket has space for the whole answer.
  auto const answer = s.unsent();
  ssize_t const n = ::send(socket.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
  s.sent(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  s.record_unsent();
  ::shutdown(socket.get(), SHUT_WR);
  ::recv(socket.get(), shared.unread.data(), shared.unread.size(), 0);
}

}  // namespace petstore::server::http
