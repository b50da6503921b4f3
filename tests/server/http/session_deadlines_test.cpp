// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "http/session.hpp"
#include "server/net/live_listener.hpp"
#include "support/test_client.hpp"

BOOST_AUTO_TEST_SUITE(session_deadlines)

/// What happens when time runs out. The times are short, and nothing here says how long anything took.

using namespace std::chrono_literals;
using petstore::server::connection_limits;
using petstore::tests::live_listener;
using petstore::tests::test_client;

namespace {

constexpr auto soon = 40ms;
constexpr auto never = 1h;

constexpr connection_limits patient{
    .header_timeout = never, .request_timeout = never, .idle_timeout = never, .write_timeout = never};

connection_limits with(std::chrono::milliseconds connection_limits::*limit) {
  connection_limits limits = patient;
  limits.*limit = soon;
  return limits;
}

void check_times_out(test_client& client) {
  auto const answer = client.receive();
  BOOST_TEST(answer.status == 408);
  BOOST_TEST(answer.closes());
  BOOST_TEST(client.ends_in_order());
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_unfinished_head_is_answered_408) {
  live_listener server{with(&connection_limits::header_timeout)};
  for (std::string_view const begin : {"G", "GET / HTTP/1.1\r\nHost: a\r\n"}) {
    test_client client{server.port()};
    client.send(begin);
    check_times_out(client);
  }
}

BOOST_AUTO_TEST_CASE(a_head_has_no_more_time_than_its_request) {
  live_listener server{with(&connection_limits::request_timeout)};
  test_client client{server.port()};
  client.send("GET /");
  check_times_out(client);
}

BOOST_AUTO_TEST_CASE(an_unfinished_second_head_is_answered_408) {
  live_listener server{with(&connection_limits::header_timeout)};
  test_client client{server.port()};
  BOOST_TEST(client.exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /").status == 200);
  check_times_out(client);
}

BOOST_AUTO_TEST_CASE(a_byte_now_and_then_does_not_extend_the_time_for_a_head) {
  live_listener server{with(&connection_limits::header_timeout)};
  test_client client{server.port()};
  client.send("GET / HTTP/1.1\r\nX: ");
  while (!client.has_something(1)) client.send("x");
  check_times_out(client);
}

BOOST_AUTO_TEST_CASE(an_unfinished_body_is_answered_408) {
  live_listener server{with(&connection_limits::request_timeout)};
  for (std::string_view const begin : {
           "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n",
           "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcd",
           "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nab",
       }) {
    test_client client{server.port()};
    client.send(begin);
    check_times_out(client);
  }
}

BOOST_AUTO_TEST_CASE(a_byte_now_and_then_does_not_extend_the_time_for_a_body) {
  live_listener server{with(&connection_limits::request_timeout)};
  test_client client{server.port()};
  client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n");
  while (!client.has_something(1)) client.send("x");
  check_times_out(client);
}

BOOST_AUTO_TEST_CASE(an_idle_connection_is_closed_without_a_word) {
  live_listener server{with(&connection_limits::idle_timeout)};
  test_client fresh{server.port()}, used{server.port()};
  BOOST_TEST(used.exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n").status == 200);
  BOOST_TEST(fresh.ends_in_order());
  BOOST_TEST(used.ends_in_order());
}

BOOST_AUTO_TEST_CASE(a_client_that_never_reads_is_broken_off) {
  live_listener server{with(&connection_limits::write_timeout)};
  test_client client;
  client.set_receive_buffer(4'096);
  client.connect(server.port());
  constexpr std::size_t size = 5'000'000;
  client.send("GET /size/" + std::to_string(size) + " HTTP/1.1\r\nHost: a\r\n\r\n");
  // Waits longer than this test may last, unless the session gives up by itself.
  server.stop(never).wait();
  auto const answers = server.answers();
  BOOST_REQUIRE(answers.size() == 1u);
  BOOST_TEST(answers[0].bytes_sent < size);
  // The kernel has not kept what was left, to offer it for ever.
  BOOST_TEST(client.receive_rest().size() < size);
  BOOST_TEST(client.was_reset());
}

BOOST_AUTO_TEST_CASE(who_does_not_read_answers_is_not_asked_for_more) {
  live_listener server{with(&connection_limits::write_timeout)};
  test_client client;
  client.set_receive_buffer(4'096);
  client.connect(server.port());
  constexpr std::size_t size = 1'000;
  std::string const request = "GET /size/" + std::to_string(size) + " HTTP/1.1\r\nHost: a\r\n\r\n";
  std::string requests;
  for (int i = 0; i < 100; ++i) requests += request;
  while (client.try_send(requests)) {
  }
  server.stop(never).wait();
  // What a session writes in one go, twice that in the kernel, and what the client's machine takes.
  BOOST_TEST(server.answers().size() * size < 400'000u);
}

BOOST_AUTO_TEST_CASE(what_is_broken_off_reaches_nobody_else) {
  live_listener server{with(&connection_limits::write_timeout)};
  test_client silent;
  silent.set_receive_buffer(4'096);
  silent.connect(server.port());
  silent.send("GET /size/5000000 HTTP/1.1\r\nHost: a\r\n\r\n");
  BOOST_TEST(silent.has_something(60'000));
  // Its time runs out while others connect, so that the server breaks it off and accepts them in one go: the next one
  // gets its descriptor.
  auto const held = server.hold();
  std::vector<test_client> others;
  for (int i = 0; i < 8; ++i) others.emplace_back(server.port());
  std::this_thread::sleep_for(2 * soon);
  held->set_value();
  for (auto& other : others) {
    BOOST_TEST(other.exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n").status == 200);
  }
}

BOOST_AUTO_TEST_CASE(a_handler_may_take_longer_than_a_client) {
  auto limits = patient;
  limits.header_timeout = limits.request_timeout = limits.idle_timeout = limits.write_timeout = soon;
  live_listener server{limits};
  test_client client{server.port()}, slower{server.port()};
  client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
  server.handler().entered.acquire();
  for (int i = 0; i < 2; ++i) {
    test_client other{server.port()};
    other.send("GET");
    check_times_out(other);
  }
  server.release();
  BOOST_TEST(client.receive().status == 200);
}

BOOST_AUTO_TEST_SUITE_END()
