// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The limiter in a server that has nothing to do with HTTP: datagrams are sent back, as far as their sender has tokens.
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "examples.hpp"
#include "petstore/limits/notice.hpp"

namespace examples {

using namespace petstore;

asio::awaitable<void> serve_echo(asio::ip::udp::socket& socket, limits::limiter<asio::ip::address>& quota) {
  constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
  std::array<char, 1'500> datagram;
  for (;;) {
    asio::ip::udp::endpoint from;
    auto const [failed, size] = co_await socket.async_receive_from(asio::buffer(datagram), from, as_result);
    if (failed) co_return;

    // What is large costs more: a token for every 100 bytes that are begun.
    auto const tokens = limits::cost::of(1 + size / 100).value();
    limits::verdict const verdict = quota.charge(from.address(), tokens, limits::now());
    if (verdict.decision == limits::decision::banned) continue;  // not even an answer

    std::string answer(datagram.data(), size);
    if (verdict.refused()) answer = "wait " + std::to_string(limits::tell(verdict).retry_after_s) + " s";
    co_await socket.async_send_to(asio::buffer(answer), from, as_result);
  }
}

}  // namespace examples
