// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "load.hpp"

#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "bench/floor/served_floor.hpp"
#include "sockets.hpp"
#include "support/eventually.hpp"
#include "support/time_limit.hpp"

namespace petstore::bench {

BOOST_AUTO_TEST_SUITE(bench_load)

namespace {

using namespace std::chrono_literals;

constexpr std::size_t answer_bytes = 300;

load some_load(std::uint16_t port) {
  load l;
  l.port = port;
  l.request = "GET /v1/pets/1 HTTP/1.1\r\nHost: a\r\n\r\n";
  l.connections = 3;
  l.requests = 100;
  return l;
}

void wait_to_read(descriptor const& d) {
  epoll one;
  one.add(d, EPOLLIN, nullptr);
  BOOST_REQUIRE(tests::eventually([&] { return !one.wait(tests::time_limit).empty(); }));
}

/// What a server that says only this after a first request, and then closes, makes the load report.
load_report load_on_a_server_that_says(std::string_view text) {
  auto const listener = listen_on_loopback(0);
  auto wanted = some_load(port_of(listener));
  wanted.connections = 1;
  std::jthread const server([&] {
    wait_to_read(listener);
    auto const connection = accept_one(listener);
    // Closing with a request unread would reset the connection, and the answer be lost.
    wait_to_read(connection);
    std::array<char, 1'000> request;
    receive(connection, request);
    send(connection, std::span(text.data(), text.size()));
  });
  return run_load(wanted);
}

BOOST_AUTO_TEST_CASE(every_request_of_a_number_is_sent_and_its_answer_counted) {
  served_floor const floor(answer_bytes);
  auto const wanted = some_load(floor.port());
  auto const report = run_load(wanted);
  BOOST_TEST(report.answers == 100U);
  BOOST_TEST(report.by_status[200] == 100U);
  BOOST_TEST(report.bytes == 100 * answer_bytes);
  BOOST_TEST(report.broken_connections == 0U);
  BOOST_TEST(report.unanswered == 0U);
}

BOOST_AUTO_TEST_CASE(a_number_that_is_no_multiple_of_the_depth_is_kept_to) {
  served_floor const floor(answer_bytes);
  auto wanted = some_load(floor.port());
  wanted.depth = 7;
  BOOST_TEST(run_load(wanted).answers == 100U);
}

BOOST_AUTO_TEST_CASE(several_requests_are_sent_in_turn) {
  constexpr std::string_view answer = "HTTP/1.1 204 No Content\r\n\r\n";
  auto const listener = listen_on_loopback(0);
  auto wanted = some_load(port_of(listener));
  wanted.connections = 1;
  wanted.request = "GET /1 HTTP/1.1\r\n\r\n";
  wanted.more_requests = {"GET /23 HTTP/1.1\r\n\r\n"};
  wanted.requests = 3;
  std::string seen;
  std::jthread server([&] {
    wait_to_read(listener);
    auto const connection = accept_one(listener);
    for (int i = 0; i < 3; ++i) {
      wait_to_read(connection);
      std::array<char, 1'000> request;
      auto const got = receive(connection, request);
      seen.append(request.data(), got.bytes);
      send(connection, std::span(answer.data(), answer.size()));
    }
  });
  auto const report = run_load(wanted);
  server.join();
  BOOST_TEST(report.by_status[204] == 3U);
  BOOST_TEST(seen == wanted.request + wanted.more_requests[0] + wanted.request);
}

BOOST_AUTO_TEST_CASE(a_load_for_some_time_tells_the_servers_processor_time) {
  served_floor const floor(answer_bytes);
  auto wanted = some_load(floor.port());
  wanted.requests.reset();
  wanted.duration = 20ms;
  wanted.server = getpid();
  load_report report;
  BOOST_REQUIRE(tests::eventually([&] {  // a machine that is busy may do nothing in that time
    report = run_load(wanted);
    return report.answers > 0U;
  }));
  BOOST_TEST(report.by_status[200] == report.answers);
  BOOST_TEST((report.duration >= 20ms));
  BOOST_TEST_REQUIRE(report.server_processor_time.has_value());
  BOOST_TEST((*report.server_processor_time > 0ns));
}

BOOST_AUTO_TEST_CASE(a_connection_that_ends_is_told) {
  auto const report = load_on_a_server_that_says("");
  BOOST_TEST(report.broken_connections == 1U);
  BOOST_TEST(report.answers == 0U);
}

BOOST_AUTO_TEST_CASE(what_is_no_answer_ends_its_connection) {
  auto const report = load_on_a_server_that_says("SSH-2.0-server\r\n");
  BOOST_TEST(report.broken_connections == 1U);
  BOOST_TEST(report.answers == 0U);
}

BOOST_AUTO_TEST_CASE(an_answer_that_nobody_asked_for_ends_its_connection) {
  auto const report = load_on_a_server_that_says(
      "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
      "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n");
  BOOST_TEST(report.by_status[503] == 1U);
  BOOST_TEST(report.broken_connections == 1U);
}

BOOST_AUTO_TEST_CASE(a_server_that_is_not_there_is_an_error) {
  auto const port = port_of(listen_on_loopback(0));
  auto const wanted = some_load(port);
  BOOST_CHECK_THROW(run_load(wanted), std::system_error);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::bench
