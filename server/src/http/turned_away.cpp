// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/turned_away.hpp"

#include <boost/asio/buffer.hpp>
#include <utility>

#include "net/address.hpp"

namespace petstore::server::http {

void turn_away_at_once(asio::ip::tcp::socket socket, asio::ip::tcp::endpoint const& peer, http_state& shared,
                       std::string_view why) {
  session s{to_bytes(peer.address()), shared};
  s.refuse({errc::unavailable, why});
  // The connection ends whatever fails here. The send buffer of a new socket has space for the whole answer.
  boost::system::error_code ignored;
  socket.non_blocking(true, ignored);
  auto const answer = s.unsent();
  std::size_t const n = socket.send(asio::buffer(answer.data(), answer.size()), 0, ignored);
  s.sent(n);
  s.broken();
  socket.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  socket.receive(asio::buffer(shared.unread), 0, ignored);
}

}  // namespace petstore::server::http
