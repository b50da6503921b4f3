// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "channel.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>
#include <future>

#include "server/redis/live_client.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(redis_channel)

namespace {

using asio::ip::tcp;
using redis::channel;

/// What listens, and a channel to it. Of the two addresses that a name has, the first refuses.
struct fixture {
  asio::io_context context;
  tcp::acceptor acceptor{context, {asio::ip::address_v4::loopback(), 0}};
  std::promise<void> answering;
  names::lookup names{
      context.get_executor(), [answer = answering.get_future().share()](std::string const&) {
        answer.wait();
        return names::found{{}, {asio::ip::make_address("127.0.0.2"), asio::ip::address_v4::loopback()}};
      }};
  std::shared_ptr<channel> line =
      std::make_shared<channel>(context.get_executor(), names, nullptr, redis::reply_limits{});

  /// Runs until it is so; false: it did not become so in time.
  template <class Condition>
  bool run_until(Condition is_so) {
    auto const deadline = within(time_limit);
    while (!is_so() && std::chrono::steady_clock::now() < deadline) context.run_one_until(deadline);
    return is_so();
  }
  void begin_to_open(std::string host = "127.0.0.1") {
    redis::node where{std::move(host), acceptor.local_endpoint().port()};
    asio::co_spawn(context, line->open(std::move(where), {}, within(time_limit)),
                   [this](std::exception_ptr, redis::result<void> done) { opened = std::move(done); });
  }
  bool is_opened() {
    return run_until([this] { return opened.has_value(); }) && opened->has_value();
  }
  bool open() {
    begin_to_open();
    return is_opened();
  }

  std::optional<redis::result<void>> opened;
};

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
  peer.async_read_some(asio::buffer(bytes), [&](boost::system::error_code ec, std::size_t) { ended = ec; });
  context.restart();
  BOOST_TEST(run_until([&] { return ended.failed(); }));
  BOOST_TEST((ended == asio::error::eof));
}

BOOST_FIXTURE_TEST_CASE(of_a_name_the_next_address_is_tried_when_one_refuses, fixture) {
  answering.set_value();
  begin_to_open("redis.example");
  BOOST_TEST(is_opened());
  BOOST_TEST(acceptor.accept().is_open());
}

BOOST_FIXTURE_TEST_CASE(what_is_closed_while_its_name_is_looked_up_connects_to_nobody, fixture) {
  begin_to_open("redis.example");
  context.run_one();
  line->close("It is not needed.");
  answering.set_value();
  BOOST_TEST(!is_opened());
  BOOST_REQUIRE((opened && opened->has_error()));
  BOOST_TEST(opened->error().detail == "It is not needed.");
  acceptor.non_blocking(true);
  boost::system::error_code nobody;
  acceptor.accept(nobody);
  BOOST_TEST((nobody == asio::error::would_block));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
