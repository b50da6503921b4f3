// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/listener.hpp"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>
#include <deque>
#include <stdexcept>
#include <string>
#include <thread>

#include "server/net/live_listener.hpp"
#include "support/completion_tokens.hpp"
#include "support/eventually.hpp"
#include "support/sanitizers.hpp"
#include "support/test_client.hpp"

BOOST_AUTO_TEST_SUITE(listener)

using namespace std::chrono_literals;
using petstore::server::connection_budget;
using petstore::server::connection_limits;
using petstore::server::open_acceptors;
using petstore::server::refusal_reason;
using petstore::server::shed_reason;
using petstore::tests::client_error;
using petstore::tests::eventually;
using petstore::tests::live_listener;
using petstore::tests::path_handler;
using petstore::tests::test_client;
namespace asio = boost::asio;

namespace {

std::string const good = "GET /good HTTP/1.1\r\nHost: a\r\n\r\n";
asio::ip::tcp::endpoint const any_port{asio::ip::address_v4::loopback(), 0};

constexpr connection_limits with_crowded_timeout(std::chrono::milliseconds t) {
  connection_limits limits;
  limits.crowded_timeout = t;
  return limits;
}
constexpr connection_limits patient = with_crowded_timeout(1h);
constexpr connection_limits impatient = with_crowded_timeout(0ms);

/// Any wait is too long, so that it soon takes leave of everybody.
constexpr connection_limits always_behind = [] {
  connection_limits limits;
  limits.turn_wait = 0ms;
  limits.connections_few = 0;
  return limits;
}();

void wait_until_behind(live_listener& listener) {
  BOOST_REQUIRE(eventually([&] { return test_client{listener.port()}.exchange(good).closes(); }));
}

std::vector<asio::any_io_executor> times(std::size_t n, asio::io_context& context) {
  asio::any_io_executor const executor = context.get_executor();
  return std::vector<asio::any_io_executor>(n, executor);
}

bool is_ready(std::future<bool> const& f) {
  return f.wait_for(0s) == std::future_status::ready;
}

/// Leaves the process without free descriptors until destroyed.
class no_descriptors {
 public:
  no_descriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    int const next = ::dup(0);
    rlimit lowered = before_;
    lowered.rlim_cur = static_cast<rlim_t>(next) + 16;
    ::setrlimit(RLIMIT_NOFILE, &lowered);
    for (int fd = next; fd >= 0; fd = ::dup(0)) taken_.push_back(fd);
  }
  ~no_descriptors() {
    for (int const fd : taken_) ::close(fd);
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }

 private:
  rlimit before_{};
  std::vector<int> taken_;
};

/// Two listeners that take from one socket, as those of a process do to which it was passed; run by the test.
class listeners_of_a_process {
 public:
  explicit listeners_of_a_process(int socket) {
    auto acceptors = petstore::server::adopt_acceptors(socket, times(2, context_));
    petstore::server::listener_options options;
    options.sharers = acceptors.size();
    for (auto& a : acceptors) {
      listeners_.emplace_back(std::move(a), handler_, connection_limits{}, budget_, petstore::server::log_function{},
                              petstore::server::access_log_function{}, options);
      listeners_.back().start();
    }
  }
  ~listeners_of_a_process() { context_.stop(); }

  std::vector<std::size_t> session_counts() const {
    std::vector<std::size_t> counts;
    for (auto const& one : listeners_) counts.push_back(one.session_count());
    return counts;
  }
  int answer(test_client& client) {
    client.send(good);
    while (!client.has_something()) context_.run_one();
    return client.receive().status;
  }
  void stop() {
    std::size_t stopped = 0;
    for (auto& one : listeners_) one.async_stop(0ms, [&](boost::system::error_code, bool) { ++stopped; });
    while (stopped != listeners_.size()) context_.run_one();
  }

