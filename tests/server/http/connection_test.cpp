// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/connection.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "petstore/server/mount.hpp"

BOOST_AUTO_TEST_SUITE(http_connection)

namespace {

using namespace petstore;
using namespace petstore::server;
using petstore::server::http::http_state;

/// Answers with the target; at /later, when it is let go on. /mounted is a mount that waits as well, and does not
/// listen to its cancellation.
class waiting_handler final : public http_handler {
 public:
  explicit waiting_handler(asio::io_context& context) : gate_{context, steady_time::max()} {}

  asio::awaitable<void> handle(request const& req, response& out) override {
    out.body = req.target;
    if (req.path == "/large") out.body.assign(8'000'000, 'x');
    if (req.path == "/later") return wait();
    if (req.path == "/mounted") {
      out.notes.mount = &mounted_;
      return wait_in_spite_of_cancellation();
    }
    return {};
  }
  void refuse(errc code, std::string_view, request const&, response& out) override {
    out.status = describe(code).status;
  }
  void go_on() { gate_.cancel(); }

 private:
  asio::awaitable<void> wait() {
    boost::system::error_code ignored;
    co_await gate_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
  asio::awaitable<void> wait_in_spite_of_cancellation() {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await wait();
  }

  asio::steady_timer gate_;
  mount const mounted_{.path = "/mounted", .answer = {}, .time_limit = std::chrono::hours{1}};
};

/// One connection; the case is its client and its listener, and runs its thread.
struct fixture {
  fixture() { poller->start(); }
  ~fixture() {
    if (tested) tested->abort();
    tested.reset();
    handler.go_on();  // the connection ends before what it shares with others
    settle();
    poller->stop();
    ::close(client);
  }

  void open(connection_budget::admission v = connection_budget::admission::granted) {
    auto const ends = make_ends();
    client = ends[1];
    open_at(ends, v);
  }
  static std::array<int, 2> make_ends() {
    std::array<int, 2> ends{};
    BOOST_TEST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) == 0);
    return ends;
  }
  void open_at(std::array<int, 2> const& ends, connection_budget::admission v = connection_budget::admission::granted) {
    served = ends[0];
    if (v == connection_budget::admission::full) budget.set({.max = 0, .max_of_address = 0, .exempt = {}});
    has_left = false;
    auto registered = std::make_unique<net::registration>(connections, connection_budget::address{});
    tested = new http::connection{net::descriptor{ends[0]}, {}, shared, nullptr, poller, std::move(registered)};
    http::connection::start(tested, context.get_executor());
    settle();
  }
  /// Until nothing happens any more.
  void settle() {
    context.restart();
    while (context.poll() != 0) {
    }
  }
  void send_all(std::string_view bytes) {
    BOOST_TEST_REQUIRE(::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL) == std::ssize(bytes));
  }
  void give(std::string_view bytes) {
    send_all(bytes);
    settle();
  }
  /// Everything that has come; the connection may go on when there is room for more.
  std::string take() {
    std::string taken;
    std::array<char, 64 * 1024> piece;
    for (ssize_t n = 0; (n = ::recv(client, piece.data(), piece.size(), 0)) > 0; settle())
      taken.append(piece.data(), static_cast<std::size_t>(n));
    return taken;
  }
  bool has_ended() {
    char byte = 0;
    return ::recv(client, &byte, 1, 0) == 0;
  }
  bool is_gone() {
    bool is_listed = false;
    connections->for_each([&](net::connection&) { is_listed = true; });
    return has_left && !is_listed;
  }

  asio::io_context context{1};
  waiting_handler handler{context};
  std::vector<std::uint64_t> bytes_sent;
  std::vector<std::string> events;
  http_state shared{
      handler, connection_limits{},
      [this](severity, std::string_view event, std::string_view, log_origin const&) { events.emplace_back(event); },
      [this](access_record const& r) { bytes_sent.push_back(r.bytes_sent); }};
  std::shared_ptr<net::poller> const poller = std::make_shared<net::poller>(context.get_executor());
  bool has_left = false;
  connection_budget budget{8};
  std::shared_ptr<net::open_connections> const connections =
      std::make_shared<net::open_connections>(shared, budget, [this] { has_left = true; });
  boost::intrusive_ptr<http::connection> tested;
  int client = -1;
  int served = -1;  ///< the connection's socket
};

