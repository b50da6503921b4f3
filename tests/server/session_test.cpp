// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "session.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(session_steps)

namespace {

using namespace petstore;
using namespace petstore::server;
using step = session::step;

/// Answers with the target, at once or, at /later, in a coroutine.
class echoing_handler final : public http_handler {
 public:
  asio::awaitable<void> handle(request const& req, response& out) override {
    if (req.path == "/throw") throw std::runtime_error{"thrown"};
    out.body = req.target;
    if (req.path == "/later" || req.path == "/later_throw") return finish_later(req);
    return {};
  }
  void refuse(errc code, std::string_view, request const&, response& out) override {
    out.status = describe(code).status;
    out.body = "refused";
  }

 private:
  static asio::awaitable<void> finish_later(request const& req) {
    if (req.path == "/later_throw") throw std::runtime_error{"thrown later"};
    co_return;
  }
};

struct recorded {
  std::string target;
  unsigned status = 0;
  std::uint64_t bytes_sent = 0;
  friend bool operator==(recorded const&, recorded const&) = default;
};

struct fixture {
  echoing_handler handler;
  std::vector<recorded> records;
  struct taken {
    std::chrono::nanoseconds whole, read, handling;
  };
  std::vector<taken> times;
  session_host host{handler,
                    connection_limits{},
                    [](severity, std::string_view, std::string_view, log_origin const&) {},
                    [this](access_record const& r) {
                      records.push_back({std::string{r.request.target}, r.response.status, r.bytes_sent});
                      times.push_back({r.duration, r.read, r.response.notes.handling});
                    },
                    {},
                    {},
                    {},
                    {},
                    {},
                    shedding{connection_limits{}.turn_wait, connection_limits{}.connections_few},
                    nullptr};
  session tested{{}, host};

