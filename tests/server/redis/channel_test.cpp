// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "channel.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include "server/redis/live_client.hpp"

namespace petstore::tests {
namespace {

using asio::ip::tcp;
using redis::channel;

/// What listens, and a channel to it.
struct fixture {
  asio::io_context context;
  tcp::acceptor acceptor{context, {asio::ip::address_v4::loopback(), 0}};
  names::lookup names{context.get_executor()};
  std::shared_ptr<channel> line =
      std::make_shared<channel>(context.get_executor(), names, nullptr, redis::reply_limits{});

  redis::node where() const { return {"127.0.0.1", acceptor.local_endpoint().port()}; }

  /// Runs until it is so; false: it did not become so in time.
  template <class Condition>
  bool run_until(Condition is_so) {
    auto const deadline = within(generous);
    while (!is_so() && std::chrono::steady_clock::now() < deadline) context.run_one_until(deadline);
    return is_so();
  }
  bool open() {
    std::optional<redis::result<void>> opened;
    asio::co_spawn(context, line->open(where(), {}, within(generous)),
                   [&](std::exception_ptr, redis::result<void> done) { opened = std::move(done); });
    return run_until([&] { return opened.has_value(); }) && opened->has_value();
  }
};

BOOST_AUTO_TEST_SUITE(redis_channel)

BOOST_FIXTURE_TEST_CASE(what_is_closed_while_it_waits_takes_nothing_from_the_next_socket, fixture) {
  BOOST_REQUIRE(open());
  auto const its_peer = acceptor.accept();
  bool has_ended = false;
  asio::co_spawn(context, line->receive(),
                 [&](std::exception_ptr, redis::result<redis::reply> const&) { has_ended = true; });
  context.restart();
  context.poll();
  BOOST_TEST(!has_ended);

  line->close("It is not needed.");
  tcp::socket next{context};
  next.connect(acceptor.local_endpoint());
  auto peer = acceptor.accept();
  std::array<char, 16> bytes{};
  std::size_t taken = 0;
  next.async_read_some(asio::buffer(bytes), [&](boost::system::error_code, std::size_t n) { taken = n; });
  context.restart();
  context.poll();
  asio::write(peer, asio::buffer("hello", 5));
  context.restart();
  BOOST_TEST(run_until([&] { return has_ended && taken != 0; }));
  BOOST_TEST(taken == 5U);
}

BOOST_FIXTURE_TEST_CASE(closing_ends_it_for_the_peer_at_once, fixture) {
  BOOST_REQUIRE(open());
  auto peer = acceptor.accept();
  line->close("It is not needed.");
  std::array<char, 16> bytes{};
  boost::system::error_code ended;
  peer.read_some(asio::buffer(bytes), ended);
  BOOST_TEST((ended == asio::error::eof));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petstore::tests