std::string get(std::string_view target) {
  return std::string{"GET "}.append(target).append(" HTTP/1.1\r\nHost: a\r\n\r\n");
}

std::size_t count_answers(std::string_view bytes) {
  std::size_t n = 0;
  for (auto at = bytes.find("HTTP/1.1 200 "); at != bytes.npos; at = bytes.find("HTTP/1.1 200 ", at + 1)) ++n;
  return n;
}

steady_time after(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

using namespace std::chrono_literals;

}  // namespace

BOOST_FIXTURE_TEST_CASE(requests_are_answered_until_the_client_closes, fixture) {
  open();
  for (auto const* target : {"/a", "/b"}) {
    give(get(target));
    BOOST_TEST(take().ends_with(std::string{"\r\n\r\n"} + target));
  }
  ::shutdown(client, SHUT_WR);
  settle();
  BOOST_TEST(has_ended());
  BOOST_TEST(is_gone());
}

BOOST_FIXTURE_TEST_CASE(a_connection_says_what_it_is_doing, fixture) {
  open();
  BOOST_CHECK(tested->state() == connection_state::idle);
  give("GET /later HT");
  BOOST_CHECK(tested->state() == connection_state::receiving);
  BOOST_CHECK(tested->waiting_since() != steady_time::max());
  give("TP/1.1\r\nHost: a\r\n\r\n");
  BOOST_CHECK(tested->state() == connection_state::handling);
  BOOST_CHECK(tested->waiting_since() == steady_time::max());
  handler.go_on();
  settle();
  BOOST_CHECK(tested->state() == connection_state::idle);
  give(get("/large"));
  BOOST_CHECK(tested->state() == connection_state::sending);
  take();
  give("GET HTTP/1.1\r\n\r\n");
  BOOST_CHECK(tested->state() == connection_state::closing);
}

BOOST_AUTO_TEST_CASE(a_client_that_asked_for_the_end_is_not_waited_for) {
  std::string const post = "POST /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n";
  for (std::vector<std::string> const& pieces :
       {std::vector<std::string>{"GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"},
        {"GET /a HTTP/1.0\r\n\r\n"},
        {post + "{}"},
        {post, "{}"}}) {
    fixture one;
    one.open();
    for (auto const& piece : pieces) one.give(piece);
    BOOST_TEST(one.is_gone());
    BOOST_TEST(one.take().ends_with("\r\n\r\n/a"));
    BOOST_TEST(one.has_ended());
  }
}

