// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "engine/live_page.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <thread>

#include "bench/load/answering_server.hpp"
#include "bench/load/engine/played.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_live_page)

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

tcp::endpoint const anywhere{asio::ip::address_v4::loopback(), 0};

/// Everything that the page answers until it closes.
std::string asked(std::uint16_t port, std::string const& request) {
  asio::io_context io;
  tcp::socket socket(io);
  socket.connect({asio::ip::address_v4::loopback(), port});
  asio::write(socket, asio::buffer(request));
  std::string text;
  boost::system::error_code end;
  asio::read(socket, asio::dynamic_buffer(text), end);
  return text;
}

struct served_page {
  served_page() : page(io, anywhere), thread([this] { io.run(); }) {}
  ~served_page() {
    io.stop();
    thread.join();
  }
  asio::io_context io{1};
  live_page page;
  std::thread thread;
};

BOOST_AUTO_TEST_CASE(the_page_is_what_was_shown_last) {
  served_page s;
  asio::post(s.io, [&] { s.page.show("figures 7\n"); });
  auto const answer = asked(s.page.port(), "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  BOOST_TEST(answer.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4"), answer);
  BOOST_TEST(answer.ends_with("\r\n\r\nfigures 7\n"), answer);
}

BOOST_AUTO_TEST_CASE(any_other_path_is_not_found_and_says_where_the_page_is) {
  served_page s;
  auto const answer = asked(s.page.port(), "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  BOOST_TEST(answer.starts_with("HTTP/1.1 404"), answer);
  BOOST_TEST(answer.find("/metrics") != answer.npos, answer);
}

BOOST_AUTO_TEST_CASE(a_request_without_end_is_cut_off) {
  served_page s;
  BOOST_TEST(asked(s.page.port(), std::string(8 * 1024, 'x')) == "");
}

BOOST_AUTO_TEST_CASE(a_port_that_is_taken_is_told) {
  served_page s;
  asio::io_context io;
  BOOST_CHECK_EXCEPTION(live_page(io, {asio::ip::address_v4::loopback(), s.page.port()}), std::runtime_error,
                        [](std::runtime_error const& e) {
                          return std::string(e.what()).find("Address already in use") != std::string::npos;
                        });
}

BOOST_AUTO_TEST_CASE(a_run_ends_although_somebody_is_connected_to_its_page) {
  answering_server server(ok_to_all);
  auto plan = plan_of(server.url(), "max", 1);
  plan.requests = std::nullopt;
  plan.duration = std::chrono::hours(1);
  plan.live_page = anywhere;
  run r(plan);
  asio::io_context io;
  tcp::socket visitor(io);
  r.play([&](live_status const& now) {
    if (!visitor.is_open()) visitor.connect({asio::ip::address_v4::loopback(), r.live_port()});
    if (now.total.answers > 0) r.stop("enough");
  });
  BOOST_TEST(r.live_port() != 0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
