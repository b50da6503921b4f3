// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <future>
#include <string>
#include <thread>

#include "petstore/server/body_stream.hpp"
#include "server/net/live_listener.hpp"
#include "support/eventually.hpp"
#include "support/test_client.hpp"

BOOST_AUTO_TEST_SUITE(session_streams)

using petstore::tests::eventually;
using petstore::tests::live_listener;
using petstore::tests::test_client;
using namespace std::chrono_literals;

namespace {

std::string ask(std::string_view target, std::string_view method = "GET") {
  return std::string{method} + " " + std::string{target} + " HTTP/1.1\r\nHost: pets.example\r\n\r\n";
}

std::string body_of(std::string const& answer) {
  auto const end = answer.find("\r\n\r\n");
  return end == std::string::npos ? "(no end of the head)" : answer.substr(end + 4);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_parts_follow_each_other_until_the_connection_ends) {
  live_listener server;
  test_client client{server.port()};
  client.send(ask("/stream/3"));
  auto const answer = client.receive_rest();
  BOOST_TEST(answer.starts_with("HTTP/1.1 200 OK\r\n"));
  BOOST_TEST(answer.find("Connection: close\r\n") != std::string::npos);
  BOOST_TEST(answer.find("Content-Length") == std::string::npos);
  BOOST_TEST(body_of(answer) == "begin\npart\npart\npart\n");
  client.close();
  server.stop().wait();
  auto const seen = server.answers();
  BOOST_REQUIRE(seen.size() == 1u);
  BOOST_TEST(seen[0].bytes_sent == answer.size());
}

BOOST_AUTO_TEST_CASE(a_part_is_sent_when_it_is_there) {
  live_listener server;
  test_client client{server.port()};
  client.send(ask("/stream"));
  server.handler().entered.acquire();
  server.release();
  // Waiting for the next part: the one before is on its way.
  server.handler().entered.acquire();
  BOOST_TEST(client.has_something(10'000));
  server.open_gate();
  auto const stopped = server.stop();
  BOOST_TEST(body_of(client.receive_rest()).starts_with("part\npart\n"));
  client.close();
  stopped.wait();
}

BOOST_AUTO_TEST_CASE(to_head_there_are_no_parts) {
  live_listener server;
  test_client client{server.port()};
  client.send(ask("/stream/3", "HEAD"));
  auto const answer = client.receive_rest();
  BOOST_TEST(answer.starts_with("HTTP/1.1 200 OK\r\n"));
  BOOST_TEST(body_of(answer) == "");
}

BOOST_AUTO_TEST_CASE(after_a_status_without_a_body_there_are_no_parts) {
  live_listener server;
  test_client client{server.port()};
  client.send(ask("/204/stream"));
  auto const answer = client.receive_rest();
  BOOST_TEST(answer.starts_with("HTTP/1.1 204 No Content\r\n"));
  BOOST_TEST(body_of(answer) == "");
}

BOOST_AUTO_TEST_CASE(a_stop_ends_a_stream_with_its_next_part) {
  live_listener server;
  test_client client{server.port()};
  client.send(ask("/stream"));
  server.handler().entered.acquire();
  server.open_gate();
  auto const stopped = server.stop();
  BOOST_TEST(client.receive_rest().find("part\n") != std::string::npos);
  client.close();
  stopped.wait();
}

BOOST_AUTO_TEST_CASE(a_stop_cuts_off_a_stream_that_does_not_end) {
  live_listener server;
  test_client client{server.port()};
  client.send(ask("/stream"));
  server.handler().entered.acquire();
  auto stopped = server.stop(20ms);
  client.receive_rest();  // the connection ends first, then what was waited for
  server.open_gate();
  stopped.wait();
}

BOOST_AUTO_TEST_CASE(a_client_that_left_is_noticed_with_the_parts_it_does_not_take) {
  live_listener server;
  {
    test_client client{server.port()};
    client.send(ask("/stream"));
    server.handler().entered.acquire();
    client.reset();
  }
  while (server.session_count() != 0) server.release();
}

BOOST_AUTO_TEST_CASE(a_client_that_reads_nothing_is_cut_off) {
  petstore::server::connection_limits limits;
  limits.write_timeout = 50ms;
  live_listener server{limits};
  test_client client;
  client.set_receive_buffer(4096);
  client.connect(server.port());
  client.send(ask("/stream/1000000000"));
  BOOST_REQUIRE(eventually([&] { return server.session_count() != 0; }));
  BOOST_REQUIRE(eventually([&] { return server.session_count() == 0; }));
}

BOOST_AUTO_TEST_CASE(a_stream_that_throws_ends_its_connection_and_is_logged) {
  live_listener server;
  test_client client{server.port()};
  client.send(ask("/stream/13"));
  BOOST_TEST(body_of(client.receive_rest()) == "begin\n");
  client.close();
  server.stop().wait();
  auto const events = server.events();
  BOOST_REQUIRE(events.size() == 1u);
  BOOST_TEST(events[0].second == "the stream threw");
}

BOOST_AUTO_TEST_SUITE_END()