/// Unread bytes would reset the connection, and the answer would be lost.
BOOST_FIXTURE_TEST_CASE(a_client_that_asked_for_the_end_and_goes_on_is_waited_for, fixture) {
  open();
  give("GET /later HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  give("\r\n");
  handler.go_on();
  settle();
  BOOST_CHECK(tested->state() == connection_state::closing);
  BOOST_TEST(take().ends_with("\r\n\r\n/later"));
  BOOST_TEST(has_ended());
}

BOOST_FIXTURE_TEST_CASE(a_client_that_may_send_a_body_that_it_did_not_announce_is_waited_for, fixture) {
  open();
  give("POST /a HTTP/1.0\r\n\r\n");
  BOOST_CHECK(tested->state() == connection_state::closing);
  BOOST_TEST(take().ends_with("\r\n\r\n/a"));
}

BOOST_FIXTURE_TEST_CASE(a_drain_waits_until_a_client_that_asked_for_the_end_has_the_answer, fixture) {
  shared.closing = true;
  open();
  give("GET /a HTTP/1.0\r\n\r\n");
  BOOST_CHECK(tested->state() == connection_state::closing);
}

BOOST_FIXTURE_TEST_CASE(a_connection_that_the_kernel_does_not_watch_is_lost_with_a_line_in_the_log, fixture) {
  poller->stop();
  open();
  BOOST_TEST(is_gone());
  BOOST_TEST((events == std::vector<std::string>{"session_failed"}));
  BOOST_TEST(has_ended());
}

BOOST_FIXTURE_TEST_CASE(the_answer_of_a_connection_that_cannot_wait_for_the_next_request_is_recorded, fixture) {
  std::array<int, 2> ends = make_ends();
  poller->stop();
  client = ends[1];
  send_all(get("/large"));
  open_at(ends);
  BOOST_TEST(is_gone());
  BOOST_TEST(bytes_sent.size() == 1u);
  BOOST_TEST((events == std::vector<std::string>{"session_failed"}));
}

BOOST_FIXTURE_TEST_CASE(an_answer_goes_on_when_the_client_takes_it, fixture) {
  open();
  give(get("/large") + get("/b"));
  auto const taken = take();
  BOOST_TEST(taken.size() > 8'000'000u);
  BOOST_TEST(taken.ends_with("\r\n\r\n/b"));
}

BOOST_FIXTURE_TEST_CASE(an_answer_does_not_wait_for_the_handler_of_the_next_request, fixture) {
  open();
  give(get("/a") + get("/b") + get("/later"));
  auto const answers = take();
  BOOST_TEST(answers.find("/a") != std::string::npos);
  BOOST_TEST(answers.ends_with("/b"));
  BOOST_CHECK(tested->state() == connection_state::handling);
  handler.go_on();
  settle();
  BOOST_TEST(take().ends_with("/later"));
  BOOST_TEST(bytes_sent.size() == 3u);
}

BOOST_FIXTURE_TEST_CASE(what_a_client_does_not_take_while_a_handler_waits_follows_afterwards, fixture) {
  open();
  int const least = 1;  // the kernel takes its own minimum, which is less than the answers need
  BOOST_TEST_REQUIRE(::setsockopt(served, SOL_SOCKET, SO_SNDBUF, &least, sizeof least) == 0);
  std::string asked;
  for (int i = 0; i < 25; ++i) asked += get("/" + std::string(100, 'x') + std::to_string(i));
  give(asked + get("/later"));
  BOOST_CHECK(tested->state() == connection_state::handling);
  auto answers = take();
  BOOST_TEST(count_answers(answers) > 0u);
  BOOST_TEST(count_answers(answers) < 25u);
  handler.go_on();
  settle();
  answers += take();
  BOOST_TEST(answers.ends_with("/later"));
  BOOST_TEST(count_answers(answers) == 26u);
}

BOOST_FIXTURE_TEST_CASE(a_last_answer_is_followed_by_a_shutdown_and_a_moment_of_reading, fixture) {
  open();
  give("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + get("/b"));
  BOOST_TEST(take().ends_with("\r\n\r\n/a"));
  BOOST_TEST(has_ended());
  give("anything");
  tested->check_deadline(after(0s));
  BOOST_TEST(!is_gone());
  tested->check_deadline(after(3s));
  BOOST_TEST(is_gone());
}

BOOST_FIXTURE_TEST_CASE(a_client_that_goes_on_sending_for_ever_is_left, fixture) {
  open();
  give("nonsense\r\n\r\n");
  std::size_t total = 0;
  for (; !is_gone() && total < 64 * 1024 * 1024; total += 8192) give(std::string(8192, 'x'));
  BOOST_TEST(is_gone());
  BOOST_TEST(total <= 2 * 1024 * 1024);
}

BOOST_FIXTURE_TEST_CASE(an_end_within_a_request_is_answered_400, fixture) {
  open();
  give("GET");
  ::shutdown(client, SHUT_WR);
  settle();
  BOOST_TEST(take().starts_with("HTTP/1.1 400 "));
  BOOST_TEST(is_gone());
}

BOOST_FIXTURE_TEST_CASE(a_client_that_says_nothing_is_closed_and_within_a_request_answered_408, fixture) {
  open();
  tested->check_deadline(after(shared.limits.idle_timeout - 1s));
  BOOST_TEST(!is_gone());
  tested->check_deadline(after(shared.limits.idle_timeout));
  BOOST_TEST(is_gone());
  BOOST_TEST(has_ended());
  ::close(client);

  open();
  give("GET / HTTP/1.1\r\n");
  tested->check_deadline(after(shared.limits.header_timeout));
  BOOST_TEST(take().starts_with("HTTP/1.1 408 "));
}

BOOST_FIXTURE_TEST_CASE(a_time_out_may_be_so_long_that_there_is_none, fixture) {
  auto& limits = shared.limits;
  limits.header_timeout = limits.request_timeout = limits.idle_timeout = limits.write_timeout =
      std::chrono::milliseconds::max();
  open();
  auto const is_kept = [this] {
    tested->check_deadline(after(24h));
    return !is_gone();
  };
  BOOST_TEST(is_kept());
  give("POST /large HTTP/1.1\r\n");
  BOOST_TEST(is_kept());
  give("Host: a\r\nContent-Length: 1\r\n\r\n");
  BOOST_TEST(is_kept());
  give("x");
  BOOST_CHECK(tested->state() == connection_state::sending);
  BOOST_TEST(is_kept());
}

BOOST_FIXTURE_TEST_CASE(what_came_just_before_the_deadline_is_answered, fixture) {
  open();
  auto const request = get("/a");
  BOOST_TEST_REQUIRE(::send(client, request.data(), request.size(), 0) == std::ssize(request));
  tested->check_deadline(after(shared.limits.idle_timeout));
  settle();
  BOOST_TEST(take().ends_with("/a"));
  BOOST_TEST(!is_gone());
}

BOOST_FIXTURE_TEST_CASE(a_client_that_takes_nothing_is_broken_off_and_recorded_so, fixture) {
  open();
  give(get("/large"));
  tested->check_deadline(after(shared.limits.write_timeout));
  settle();
  BOOST_TEST(is_gone());
  BOOST_TEST_REQUIRE(bytes_sent.size() == 1u);
  BOOST_TEST(bytes_sent[0] < 8'000'000u);
}

BOOST_FIXTURE_TEST_CASE(a_handler_has_no_deadline, fixture) {
  open();
  give(get("/later"));
  tested->check_deadline(after(24h));
  BOOST_TEST(!is_gone());
}

BOOST_FIXTURE_TEST_CASE(a_stopping_listener_closes_what_is_idle_and_lets_a_fresh_connection_ask_once, fixture) {
  open();
  shared.closing = shared.finishing = true;
  tested->finish();
  BOOST_TEST(!is_gone());  // no request has arrived on it yet
  give(get("/a"));
  BOOST_TEST(take().find("Connection: close\r\n") != std::string::npos);
  ::close(client);
  settle();

  shared.closing = shared.finishing = false;
  open();
  give(get("/a"));
  tested->finish();
  settle();
  BOOST_TEST(is_gone());
}

BOOST_FIXTURE_TEST_CASE(a_request_that_began_to_arrive_just_before_the_listener_stopped_is_served, fixture) {
  open();
  give(get("/a"));
  take();
  std::string_view const begin = "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab";
  BOOST_TEST_REQUIRE(::send(client, begin.data(), begin.size(), MSG_NOSIGNAL) == std::ssize(begin));
  shared.closing = shared.finishing = true;
  tested->finish();
  settle();
  BOOST_TEST(take() == "");
  BOOST_CHECK(tested->state() == connection_state::receiving);
  give("cd");
  auto const answer = take();
  BOOST_TEST(answer.starts_with("HTTP/1.1 200 "));
  BOOST_TEST(answer.find("Connection: close\r\n") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_stopping_listener_answers_what_has_come_while_a_handler_was_waited_for, fixture) {
  open();
  give(get("/later"));
  give(get("/b") + get("/c"));
  shared.closing = shared.finishing = true;
  tested->finish();
  handler.go_on();
  settle();
  auto const answers = take();
  BOOST_TEST(answers.find("/b") != std::string::npos);
  BOOST_TEST(answers.ends_with("/c"));
  BOOST_TEST(answers.find("Connection: close\r\n") > answers.find("/b"));
  BOOST_TEST(has_ended());
}

BOOST_FIXTURE_TEST_CASE(a_client_that_asks_without_end_is_cut_off_when_the_time_of_the_stop_is_over, fixture) {
  std::string_view const begin = "GET /a HTTP/1.1\r\n", rest = "Host: a\r\n\r\n";
  open();
  give(begin);
  shared.closing = shared.finishing = true;
  tested->finish();
  for (int i = 0; i < 3; ++i) {
    give(std::string{rest}.append(begin));
    BOOST_TEST(take().ends_with("/a"));
    BOOST_CHECK(tested->state() == connection_state::receiving);
  }
  BOOST_TEST(tested->break_off(after(0s)));
  settle();
  BOOST_TEST(is_gone());
}

BOOST_FIXTURE_TEST_CASE(a_fresh_connection_is_not_waited_for_long_by_a_stopping_listener, fixture) {
  open();
  shared.closing = shared.finishing = true;
  tested->finish();
  tested->check_deadline(after(1s));
  settle();
  BOOST_TEST(is_gone());
}

BOOST_FIXTURE_TEST_CASE(who_makes_way_is_gone_at_once_unless_a_request_has_come, fixture) {
  open();
  auto const request = get("/later");
  BOOST_TEST_REQUIRE(::send(client, request.data(), request.size(), 0) == std::ssize(request));
  BOOST_TEST(!tested->make_way());
  BOOST_TEST(!is_gone());
  BOOST_CHECK(tested->state() == connection_state::handling);
  handler.go_on();
  settle();
  BOOST_TEST(tested->make_way());
  BOOST_TEST(is_gone());
}

BOOST_FIXTURE_TEST_CASE(a_connection_that_is_aborted_waits_for_its_handler_and_for_nothing_else, fixture) {
  open();
  give(get("/later"));
  tested->abort();
  BOOST_TEST(has_ended());
  BOOST_TEST(connections->count() == 1);
  BOOST_TEST(!has_left);
  handler.go_on();
  settle();
  BOOST_TEST(has_left);
  BOOST_TEST((bytes_sent == std::vector<std::uint64_t>{0}));
}

BOOST_FIXTURE_TEST_CASE(a_mount_has_its_turn_of_5_ms_however_often_the_listener_looks, fixture) {
  open();
  give(get("/mounted"));
  auto const end = after(0s);
  BOOST_TEST(!tested->break_off(end));
  settle();
  BOOST_TEST(!tested->break_off(end));
  BOOST_TEST(!tested->break_off(end + 4ms));
  handler.go_on();
  settle();
  BOOST_TEST(take().ends_with("/mounted"));
}

BOOST_FIXTURE_TEST_CASE(a_mount_whose_time_ends_with_that_of_the_stop_has_its_turn, fixture) {
  open();
  give(get("/mounted"));
  auto const end = after(1h);
  tested->check_deadline(end);
  BOOST_TEST(!tested->break_off(end));
  settle();
  BOOST_TEST(!is_gone());
  BOOST_TEST(tested->break_off(end + 5ms));
  settle();
  BOOST_TEST(is_gone());
  handler.go_on();
}

BOOST_FIXTURE_TEST_CASE(a_connection_without_a_place_is_answered_503_and_ended, fixture) {
  open(connection_budget::admission::full);
  BOOST_TEST(take().starts_with("HTTP/1.1 503 "));
  BOOST_TEST(has_ended());
}

BOOST_AUTO_TEST_SUITE_END()
