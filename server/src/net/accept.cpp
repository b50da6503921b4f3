// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/accept.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

namespace petstore::server::net {

accepted accept(boost::asio::ip::tcp::acceptor& from) {
  boost::asio::ip::tcp::endpoint peer;
  for (;;) {
    auto size = static_cast<socklen_t>(peer.capacity());
    descriptor socket{::accept4(from.native_handle(), peer.data(), &size, SOCK_NONBLOCK | SOCK_CLOEXEC)};
    if (socket.get() >= 0) {
      peer.resize(size);
      return {.socket = std::move(socket), .peer = peer, .error = {}};
    }
    bool const is_worth_a_try = errno == EINTR || errno == ECONNABORTED || errno == EPROTO;  // a client that has gone
    if (!is_worth_a_try)
      return {.socket = std::move(socket), .peer = {}, .error = {errno, boost::system::system_category()}};
  }
}

}  // namespace petstore::server::net
