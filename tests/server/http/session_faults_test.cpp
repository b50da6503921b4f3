// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <string>

#include "http/session.hpp"
#include "server/net/live_listener.hpp"
#include "support/test_client.hpp"

BOOST_AUTO_TEST_SUITE(session_faults)

/// Handlers that fail, clients that break rules or leave.

using petstore::tests::live_listener;
using petstore::tests::test_client;

namespace {

std::string const good = "GET /good HTTP/1.1\r\nHost: a\r\n\r\n";

}  // namespace

BOOST_AUTO_TEST_CASE(a_handler_that_throws_is_answered_500_and_logged) {
  live_listener server;
  test_client client{server.port()};
  auto const answer = client.exchange("GET /throw HTTP/1.1\r\nHost: a\r\n\r\n");
  BOOST_TEST(answer.status == 500);
  BOOST_TEST(answer.body == "internal /throw");
  BOOST_TEST(client.exchange(good).status == 200);
  auto const events = server.events();
  BOOST_REQUIRE(events.size() == 1u);
  BOOST_TEST(events[0].first == "handler_failed");
  BOOST_TEST(events[0].second == "the handler threw");
}

BOOST_AUTO_TEST_CASE(a_refusal_that_throws_still_answers) {
  live_listener server;
  server.let_refusals_throw();
  test_client client{server.port()};
  auto const answer = client.exchange("GET /throw HTTP/1.1\r\nHost: a\r\n\r\n");
  BOOST_TEST(answer.status == 500);
  BOOST_TEST(answer.body.empty());
}

BOOST_AUTO_TEST_CASE(what_is_no_request_is_answered_and_the_connection_ends) {
  live_listener server;
  struct {
    std::string bytes;
    int status;
  } const rows[] = {
      {"\x16\x03\x01", 400},
      {"GET /\r\n", 400},
      {"GET / HTTP/1.1\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\n b", 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\nx\r\n0\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nHost: b\r\n\r\n", 400},
      {"TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", 405},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n", 413},
      {std::string(8'193, 'x'), 414},
      {"GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n", 417},
      {"GET / HTTP/1.1\r\nX: " + std::string(8'192, 'x'), 431},
      {"BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
  };
  for (auto const& r : rows) {
    test_client client{server.port()};
    // What follows must not be answered, whatever it is.
    client.send(good + r.bytes + good);
    BOOST_TEST_CONTEXT(r.bytes.substr(0, 60)) {
      BOOST_TEST(client.receive().status == 200);
      auto const answer = client.receive();
      BOOST_TEST(answer.status == r.status);
      BOOST_TEST(answer.closes());
      BOOST_TEST(client.ends_in_order());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_client_that_goes_on_sending_still_gets_the_answer) {
  live_listener server;
  test_client client{server.port()};
  client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 600000\r\n\r\n");
  client.send(std::string(600'000, 'x'));
  BOOST_TEST(client.receive().status == 413);
  BOOST_TEST(client.ends_in_order());
}

BOOST_AUTO_TEST_CASE(a_client_that_will_send_no_more_still_gets_its_answers) {
  live_listener server;
  test_client client{server.port()};
  client.send(good + good);
  client.shutdown_send();
  BOOST_TEST(client.receive().status == 200);
  BOOST_TEST(client.receive().status == 200);
  BOOST_TEST(client.ends_in_order());
}

BOOST_AUTO_TEST_CASE(a_request_that_is_cut_short_is_answered_400) {
  live_listener server;
  for (std::string_view const begin :
       {"GET / HTTP/1.1\r\nHost", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n"}) {
    test_client client{server.port()};
    client.send(begin);
    client.shutdown_send();
    BOOST_TEST(client.receive().status == 400);
    BOOST_TEST(client.ends_in_order());
  }
}

BOOST_AUTO_TEST_CASE(clients_may_vanish_after_any_byte) {
  std::string const bytes =
      "POST /size/100000 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n" + good +
      "BAD\r\n";
  live_listener server{{}, 2 * bytes.size()};  // accepted together, they all hold a place at once
  for (std::size_t n = 0; n <= bytes.size(); ++n) {
    test_client client{server.port()};
    client.send(std::string_view{bytes}.substr(0, n));
    client.reset();
  }
  test_client client{server.port()};
  BOOST_TEST(client.exchange(good).status == 200);
  server.stop().wait();
  BOOST_TEST(server.budget().in_use() == 0u);
  BOOST_TEST(server.events().empty());
}

BOOST_AUTO_TEST_CASE(a_client_may_vanish_while_it_is_served) {
  live_listener server;
  test_client client{server.port()};
  client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
  server.handler().entered.acquire();
  client.reset();
  server.release();
  server.stop().wait();
  BOOST_TEST(server.budget().in_use() == 0u);
  BOOST_TEST(server.answers().size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
