// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "floor_server.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "bench/floor/served_floor.hpp"
#include "framing.hpp"
#include "sockets.hpp"
#include "support/eventually.hpp"
#include "support/time_limit.hpp"

namespace petstore::bench {

BOOST_AUTO_TEST_SUITE(bench_floor_server)

namespace {

constexpr std::size_t answer_bytes = 300;
constexpr std::string_view head = "GET /v1/pets/1 HTTP/1.1\r\nHost: a\r\n\r\n";

/// A connection that waits for what it expects.
class plain_client {
 public:
  explicit plain_client(std::uint16_t port) : socket_(connect_to_loopback(port)) { epoll_.add(socket_, EPOLLIN, this); }

  void write(std::string_view bytes) {
    BOOST_TEST_REQUIRE(send(socket_, std::span(bytes.data(), bytes.size())).bytes == bytes.size());
  }
  std::string read(std::size_t bytes) {
    std::string text(bytes, '\0');
    for (std::size_t at = 0; at < bytes;) {
      BOOST_REQUIRE(has_something());
      auto const got = receive(socket_, std::span(text).subspan(at));
      BOOST_TEST_REQUIRE(!got.ended);
      at += got.bytes;
    }
    return text;
  }
  bool is_closed_by_server() {
    char byte = 0;
    return has_something() && receive(socket_, std::span(&byte, 1)).ended;
  }

 private:
  /// A wait ends early when the process was stopped meanwhile.
  bool has_something() {
    return tests::eventually([this] { return epoll_.wait(tests::time_limit).size() == 1; });
  }

  descriptor socket_;
  epoll epoll_;
};

BOOST_AUTO_TEST_CASE(a_request_is_answered_with_the_bytes_asked_for) {
  served_floor const floor(answer_bytes);
  plain_client client(floor.port());
  client.write(head);
  BOOST_TEST(client.read(answer_bytes) == make_answer(answer_bytes));
}

BOOST_AUTO_TEST_CASE(each_of_the_requests_that_come_together_is_answered) {
  served_floor const floor(answer_bytes);
  plain_client client(floor.port());
  // More than it has answers ready for one send.
  constexpr int requests = 150;
  std::string heads;
  std::string answers;
  for (int i = 0; i < requests; ++i) {
    heads += head;
    answers += make_answer(answer_bytes);
  }
  client.write(heads);
  BOOST_TEST(client.read(requests * answer_bytes) == answers);
}

BOOST_AUTO_TEST_CASE(a_head_may_come_in_pieces) {
  served_floor const floor(answer_bytes);
  plain_client client(floor.port());
  auto const whole_and_half = std::string(head) + std::string(head.substr(0, 20));
  client.write(whole_and_half);
  BOOST_TEST(client.read(answer_bytes) == make_answer(answer_bytes));
  client.write(head.substr(20));
  BOOST_TEST(client.read(answer_bytes) == make_answer(answer_bytes));
}

BOOST_AUTO_TEST_CASE(answers_that_find_no_room_are_sent_when_there_is_some) {
  // Larger than what the kernel holds for a connection of loopback.
  constexpr std::size_t large = 12'000'000;
  served_floor const floor(large);
  plain_client client(floor.port());
  client.write(std::string(head) + std::string(head));
  auto const one = make_answer(large);
  BOOST_TEST((client.read(large) == one));
  BOOST_TEST((client.read(large) == one));
  client.write(head);
  BOOST_TEST((client.read(large) == one));
}

BOOST_AUTO_TEST_CASE(a_head_without_an_end_ends_the_connection) {
  served_floor const floor(answer_bytes);
  plain_client client(floor.port());
  client.write(std::string(20'000, 'x'));
  BOOST_TEST(client.is_closed_by_server());
}

BOOST_AUTO_TEST_CASE(a_port_in_use_is_an_error) {
  served_floor const floor(answer_bytes);
  BOOST_CHECK_THROW(floor_server(floor.port(), answer_bytes), std::system_error);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::bench