 private:
  asio::io_context context_{1};
  path_handler handler_{context_};
  connection_budget budget_{100};
  std::deque<petstore::server::listener> listeners_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(connections_that_wait_are_taken_together) {
  asio::io_context context{1};
  path_handler handler{context};
  connection_budget budget{100};
  auto acceptors = open_acceptors(any_port, times(1, context));
  petstore::server::listener one{std::move(acceptors.front()), handler, {}, budget, {}, {}};
  std::deque<test_client> waiting;
  for (int i = 0; i < 50; ++i) waiting.emplace_back(one.local_endpoint().port());
  one.start();
  while (one.session_count() == 0) context.run_one();
  BOOST_TEST(one.session_count() == 50u);
}

BOOST_AUTO_TEST_CASE(acceptors_of_several_threads_share_a_port) {
  asio::io_context context;
  auto const acceptors = open_acceptors(any_port, times(3, context));
  BOOST_REQUIRE(acceptors.size() == 3u);
  for (auto const& a : acceptors) BOOST_TEST(a.local_endpoint() == acceptors[0].local_endpoint());
}

BOOST_AUTO_TEST_CASE(a_port_in_use_is_an_error_even_when_its_owner_shares_it) {
  asio::io_context context;
  auto const two = times(2, context);
  auto const acceptors = open_acceptors(any_port, two);
  BOOST_CHECK_EXCEPTION((void)open_acceptors(acceptors[0].local_endpoint(), two), boost::system::system_error,
                        [](auto const& e) { return e.code() == asio::error::address_in_use; });
}

BOOST_AUTO_TEST_CASE(what_waits_on_a_passed_socket_is_left_to_the_next_process) {
  asio::io_context keeper;
  auto held = open_acceptors(any_port, times(1, keeper));
  auto const port = held.front().local_endpoint().port();
  {
    listeners_of_a_process first{::dup(held.front().native_handle())};
    test_client client{port};
    BOOST_TEST(first.answer(client) == 200);
    first.stop();
  }
  test_client between{port};
  between.send(good);
  listeners_of_a_process second{::dup(held.front().native_handle())};
  BOOST_TEST(second.answer(between) == 200);
  second.stop();
}

BOOST_AUTO_TEST_CASE(threads_that_take_from_a_passed_socket_hold_about_as_many_connections_each) {
  asio::io_context keeper;
  auto held = open_acceptors(any_port, times(1, keeper));
  listeners_of_a_process one{::dup(held.front().native_handle())};
  std::deque<test_client> clients;
  for (int i = 0; i < 20; ++i) clients.emplace_back(held.front().local_endpoint().port());
  for (auto& client : clients) BOOST_TEST(one.answer(client) == 200);
  for (auto const held_by_one : one.session_counts()) BOOST_TEST(held_by_one >= 7u);
  one.stop();
}

BOOST_AUTO_TEST_CASE(one_connection_too_many_is_answered_503_at_once) {
  live_listener server{patient, 2};
  test_client first{server.port()}, second{server.port()};
  BOOST_TEST(first.exchange(good).status == 200);
  BOOST_TEST(second.exchange(good).status == 200);
  {
    test_client third{server.port()};
    auto const answer = third.receive();
    BOOST_TEST(answer.status == 503);
    BOOST_TEST(answer.closes());
    BOOST_TEST(third.ends_in_order());
  }
  BOOST_TEST(server.count(refusal_reason::full) == 1u);
  BOOST_TEST(first.exchange("GET /close HTTP/1.1\r\nHost: a\r\n\r\n").closes());
  BOOST_TEST(first.ends_in_order());
  // The place is free once the server has seen that the first client has left.
  first.reset();
  for (int status = 503; status == 503;) {
    test_client fourth{server.port()};
    status = fourth.try_send(good) ? fourth.receive().status : 503;
    if (status != 503) BOOST_TEST(status == 200);
  }
}

BOOST_AUTO_TEST_CASE(connections_beyond_count_are_all_turned_away) {
  live_listener server{{}, 0};
  std::deque<test_client> clients;
  for (int i = 0; i < 150; ++i) clients.emplace_back(server.port());
  for (auto& client : clients) {
    BOOST_TEST(client.receive().status == 503);
    BOOST_TEST(client.ends_in_order());
  }
  clients.clear();
  server.stop().wait();
  BOOST_TEST(server.answers().size() == 150u);
}

BOOST_AUTO_TEST_CASE(an_address_with_too_many_connections_is_answered_503_at_once) {
  live_listener server{{}, 10, 2};
  test_client first{server.port()}, second{server.port()}, third{server.port()};
  BOOST_TEST(first.exchange(good).status == 200);
  BOOST_TEST(second.exchange(good).status == 200);
  auto const answer = third.receive();
  BOOST_TEST(answer.status == 503);
  BOOST_TEST(answer.closes());
  BOOST_TEST(third.ends_in_order());
  BOOST_TEST(server.count(refusal_reason::address_full) == 1u);
  test_client elsewhere{server.port(), "127.0.0.2"};
  BOOST_TEST(elsewhere.exchange(good).status == 200);
}

BOOST_AUTO_TEST_CASE(a_connection_gives_its_share_back_however_it_ends) {
  live_listener server{patient, 10, 1};
  std::string const requests[] = {
      "GET /close HTTP/1.1\r\nHost: a\r\n\r\n",  // ended by us
      good,                                      // ended by the client
      "GET / HT",                                // within a request
      "no request\r\n\r\n",                      // refused
      "",                                        // silent
  };
  for (auto const& bytes : requests) {
    // The place is free once the server has seen that the client has left.
    for (bool is_served = false; !is_served;) {
      test_client client{server.port()};
      if (!client.try_send(bytes)) continue;
      if (bytes.ends_with("\r\n\r\n")) {
        is_served = client.receive().status != 503;
      } else {
        is_served = !client.has_something(1);
      }
      if (bytes.size() % 2 == 0) client.reset();
    }
  }
  server.stop().wait();
  BOOST_TEST(server.budget().in_use() == 0u);
}

BOOST_AUTO_TEST_CASE(when_all_places_are_taken_the_longest_idle_makes_way) {
  live_listener server{impatient, 3};
  std::deque<test_client> idle;
  for (int i = 0; i < 3; ++i) BOOST_TEST(idle.emplace_back(server.port()).exchange(good).status == 200);
  // The first has said something since; the second is now the one that has waited longest.
  BOOST_TEST(idle[0].exchange(good).status == 200);
  test_client another{server.port()};
  BOOST_TEST(another.exchange(good).status == 200);
  BOOST_TEST(idle[1].ends_in_order());
  BOOST_TEST(server.count(shed_reason::made_way) == 1u);
  BOOST_TEST(server.count(refusal_reason::full) == 0u);
  for (int const i : {0, 2}) BOOST_TEST(idle[static_cast<std::size_t>(i)].exchange(good).status == 200);
}

BOOST_AUTO_TEST_CASE(who_says_nothing_or_never_finishes_a_request_makes_way_too) {
  for (std::string_view const begin :
       {"", "GET / HTTP/1.1\r\nX: ", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab"}) {
    live_listener server{impatient, 1};
    test_client slow{server.port()};
    slow.send(begin);
    for (bool is_served = false; !is_served;) {
      test_client another{server.port()};
      is_served = another.exchange(good).status == 200;
    }
    // Where the kernel reads for us, without an answer.
    auto const rest = slow.receive_rest();
    BOOST_TEST((rest.empty() || rest.starts_with("HTTP/1.1 408 ")));
  }
}

BOOST_AUTO_TEST_CASE(who_has_waited_for_a_short_time_keeps_its_place) {
  live_listener server{patient, 1};
  test_client idle{server.port()};
  BOOST_TEST(idle.exchange(good).status == 200);
  BOOST_TEST(test_client{server.port()}.receive().status == 503);
  BOOST_TEST(idle.exchange(good).status == 200);
}

BOOST_AUTO_TEST_CASE(who_is_being_served_keeps_its_place) {
  live_listener server{impatient, 1};
  test_client client{server.port()};
  client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
  server.handler().entered.acquire();
  BOOST_TEST(test_client{server.port()}.receive().status == 503);
  server.release();
  BOOST_TEST(client.receive().status == 200);
}

BOOST_AUTO_TEST_CASE(an_address_with_too_many_connections_takes_no_place_from_others) {
  live_listener server{impatient, 2, 1};
  test_client one{server.port(), "127.0.0.2"}, other{server.port(), "127.0.0.3"};
  BOOST_TEST(one.exchange(good).status == 200);
  BOOST_TEST(other.exchange(good).status == 200);
  test_client again{server.port(), "127.0.0.3"};
  BOOST_TEST(again.receive().status == 503);
  BOOST_TEST(one.exchange(good).status == 200);
  BOOST_TEST(other.exchange(good).status == 200);
}

BOOST_AUTO_TEST_CASE(a_client_that_sends_without_a_pause_lets_others_through) {
  live_listener server;
  test_client greedy{server.port()}, other{server.port()};
  for (auto* client : {&greedy, &other}) BOOST_TEST(client->exchange(good).status == 200);
  std::string const large = "GET /at_once HTTP/1.1\r\nHost: a\r\nX: " + std::string(1'000, 'x') + "\r\n\r\n";
  constexpr int requests = 55;  // as many as the kernel takes before anybody reads
  auto const go_on = server.hold();
  for (int i = 0; i < requests; ++i) greedy.send(large);
  other.send(good);
  go_on->set_value();
  for (int i = 0; i < requests; ++i) BOOST_TEST(greedy.receive().status == 200);
  BOOST_TEST(other.receive().status == 200);
  server.stop().wait();  // an answer is noted after it is sent
  auto const answers = server.answers();
  BOOST_TEST(answers.size() == 2u + requests + 1u);
  BOOST_TEST(answers.back().target == "/at_once");
}

BOOST_AUTO_TEST_CASE(who_is_answered_while_requests_wait_for_too_long_is_taken_leave_of) {
  live_listener listener{always_behind};
  wait_until_behind(listener);
  // Whether it is behind is found out anew all the time.
  BOOST_REQUIRE(eventually([&] {
    test_client client{listener.port()};
    auto const answer = client.exchange(good);
    BOOST_TEST(answer.status == 200);
    return answer.closes() && client.ends_in_order();
  }));
  BOOST_TEST(listener.count(shed_reason::behind) != 0u);
}

BOOST_AUTO_TEST_CASE(who_has_given_up_while_requests_wait_for_too_long_is_not_answered) {
  live_listener listener{always_behind};
  wait_until_behind(listener);
  auto const go_on = listener.hold();
  test_client client{listener.port()};
  client.send(good);
  client.shutdown_send();
  go_on->set_value();
  BOOST_TEST(client.receive_rest() == "");
  BOOST_TEST(listener.count(shed_reason::abandoned) == 1u);
}

BOOST_AUTO_TEST_CASE(without_descriptors_connections_are_refused_and_later_taken_again) {
#if PETSTORE_TESTS_HAVE_ASAN
  // UndefinedBehaviorSanitizer, which that build has too, opens a pipe to look at a vptr, and takes having no
  // descriptor for a bad one.
  BOOST_TEST_MESSAGE("SKIPPED: this sanitizer needs descriptors of its own");
  return;
#else
  live_listener server;
  std::deque<test_client> clients(3);
  test_client early{server.port()};
  BOOST_TEST(early.exchange(good).status == 200);
  {
    no_descriptors const none;
    for (auto& client : clients) {
      client.connect(server.port());
      BOOST_TEST(client.receive().status == 503);
      BOOST_TEST(client.ends_in_order());
    }
  }
  BOOST_TEST(server.count(refusal_reason::no_descriptor) == clients.size());
  test_client client{server.port()};
  BOOST_TEST(client.exchange(good).status == 200);
  // However often it was tried, the log is not filled.
  BOOST_TEST(server.events().size() >= 1u);
  BOOST_TEST(server.events().size() < 100u);
#endif
}

BOOST_AUTO_TEST_CASE(without_descriptors_the_longest_idle_makes_way) {
#if PETSTORE_TESTS_HAVE_ASAN
  BOOST_TEST_MESSAGE("SKIPPED: this sanitizer needs descriptors of its own");
  return;
#else
  live_listener server{impatient};
  test_client idle{server.port()}, next;
  BOOST_TEST(idle.exchange(good).status == 200);
  no_descriptors const none;
  next.connect(server.port());
  BOOST_TEST(next.exchange(good).status == 200);
  BOOST_TEST(idle.ends_in_order());
#endif
}

BOOST_AUTO_TEST_CASE(a_drain_is_announced_and_still_accepts) {
  live_listener server;
  test_client before{server.port()};
  BOOST_TEST(!before.exchange(good).closes());
  server.begin_drain();
  test_client after{server.port()};
  for (auto* client : {&before, &after}) {
    BOOST_TEST(client->exchange(good).closes());
    BOOST_TEST(client->ends_in_order());
  }
}

BOOST_AUTO_TEST_CASE(the_first_answer_after_the_state_is_draining_is_the_last_one) {
  petstore::server::readiness state;
  petstore::server::listener_options options;
  options.state = &state;
  live_listener listening{{}, 10, connection_budget::unlimited, options};
  test_client client{listening.port()};
  BOOST_TEST(!client.exchange(good).closes());
  state.draining = true;
  BOOST_TEST(client.exchange(good).closes());
  BOOST_TEST(client.ends_in_order());
}

BOOST_AUTO_TEST_CASE(stopping_closes_the_port_and_idle_connections) {
  live_listener server;
  test_client idle{server.port()}, silent{server.port()};
  BOOST_TEST(idle.exchange(good).status == 200);
  auto const stopped = server.stop();
  BOOST_TEST(idle.ends_in_order());
  BOOST_TEST(silent.ends_in_order());
  stopped.wait();
  BOOST_CHECK_THROW(test_client{server.port()}, client_error);
}

BOOST_AUTO_TEST_CASE(stopping_finishes_what_is_being_served) {
  live_listener server;
  test_client client{server.port()};
  client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
  server.handler().entered.acquire();
  auto stopped = server.stop();
  BOOST_TEST(server.session_count() == 1u);
  BOOST_TEST(!is_ready(stopped));
  server.release();
  auto const answer = client.receive();
  BOOST_TEST(answer.status == 200);
  BOOST_TEST(answer.closes());
  BOOST_TEST(client.ends_in_order());
  client.reset();
  BOOST_TEST(stopped.get());
}

BOOST_AUTO_TEST_CASE(stopping_finishes_a_request_that_has_begun) {
  live_listener server;
  test_client client{server.port()};
  client.send(good + "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na");
  BOOST_TEST(client.receive().status == 200);
  auto const stopped = server.stop();
  BOOST_TEST(server.session_count() == 1u);
  client.send("bc");
  BOOST_TEST(client.receive().closes());
  BOOST_TEST(client.ends_in_order());
  client.reset();
  stopped.wait();
}

BOOST_AUTO_TEST_CASE(stopping_serves_what_the_kernel_had_accepted) {
  live_listener server;
  test_client kept{server.port()};
  BOOST_TEST(kept.exchange(good).status == 200);
  BOOST_TEST(server.session_count() == 1u);  // asked on the thread, which waits for the next request then
  auto const go_on = server.hold();
  std::deque<test_client> queued;
  for (int i = 0; i < 20; ++i) queued.emplace_back(server.port()).send(good);
  kept.send(good);
  auto const stopped = server.stop();
  go_on->set_value();
  for (auto& client : queued) {
    BOOST_TEST(client.receive().closes());
    BOOST_TEST(client.ends_in_order());
  }
  BOOST_TEST(kept.receive().closes());
  queued.clear();
  kept.reset();
  stopped.wait();
}

BOOST_AUTO_TEST_CASE(stopping_breaks_off_what_takes_too_long) {
  live_listener server;
  test_client client{server.port()};
  client.send(good + "GET /never HTTP/1.1\r\n");
  BOOST_TEST(client.receive().status == 200);
  BOOST_TEST(!server.stop(0ms).get());
  BOOST_TEST(client.receive_rest().empty());
  BOOST_TEST(server.budget().in_use() == 0u);
}

BOOST_AUTO_TEST_CASE(a_listener_that_was_never_started_stops_at_once) {
  asio::io_context context;
  path_handler handler{context};
  connection_budget budget{1};
  auto const one = times(1, context);
  petstore::server::listener idle{std::move(open_acceptors(any_port, one).front()), handler, {}, budget, {}, {}};
  bool is_stopped = false;
  idle.async_stop(1h, [&](boost::system::error_code, bool) { is_stopped = true; });
  context.run();
  BOOST_TEST(is_stopped);
}

BOOST_AUTO_TEST_CASE(an_acceptor_of_a_thread_pool_is_refused_and_one_of_a_strand_over_it_is_not) {
  asio::io_context context;
  path_handler handler{context};
  connection_budget budget{1};
  asio::thread_pool pool{1};
  auto const listen_on = [&](asio::any_io_executor executor) {
    petstore::server::listener{asio::ip::tcp::acceptor{executor}, handler, {}, budget, {}, {}};
  };
  BOOST_CHECK_THROW(listen_on(pool.get_executor()), std::invalid_argument);
  BOOST_CHECK_NO_THROW(listen_on(asio::make_strand(pool)));
}

BOOST_AUTO_TEST_CASE(every_token_completes_a_stop) {
  asio::io_context context{1};
  path_handler handler{context};
  connection_budget budget{1};
  std::deque<petstore::server::listener> all;
  petstore::tests::every_token<bool>{context}.check([&](auto&& token) {
    auto acceptors = open_acceptors(any_port, times(1, context));
    auto& one = all.emplace_back(std::move(acceptors.front()), handler, connection_limits{}, budget,
                                 petstore::server::log_function{}, petstore::server::access_log_function{});
    one.start();
    return one.async_stop(1h, std::forward<decltype(token)>(token));
  });
}

BOOST_AUTO_TEST_CASE(a_listener_may_have_a_default_token) {
  asio::io_context context{1};
  path_handler handler{context};
  connection_budget budget{1};
  auto acceptors = open_acceptors(any_port, times(1, context));
  using with_deferred = asio::deferred_t::as_default_on_t<petstore::server::listener>;
  with_deferred one{std::move(acceptors.front()), handler, {}, budget, {}, {}};
  one.start();
  bool is_whole = false;
  one.async_stop(1h)([&](boost::system::error_code, bool whole) { is_whole = whole; });
  context.run();
  BOOST_TEST(is_whole);
}

BOOST_AUTO_TEST_CASE(a_cancellation_ends_the_time_of_a_stop) {
  asio::io_context context{1};
  path_handler handler{context};
  connection_budget budget{1};
  auto acceptors = open_acceptors(any_port, times(1, context));
  petstore::server::listener one{std::move(acceptors.front()), handler, {}, budget, {}, {}};
  one.start();
  test_client client{one.local_endpoint().port()};
  client.send("GET /never HTTP/1.1\r\n");
  petstore::tests::run_until([&] { return one.session_count() == 1; }, context);

  asio::cancellation_signal signal;
  bool is_stopped = false;
  one.async_stop(1h, asio::bind_cancellation_slot(signal.slot(), [&](boost::system::error_code failed, bool is_whole) {
                   BOOST_TEST(!failed);
                   BOOST_TEST(!is_whole);
                   is_stopped = true;
                 }));
  signal.emit(asio::cancellation_type::terminal);
  petstore::tests::run_until([&] { return is_stopped; }, context);
  BOOST_TEST(budget.in_use() == 0u);
}

BOOST_AUTO_TEST_CASE(a_connection_that_is_handed_over_after_the_stop_is_closed) {
  asio::io_context context{1};
  path_handler handler{context};
  connection_budget budget{1};
  petstore::server::listener stopped{asio::ip::tcp::acceptor{context}, handler, {}, budget, {}, {}};
  stopped.start();
  bool is_stopped = false;
  stopped.async_stop(0ms, [&](boost::system::error_code, bool) { is_stopped = true; });
  petstore::tests::run_until([&] { return is_stopped; }, context);

  asio::ip::tcp::acceptor host{context, any_port};
  asio::ip::tcp::socket client{context};
  client.connect(host.local_endpoint());
  stopped.take(host.accept());
  std::string answer;
  boost::system::error_code end;
  asio::read(client, asio::dynamic_buffer(answer), end);
  BOOST_TEST(end == asio::error::eof);
  BOOST_TEST(answer.empty());
  BOOST_TEST(stopped.session_count() == 0u);
}

/// Neither does the context wait for anything, nor does a coroutine in it hold what the listener held.
BOOST_AUTO_TEST_CASE(a_listener_that_has_stopped_has_nothing_left_to_do) {
  for (bool const accepts : {true, false}) {
    asio::io_context context;
    path_handler handler{context};
    connection_budget budget{10};
    auto const one = times(1, context);
    auto acceptor = accepts ? std::move(open_acceptors(any_port, one).front()) : asio::ip::tcp::acceptor{context};
    auto held = std::make_shared<int>();
    auto log = [held](auto&&...) {};
    std::optional<petstore::server::listener> stopped;
    stopped.emplace(std::move(acceptor), handler, petstore::server::connection_limits{}, budget, std::move(log),
                    petstore::server::access_log_function{});
    stopped->start();
    context.poll();
    stopped->async_stop(0ms, [&](boost::system::error_code, bool) { context.stop(); });
    context.run();
    stopped.reset();
    BOOST_TEST(held.use_count() == 1);
    context.restart();
    BOOST_TEST(context.poll() == 0u);
    BOOST_TEST(context.stopped());  // for want of work
  }
}

BOOST_AUTO_TEST_CASE(a_listener_may_be_destroyed_without_being_stopped) {
  asio::io_context context;
  path_handler handler{context};
  connection_budget budget{10};
  auto const one = times(1, context);
  auto counts = std::make_unique<petstore::server::metrics>(1);
  petstore::server::listener_options options;
  options.counters = &counts->shard(0);
  std::optional<petstore::server::listener> dropped;
  dropped.emplace(std::move(open_acceptors(any_port, one).front()), handler, petstore::server::connection_limits{},
                  budget, petstore::server::log_function{}, petstore::server::access_log_function{}, options);
  dropped->start();
  test_client client{dropped->local_endpoint().port()};
  client.send("GET / HTTP/1.1\r\n");
  while (dropped->session_count() == 0) context.run_one();
  dropped.reset();
  counts.reset();
  context.run();
  BOOST_TEST(budget.in_use() == 0u);
}

BOOST_AUTO_TEST_CASE(sizes_that_are_set_while_it_listens_hold_for_connections_that_come) {
  live_listener listener;
  test_client before{listener.port()};
  BOOST_TEST(before.exchange(good).status == 200);
  connection_limits small;
  small.body_bytes_max = 3;
  listener.set_limits(small);
  std::string const four = "POST /good HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nfour";
  BOOST_TEST(before.exchange(four).status == 200);
  BOOST_TEST(test_client{listener.port()}.exchange(four).status == 413);
}

BOOST_AUTO_TEST_CASE(time_outs_that_are_set_while_it_listens_hold_for_the_connections_that_are_there) {
  connection_limits limits;
  limits.idle_timeout = 1h;
  live_listener listener{limits};
  test_client client{listener.port()};
  BOOST_TEST(client.exchange(good).status == 200);
  limits.idle_timeout = 1ms;
  listener.set_limits(limits);
  BOOST_TEST(client.exchange(good).status == 200);  // its next step begins a wait of the new length
  BOOST_TEST(client.ends_in_order());
}

BOOST_AUTO_TEST_CASE(the_kernel_too_learns_the_write_time_out_of_the_connections_that_are_there) {
  asio::io_context context{1};
  path_handler handler{context};
  connection_budget budget{1};
  connection_limits limits;
  std::optional<petstore::server::listener> changed;
  changed.emplace(asio::ip::tcp::acceptor{context}, handler, limits, budget, petstore::server::log_function{},
                  petstore::server::access_log_function{});
  changed->start();
  asio::ip::tcp::acceptor host{context, any_port};
  asio::ip::tcp::socket client{context};
  client.connect(host.local_endpoint());
  auto served = host.accept();
  int const socket = served.native_handle();
  changed->take(std::move(served));
  limits.write_timeout = 77s;
  changed->set_limits(limits);
  int ms = 0;
  socklen_t size = sizeof ms;
  BOOST_TEST(::getsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, &size) == 0);
  BOOST_TEST(ms == 77'000);
  changed.reset();
  context.run();
}

BOOST_AUTO_TEST_SUITE_END()
