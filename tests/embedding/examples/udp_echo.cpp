// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The limiter in a server without HTTP: it sends datagrams back as long as their sender has tokens.
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "examples.hpp"
#include "petstore/limits/notice.hpp"

namespace examples {

using namespace petstore;

namespace {

/// An IPv6 sender has a whole /64. If addresses were charged, each of its 2^64 addresses would be a new sender.
limits::address payer(asio::ip::address const& sender) {
  auto const whole = sender.is_v4() ? asio::ip::make_address_v6(asio::ip::v4_mapped, sender.to_v4()) : sender.to_v6();
  return limits::charging_unit(whole.to_bytes());
}

}  // namespace

asio::awaitable<void> serve_echo(asio::ip::udp::socket& socket, address_limiter& quota) {
  constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
  std::array<char, 1'500> datagram;
  for (;;) {
    asio::ip::udp::endpoint from;
    auto const [failed, size] = co_await socket.async_receive_from(asio::buffer(datagram), from, as_result);
    if (failed) co_return;

    // A large datagram costs more: one token, and another one for every 100 bytes.
    auto const tokens = limits::cost::of(1 + size / 100).value();
    limits::verdict const verdict = quota.charge(payer(from.address()), tokens, limits::now());
    if (verdict.decision == limits::decision::banned) continue;  // no answer at all

    std::string answer(datagram.data(), size);
    if (!verdict.can_ever_pass()) {
      answer = "too large";  // it costs more than a whole quota
    } else if (verdict.refused()) {
      answer = "wait " + std::to_string(limits::tell(verdict).retry_after_s) + " s";
    }
    co_await socket.async_send_to(asio::buffer(answer), from, as_result);
  }
}

}  // namespace examples
