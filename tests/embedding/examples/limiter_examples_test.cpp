// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Tests udp_echo.cpp from its clients.
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>

#include "examples.hpp"
#include "running.hpp"

BOOST_AUTO_TEST_SUITE(embedding_limiter)

using namespace petstore;

namespace {

struct echo {
  examples::address_limiter quota{
      {.plan = {limits::per_minute(5)}, .bans = {.strikes = 1, .grace = std::chrono::milliseconds{0}}},
      limits::keyed_hash{limits::random_seed()}};
  boost::asio::io_context of_client;
  examples::running_context running;
  boost::asio::ip::udp::endpoint const any{boost::asio::ip::address_v4::loopback(), 0};
  boost::asio::ip::udp::socket server{running.context, any};
  boost::asio::ip::udp::socket client{of_client, any};

  echo() { boost::asio::co_spawn(running.context, examples::serve_echo(server, quota), boost::asio::detached); }
  ~echo() {
    boost::asio::post(running.context, [this] { server.close(); });
    running.finish();
  }
  std::string say(std::string const& text) { return say(client, text); }
  std::string say(boost::asio::ip::udp::socket& from, std::string const& text) {
    from.send_to(boost::asio::buffer(text), server.local_endpoint());
    std::array<char, 2'000> answer;
    return {answer.data(), from.receive(boost::asio::buffer(answer))};
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(datagrams_are_echoed_until_their_sender_has_no_tokens, echo) {
  BOOST_TEST(say("one") == "one");
  std::string const large(250, 'x');
  BOOST_TEST(say(large) == large);  // three tokens
  BOOST_TEST(say(large) == "wait 60 s");
  BOOST_TEST(say("two") == "two");
  BOOST_TEST(say("three") == "wait 60 s");
  BOOST_TEST(quota.figures().identities == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_datagram_that_costs_more_than_a_minute_has_is_not_told_to_wait, echo) {
  BOOST_TEST(say(std::string(500, 'x')) == "too large");
  std::string const largest(499, 'x');
  BOOST_TEST(say(largest) == largest);
}

BOOST_FIXTURE_TEST_CASE(who_sends_on_into_refusals_gets_no_answer_any_more, echo) {
  for (int i = 0; i < 5; ++i) BOOST_TEST(say("one") == "one");
  BOOST_TEST(say("two") == "wait 60 s");
  client.send_to(boost::asio::buffer("three", 5), server.local_endpoint());  // this strike begins the ban
  client.send_to(boost::asio::buffer("four", 4), server.local_endpoint());

  boost::asio::ip::udp::socket neighbour{of_client, {boost::asio::ip::make_address("127.0.0.2"), 0}};
  BOOST_TEST(say(neighbour, "one") == "one");  // so the datagrams before it have been handled
  BOOST_TEST(client.available() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