  step give(std::string_view bytes) {
    auto const room = tested.room();
    BOOST_TEST_REQUIRE(bytes.size() <= room.size());
    std::ranges::copy(bytes, room.begin());
    return tested.received(bytes.size());
  }
  /// Sends everything in pieces of `piece` bytes; the step after that.
  step send_all(std::string& sent, std::size_t piece = std::string::npos) {
    for (;;) {
      auto const bytes = tested.unsent().substr(0, piece);
      sent.append(bytes);
      if (auto const next = tested.sent(bytes.size()); next != step::send) return next;
    }
  }
  void work() {
    asio::io_context context;
    auto working = tested.work();
    asio::co_spawn(context, std::move(working), asio::detached);
    context.run();
  }
};

/// Longer than this by the clock that sessions read.
constexpr std::chrono::microseconds moment{20};
void pass_a_moment() {
  auto const end = std::chrono::steady_clock::now() + moment;
  while (std::chrono::steady_clock::now() < end) {
  }
}

std::string get(std::string_view target) {
  return std::string{"GET "}.append(target).append(" HTTP/1.1\r\nHost: a\r\n\r\n");
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_request_that_is_answered_at_once_is_sent_next, fixture) {
  BOOST_CHECK(tested.begin() == step::receive);
  BOOST_CHECK(give(get("/a")) == step::send);
  std::string sent;
  BOOST_CHECK(send_all(sent) == step::receive);
  BOOST_TEST(sent.starts_with("HTTP/1.1 200 OK\r\n"));
  BOOST_TEST(sent.ends_with("\r\n\r\n/a"));
  BOOST_TEST((records == std::vector{recorded{"/a", 200, sent.size()}}));
}

BOOST_FIXTURE_TEST_CASE(requests_that_arrive_together_are_answered_in_one_piece, fixture) {
  BOOST_CHECK(give(get("/a") + get("/b") + get("/c")) == step::send);
  std::string sent;
  BOOST_CHECK(send_all(sent) == step::receive);
  BOOST_TEST(count(sent, "HTTP/1.1 200 OK") == 3);
  BOOST_TEST(sent.find("/a") < sent.find("/b"));
  BOOST_TEST(sent.find("/b") < sent.find("/c"));
  BOOST_TEST(records.size() == 3);
}

BOOST_FIXTURE_TEST_CASE(a_request_without_its_end_waits_for_more_behind_the_answers_before_it, fixture) {
  BOOST_CHECK(give(get("/a") + "GET /b HT") == step::send);
  std::string sent;
  BOOST_CHECK(send_all(sent) == step::receive);
  BOOST_TEST(count(sent, "HTTP/1.1 200 OK") == 1);
  BOOST_TEST(!tested.is_idle());
  BOOST_CHECK(give("TP/1.1\r\nHost: a\r\n\r\n") == step::send);
}

BOOST_FIXTURE_TEST_CASE(an_answer_may_leave_in_any_pieces, fixture) {
  BOOST_CHECK(give(get("/a")) == step::send);
  std::string sent;
  BOOST_CHECK(send_all(sent, 7) == step::receive);
  BOOST_TEST(sent.ends_with("\r\n\r\n/a"));
  BOOST_TEST((records == std::vector{recorded{"/a", 200, sent.size()}}));
}

BOOST_FIXTURE_TEST_CASE(a_record_tells_how_long_the_request_took_to_come_and_the_handler_to_answer, fixture) {
  BOOST_CHECK(give("GET /later HT") == step::receive);
  pass_a_moment();
  BOOST_CHECK(give("TP/1.1\r\nHost: a\r\n\r\n") == step::wait);
  pass_a_moment();
  work();
  BOOST_CHECK(tested.worked() == step::send);
  pass_a_moment();
  std::string sent;
  BOOST_CHECK(send_all(sent) == step::receive);
  BOOST_TEST_REQUIRE(times.size() == 1u);
  BOOST_CHECK(times[0].read >= moment);
  BOOST_CHECK(times[0].handling >= moment);
  BOOST_CHECK(times[0].whole >= times[0].read + times[0].handling + moment);
}

BOOST_FIXTURE_TEST_CASE(a_connection_says_what_it_is_doing, fixture) {
  BOOST_CHECK(tested.state() == connection_state::idle);
  BOOST_CHECK(give("GET /later HT") == step::receive);
  BOOST_CHECK(tested.state() == connection_state::receiving);
  BOOST_CHECK(give("TP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n") == step::wait);
  BOOST_CHECK(tested.state() == connection_state::handling);
  work();
  BOOST_CHECK(tested.worked() == step::send);
  BOOST_CHECK(tested.state() == connection_state::sending);
  std::string sent;
  BOOST_CHECK(send_all(sent) == step::shut_down);
  BOOST_CHECK(tested.is_shut_down() == step::receive);
  BOOST_CHECK(tested.state() == connection_state::closing);
}

BOOST_FIXTURE_TEST_CASE(what_waits_is_worked_on_and_what_follows_it_is_answered_after_it, fixture) {
  BOOST_CHECK(give(get("/later") + get("/b")) == step::wait);
  BOOST_CHECK(tested.deadline() == steady_time::max());
  work();
  BOOST_CHECK(tested.worked() == step::send);
  std::string sent;
  BOOST_CHECK(send_all(sent) == step::receive);
  BOOST_TEST(count(sent, "HTTP/1.1 200 OK") == 2);
  BOOST_TEST(sent.find("/later") < sent.find("/b"));
}

BOOST_FIXTURE_TEST_CASE(what_is_thrown_at_once_or_later_is_answered_500_and_the_connection_goes_on, fixture) {
  BOOST_CHECK(give(get("/throw")) == step::send);
  std::string sent;
  BOOST_CHECK(send_all(sent) == step::receive);
  BOOST_CHECK(give(get("/later_throw")) == step::wait);
  work();
  BOOST_CHECK(tested.worked() == step::send);
  BOOST_CHECK(send_all(sent) == step::receive);
  BOOST_TEST(count(sent, "HTTP/1.1 500 ") == 2);
}

BOOST_FIXTURE_TEST_CASE(an_answer_that_breaks_off_is_recorded_with_what_was_sent, fixture) {
  BOOST_CHECK(give(get("/a")) == step::send);
  BOOST_CHECK(tested.sent(10) == step::send);
  tested.broken();
  BOOST_TEST((records == std::vector{recorded{"/a", 200, 10}}));
}

BOOST_FIXTURE_TEST_CASE(a_last_answer_is_followed_by_a_shutdown_and_a_moment_of_reading, fixture) {
  BOOST_CHECK(give("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + get("/b")) == step::send);
  std::string sent;
  BOOST_CHECK(send_all(sent) == step::shut_down);
  BOOST_TEST(count(sent, "HTTP/1.1") == 1);
  BOOST_CHECK(tested.is_shut_down() == step::receive);
  BOOST_CHECK(tested.deadline() != steady_time::max());
  BOOST_CHECK(give("anything") == step::receive);
  BOOST_CHECK(tested.ended() == step::close);
}

BOOST_FIXTURE_TEST_CASE(a_client_that_goes_on_sending_for_ever_is_left, fixture) {
  give("nonsense\r\n\r\n");
  std::string sent;
  send_all(sent);
  step next = tested.is_shut_down();
  std::size_t total = 0;
  for (; next == step::receive && total < 64 * 1024 * 1024; total += 8192) next = give(std::string(8192, 'x'));
  BOOST_CHECK(next == step::close);
  BOOST_TEST(total <= 2 * 1024 * 1024);
}

BOOST_FIXTURE_TEST_CASE(an_end_between_requests_closes_and_within_one_is_answered, fixture) {
  BOOST_CHECK(tested.ended() == step::close);
  session another{{}, host};
  auto const room = another.room();
  std::ranges::copy(std::string_view{"GET"}, room.begin());
  BOOST_CHECK(another.received(3) == step::receive);
  BOOST_CHECK(another.ended() == step::send);
  BOOST_TEST(another.unsent().starts_with("HTTP/1.1 400 "));
}

BOOST_FIXTURE_TEST_CASE(giving_up_closes_between_requests_and_answers_408_within_one, fixture) {
  BOOST_CHECK(tested.given_up() == step::close);
  BOOST_CHECK(give("GET / HTTP/1.1\r\n") == step::receive);
  BOOST_CHECK(tested.given_up() == step::send);
  BOOST_TEST(tested.unsent().starts_with("HTTP/1.1 408 "));
}

BOOST_FIXTURE_TEST_CASE(a_stopping_listener_closes_what_is_idle_and_lets_a_fresh_connection_ask_once, fixture) {
  host.closing = host.finishing = true;
  auto const patience = tested.deadline();
  BOOST_TEST(!tested.finish());  // no request has arrived on it yet
  BOOST_CHECK(tested.deadline() < patience);
  BOOST_CHECK(give(get("/a")) == step::send);
  BOOST_TEST(tested.unsent().find("Connection: close\r\n") != std::string_view::npos);
}

BOOST_FIXTURE_TEST_CASE(a_used_idle_connection_may_be_closed_at_once, fixture) {
  std::string sent;
  give(get("/a"));
  send_all(sent);
  BOOST_TEST(tested.is_idle());
  BOOST_TEST(tested.finish());
}

BOOST_FIXTURE_TEST_CASE(who_is_turned_away_is_answered_503_and_shut_down, fixture) {
  BOOST_CHECK(tested.turn_away("There are too many.") == step::send);
  BOOST_TEST(tested.unsent().starts_with("HTTP/1.1 503 "));
  std::string sent;
  BOOST_CHECK(send_all(sent) == step::shut_down);
}

BOOST_AUTO_TEST_SUITE_END()
