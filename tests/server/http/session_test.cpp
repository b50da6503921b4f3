// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/session.hpp"

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

#include "petstore/server/mount.hpp"

BOOST_AUTO_TEST_SUITE(session_bytes)

namespace {

using namespace petstore;
using namespace petstore::server;
using petstore::server::http::http_state;
using petstore::server::http::session;

/// Longer than this by the clock that sessions read.
constexpr std::chrono::microseconds moment{20};
void pass_a_moment() {
  auto const end = std::chrono::steady_clock::now() + moment;
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// Answers with the target, at once or, at /later, in a coroutine; /mounted is a mount that needs a moment.
class echoing_handler final : public http_handler {
 public:
  int copies = 1;

  asio::awaitable<void> handle(request const& req, response& out) override {
    if (req.path == "/throw") throw std::runtime_error{"thrown"};
    for (int i = 0; i < copies; ++i) out.body += req.target;
    if (req.path == "/later" || req.path == "/later_throw") return finish_later(req);
    if (req.path == "/mounted") {
      out.notes.mount = &mounted_;
      pass_a_moment();
    }
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

  server::mount const mounted_{.path = "/mounted", .answer = {}};
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
    steady_time ended;
  };
  std::vector<taken> times;
  http_state shared{handler, connection_limits{},
                    [](severity, std::string_view, std::string_view, log_origin const&) {},
                    [this](access_record const& r) {
                      records.push_back({std::string{r.request.target}, r.response.status, r.bytes_sent});
                      times.push_back({r.duration, r.read, r.response.notes.handling, r.ended});
                    }};
  session tested{{}, shared};

  /// Bytes of the client, and all that can be done with them before something has to be sent.
  void give(std::string_view bytes) {
    receive(bytes);
    answer();
  }
  void receive(std::string_view bytes) {
    auto const buffer = tested.buffer();
    BOOST_TEST_REQUIRE(bytes.size() <= buffer.size());
    std::ranges::copy(bytes, buffer.begin());
    tested.received(bytes.size());
  }
  void answer() {
    while (tested.next_request()) {
      auto work = tested.handle();
      if (work.valid()) run(std::move(work));
      tested.write_answer();
    }
  }
  /// Everything is sent in pieces of `piece` bytes, and what that makes room for is answered.
  std::string send_all(std::size_t piece = std::string::npos) {
    std::string sent;
    while (!tested.unsent().empty()) {
      auto const bytes = tested.unsent().substr(0, piece);
      sent.append(bytes);
      tested.sent(bytes.size());
      if (tested.unsent().empty() && !tested.is_over()) answer();
    }
    return sent;
  }
  static void run(asio::awaitable<void> work) {
    asio::io_context context;
    asio::co_spawn(context, std::move(work), asio::detached);
    context.run();
  }
};

std::string get(std::string_view target) {
  return std::string{"GET "}.append(target).append(" HTTP/1.1\r\nHost: a\r\n\r\n");
}

/// Answers a request, and sends nothing.
void answer_one(session& s) {
  auto const request = get("/a");
  std::ranges::copy(request, s.buffer().begin());
  s.received(request.size());
  BOOST_TEST_REQUIRE(s.next_request());
  (void)s.handle();
  s.write_answer();
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_request_that_is_answered_at_once_is_sent_next, fixture) {
  give(get("/a"));
  auto const sent = send_all();
  BOOST_TEST(sent.starts_with("HTTP/1.1 200 OK\r\n"));
  BOOST_TEST(sent.ends_with("\r\n\r\n/a"));
  BOOST_TEST((records == std::vector{recorded{"/a", 200, sent.size()}}));
  BOOST_TEST(!tested.is_over());
}

BOOST_FIXTURE_TEST_CASE(requests_that_arrive_together_are_answered_in_one_piece, fixture) {
  give(get("/a") + get("/b") + get("/c"));
  std::string const unsent{tested.unsent()};
  BOOST_TEST(send_all() == unsent);
  BOOST_TEST(count(unsent, "HTTP/1.1 200 OK") == 3);
  BOOST_TEST(unsent.find("/a") < unsent.find("/b"));
  BOOST_TEST(unsent.find("/b") < unsent.find("/c"));
  BOOST_TEST(records.size() == 3);
}

BOOST_FIXTURE_TEST_CASE(a_request_without_its_end_waits_for_more_behind_the_answers_before_it, fixture) {
  give(get("/a") + "GET /b HT");
  BOOST_TEST(count(send_all(), "HTTP/1.1 200 OK") == 1);
  BOOST_TEST(!tested.is_between());
  give("TP/1.1\r\nHost: a\r\n\r\n");
  BOOST_TEST(count(send_all(), "HTTP/1.1 200 OK") == 1);
  BOOST_TEST(tested.is_between());
}

BOOST_FIXTURE_TEST_CASE(an_answer_may_leave_in_any_pieces, fixture) {
  give(get("/a"));
  auto const sent = send_all(7);
  BOOST_TEST(sent.ends_with("\r\n\r\n/a"));
  BOOST_TEST((records == std::vector{recorded{"/a", 200, sent.size()}}));
}

BOOST_FIXTURE_TEST_CASE(answers_of_more_than_a_batch_leave_before_the_next_request_is_handled, fixture) {
  std::string const target = "/" + std::string(3'000, 'x');
  handler.copies = 30;  // 90 kB
  receive(get(target) + get("/b"));
  answer();
  BOOST_TEST(count(tested.unsent(), "HTTP/1.1 200 OK") == 1);
  BOOST_TEST(count(send_all(), "HTTP/1.1 200 OK") == 2);
}

BOOST_FIXTURE_TEST_CASE(a_record_tells_how_long_the_request_took_to_come_and_the_handler_to_answer, fixture) {
  give("GET /later HT");
  pass_a_moment();
  receive("TP/1.1\r\nHost: a\r\n\r\n");
  BOOST_TEST_REQUIRE(tested.next_request());
  auto work = tested.handle();
  BOOST_TEST_REQUIRE(work.valid());
  pass_a_moment();
  run(std::move(work));
  tested.write_answer();
  pass_a_moment();
  send_all();
  BOOST_TEST_REQUIRE(times.size() == 1u);
  BOOST_CHECK(times[0].read >= moment);
  BOOST_CHECK(times[0].handling >= moment);
  BOOST_CHECK(times[0].whole >= times[0].read + times[0].handling + moment);
}

BOOST_FIXTURE_TEST_CASE(a_record_tells_how_long_a_mount_without_a_coroutine_needed, fixture) {
  give(get("/mounted"));
  send_all();
  BOOST_TEST_REQUIRE(times.size() == 1u);
  BOOST_CHECK(times[0].handling >= moment);
}

BOOST_FIXTURE_TEST_CASE(a_record_tells_when_its_answer_ended, fixture) {
  give(get("/a") + get("/b"));
  auto const first_sent = std::chrono::steady_clock::now();
  send_all();
  give(get("/c"));
  auto const broken = std::chrono::steady_clock::now();
  tested.record_unsent();
  BOOST_TEST_REQUIRE(times.size() == 3u);
  BOOST_CHECK(times[0].ended <= first_sent);
  BOOST_CHECK(times[1].ended >= first_sent);
  BOOST_CHECK(times[1].ended - times[0].ended == times[1].whole);  // the second began when the first had ended
  BOOST_CHECK(times[2].ended >= broken);
}

BOOST_FIXTURE_TEST_CASE(what_follows_a_request_that_waits_is_answered_after_it, fixture) {
  give(get("/later") + get("/b"));
  auto const sent = send_all();
  BOOST_TEST(count(sent, "HTTP/1.1 200 OK") == 2);
  BOOST_TEST(sent.find("/later") < sent.find("/b"));
}

BOOST_FIXTURE_TEST_CASE(what_is_thrown_at_once_or_later_is_answered_500_and_the_connection_goes_on, fixture) {
  give(get("/throw"));
  BOOST_TEST(send_all().starts_with("HTTP/1.1 500 "));
  give(get("/later_throw"));
  BOOST_TEST(send_all().starts_with("HTTP/1.1 500 "));
  BOOST_TEST(!tested.is_over());
}

BOOST_FIXTURE_TEST_CASE(an_answer_that_breaks_off_is_recorded_with_what_was_sent, fixture) {
  give(get("/a"));
  tested.sent(10);
  tested.record_unsent();
  BOOST_TEST((records == std::vector{recorded{"/a", 200, 10}}));
}

BOOST_FIXTURE_TEST_CASE(a_session_that_ends_leaves_its_memory_to_the_next_one, fixture) {
  std::size_t written = 0;
  {
    session other{{}, shared};
    answer_one(other);
    written = other.unsent().size();
    other.sent(written);
  }
  auto const left = shared.answers.take();
  BOOST_TEST(left->bytes.empty());
  BOOST_TEST(left->answer.body.empty());
  BOOST_TEST(left->bytes.capacity() >= written);
}

BOOST_FIXTURE_TEST_CASE(the_memory_of_an_answer_that_was_not_read_is_freed, fixture) {
  {
    session other{{}, shared};
    answer_one(other);
    other.sent(other.unsent().size() - 1);
  }
  BOOST_TEST(shared.answers.take()->bytes.capacity() == std::string{}.capacity());
}

BOOST_FIXTURE_TEST_CASE(nothing_is_answered_behind_a_last_answer, fixture) {
  give("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + get("/b"));
  BOOST_TEST(!tested.is_over());
  BOOST_TEST(count(send_all(), "HTTP/1.1") == 1);
  BOOST_TEST(tested.is_over());
}

BOOST_FIXTURE_TEST_CASE(what_is_no_request_is_refused_and_is_the_last, fixture) {
  give("nonsense\r\n\r\n");
  BOOST_TEST(tested.unsent().starts_with("HTTP/1.1 400 "));
  send_all();
  BOOST_TEST(tested.is_over());
}

BOOST_FIXTURE_TEST_CASE(a_stopping_listener_announces_the_end_with_each_answer, fixture) {
  shared.closing = shared.finishing = true;
  give(get("/a"));
  BOOST_TEST(tested.unsent().find("Connection: close\r\n") != std::string_view::npos);
}

BOOST_FIXTURE_TEST_CASE(a_stopping_listener_answers_what_has_arrived_and_announces_the_end_with_the_last_answer,
                        fixture) {
  shared.closing = shared.finishing = true;
  give(get("/a") + get("/b") + get("/c"));
  auto const sent = send_all();
  BOOST_TEST(count(sent, "HTTP/1.1 200 OK") == 3);
  BOOST_TEST(count(sent, "Connection: close\r\n") == 1);
  BOOST_TEST(sent.find("/b") < sent.find("Connection: close\r\n"));
  BOOST_TEST(tested.is_over());
}

BOOST_FIXTURE_TEST_CASE(a_stopping_listener_waits_for_the_rest_of_a_request_behind_an_answer_like_for_any_other,
                        fixture) {
  shared.closing = shared.finishing = true;
  give(get("/a") + "GET /b HT");
  BOOST_TEST(count(send_all(), "Connection: close\r\n") == 0);
  BOOST_TEST(!tested.is_over());
  BOOST_CHECK(tested.receive_deadline() == tested.waiting_since() + shared.limits.header_timeout);
  give("TP/1.1\r\nHost: a\r\n\r\n");
  BOOST_TEST(count(send_all(), "Connection: close\r\n") == 1);
  BOOST_TEST(tested.is_over());
}

BOOST_FIXTURE_TEST_CASE(who_is_turned_away_is_answered_503_and_no_more, fixture) {
  tested.refuse({errc::unavailable, "There are too many."});
  BOOST_TEST(tested.unsent().starts_with("HTTP/1.1 503 "));
  send_all();
  BOOST_TEST(tested.is_over());
}

BOOST_FIXTURE_TEST_CASE(the_rest_of_a_request_may_take_as_long_as_the_limits_say, fixture) {
  auto const& limits = shared.limits;
  BOOST_CHECK(tested.receive_deadline() == tested.waiting_since() + limits.idle_timeout);
  give("POST /a HT");
  BOOST_CHECK(tested.receive_deadline() == tested.waiting_since() + limits.header_timeout);
  give("TP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n");
  BOOST_CHECK(tested.receive_deadline() == tested.waiting_since() + limits.request_timeout);
}

BOOST_AUTO_TEST_SUITE_END()
