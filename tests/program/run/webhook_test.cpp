// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/webhook.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <deque>
#include <future>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "petstore/asio/as_result.hpp"
#include "support/on_threads.hpp"
#include "support/time_limit.hpp"

using namespace petstore;
using namespace petstore::program;

BOOST_AUTO_TEST_SUITE(webhook_suite)

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

webhook_limits without_pauses() {
  webhook_limits limits;
  limits.cut_time_max = tests::time_limit;
  limits.pauses.fill(0ms);
  return limits;
}

server::quota_threshold const event{
    .key = 7, .identity = 3, .percent = 80, .limit = 1'000, .used = 801, .resets_at = {}};
webhook_outcome const delivered{.is_delivered = true};
webhook_outcome const failed{.cause = "the receiver answered 500"};
webhook_outcome const refused{.may_try_again = false, .cause = "the receiver answered 404"};

/// A webhook whose tries end as the test says; without a word from it, they hang until they are cut.
struct fake_receiver {
  explicit fake_receiver(webhook_limits limits = without_pauses())
      : tested{std::make_shared<webhook>(
            context.get_executor(), [this](std::string body) { return send(std::move(body)); }, [this] { cut(); },
            [this](server::severity, std::string_view name, std::string_view detail) {
              std::lock_guard const lock{mutex};
              log.push_back(std::string{name}.append(": ").append(detail));
            },
            limits)} {}

  asio::awaitable<webhook_outcome> send(std::string body) {
    bodies.push_back(std::move(body));
    if (throws) throw std::runtime_error("no memory");
    while (outcomes.empty() && (!is_cut || ignores_cut)) {
      ++hanging;
      co_await word.async_wait(as_result);
      --hanging;
    }
    if (outcomes.empty()) co_return webhook_outcome{.cause = "cut"};
    auto const outcome = outcomes.front();
    outcomes.pop_front();
    co_return outcome;
  }
  void say(webhook_outcome const& o, int times = 1) {
    outcomes.insert(outcomes.end(), static_cast<std::size_t>(times), o);
    word.cancel();
  }
  void cut() {
    is_cut = true;
    word.cancel();
  }
  /// Runs what can run without waiting.
  void run() {
    context.restart();
    while (context.poll() != 0) {
    }
  }
  std::future<void> finish(webhook::time_point limit) {
    return asio::co_spawn(context, tested->finish(limit), asio::use_future);
  }

  asio::io_context context{1};
  asio::steady_timer word{context, asio::steady_timer::time_point::max()};
  std::vector<std::string> bodies;
  std::deque<webhook_outcome> outcomes;
  int hanging = 0;
  bool is_cut = false;
  bool throws = false;
  bool ignores_cut = false;
  std::mutex mutex;
  std::vector<std::string> log;
  std::shared_ptr<webhook> tested;
};

BOOST_AUTO_TEST_CASE(five_tries_take_ten_minutes) {
  auto const pauses = webhook_limits{}.pauses;
  BOOST_TEST(pauses.size() + 1 == 5u);
  BOOST_TEST((std::accumulate(pauses.begin(), pauses.end(), std::chrono::milliseconds{0}) == 10min));
}

BOOST_AUTO_TEST_CASE(an_event_is_sent_once_when_it_is_taken) {
  fake_receiver f;
  f.say(delivered);
  f.tested->offer(event);
  BOOST_TEST(f.bodies.empty());  // the thread that offers it sends nothing
  f.run();
  BOOST_REQUIRE(f.bodies.size() == 1u);
  BOOST_TEST(f.bodies.front().find("\"quota.threshold\"") != std::string::npos);
  auto const figures = f.tested->figures();
  BOOST_TEST(figures.delivered == 1u);
  BOOST_TEST(figures.waiting == 0u);
  BOOST_TEST(f.log.empty());
}

BOOST_AUTO_TEST_CASE(a_try_that_failed_is_repeated) {
  fake_receiver f;
  f.say(failed, 2);
  f.say(delivered);
  f.tested->offer(event);
  f.run();
  BOOST_TEST(f.bodies.size() == 3u);
  auto const figures = f.tested->figures();
  BOOST_TEST(figures.delivered == 1u);
  BOOST_TEST(figures.tries_failed == 2u);
  BOOST_TEST(figures.given_up == 0u);
  BOOST_REQUIRE(f.log.size() == 2u);
  BOOST_TEST(f.log[0] == "webhook_failed: the receiver answered 500; it is tried again");
  BOOST_TEST(f.log[1] == "webhook_answers_again: events are delivered again");
}

BOOST_AUTO_TEST_CASE(a_try_that_throws_has_failed) {
  fake_receiver f;
  f.throws = true;
  f.tested->offer(event);
  f.run();
  BOOST_TEST(f.tested->figures().given_up == 1u);
}

BOOST_AUTO_TEST_CASE(an_event_is_given_up_after_five_tries) {
  fake_receiver f;
  f.say(failed, 9);
  f.tested->offer(event);
  f.run();
  BOOST_TEST(f.bodies.size() == 5u);
  auto const figures = f.tested->figures();
  BOOST_TEST(figures.given_up == 1u);
  BOOST_TEST(figures.tries_failed == 5u);
  BOOST_TEST(figures.waiting == 0u);
  BOOST_TEST(f.log.back() == "webhook_given_up: 80 % of the quota of k3: the receiver answered 500; tries: 5");
}

BOOST_AUTO_TEST_CASE(what_the_receiver_refuses_is_not_tried_again) {
  fake_receiver f;
  f.say(refused, 2);
  f.tested->offer(event);
  f.run();
  BOOST_TEST(f.bodies.size() == 1u);
  BOOST_TEST(f.tested->figures().given_up == 1u);
}

BOOST_AUTO_TEST_CASE(between_two_tries_there_is_a_pause) {
  fake_receiver f{webhook_limits{}};
  f.say(failed);
  f.say(delivered);
  f.tested->offer(event);
  f.run();
  BOOST_TEST(f.bodies.size() == 1u);
  f.tested->offer(event);  // does not wait for the other one
  f.run();
  BOOST_TEST(f.bodies.size() == 2u);
  BOOST_TEST(f.tested->figures().delivered == 1u);
  BOOST_TEST(f.tested->figures().waiting == 1u);
}

BOOST_AUTO_TEST_CASE(only_some_tries_run_at_a_time) {
  fake_receiver f;
  for (int i = 0; i < 20; ++i) f.tested->offer(event);
  f.run();
  BOOST_TEST(f.hanging == 16);
  f.say(delivered, 20);
  f.run();
  BOOST_TEST(f.tested->figures().delivered == 20u);
}

BOOST_AUTO_TEST_CASE(more_than_a_thousand_waiting_events_are_dropped_and_counted) {
  fake_receiver f;
  for (int i = 0; i < 1'003; ++i) f.tested->offer(event);
  f.run();
  BOOST_TEST(f.tested->figures().waiting == 1'000u);
  BOOST_TEST(f.tested->figures().dropped == 3u);
  BOOST_REQUIRE(f.log.size() == 1u);
  BOOST_TEST(f.log.front() == "webhook_full: 1000 events wait to be sent; more are dropped and counted");
  f.say(delivered, 1'000);
  f.run();
  BOOST_TEST(f.tested->figures().delivered == 1'000u);
  f.say(delivered);
  f.tested->offer(event);
  f.run();
  BOOST_TEST(f.tested->figures().delivered == 1'001u);
}

BOOST_AUTO_TEST_CASE(threads_may_offer_events_at_the_same_time) {
  fake_receiver f;
  tests::on_threads(4, [&](int) {
    for (int i = 0; i < 500; ++i) f.tested->offer(event);
  });
  f.say(delivered, 2'000);
  f.run();
  auto const figures = f.tested->figures();
  BOOST_TEST(figures.delivered + figures.dropped == 2'000u);
  BOOST_TEST(figures.waiting == 0u);
  BOOST_TEST(figures.dropped > 0u);
}

BOOST_AUTO_TEST_CASE(a_server_that_stops_tries_what_waits_once_more) {
  fake_receiver f{webhook_limits{}};
  f.say(failed, 2);
  f.tested->offer(event);
  f.tested->offer(event);
  f.run();
  BOOST_TEST(f.bodies.size() == 2u);
  auto const end = f.finish(steady_clock::time_point::max());
  f.say(delivered);
  f.say(failed);
  f.run();
  BOOST_TEST((end.wait_for(0s) == std::future_status::ready));
  BOOST_TEST(f.bodies.size() == 4u);
  BOOST_TEST(f.tested->figures().delivered == 1u);
  BOOST_TEST(f.tested->figures().given_up == 1u);
}

BOOST_AUTO_TEST_CASE(a_server_that_stops_waits_for_a_try_under_way) {
  fake_receiver f;
  f.tested->offer(event);
  f.run();
  auto const end = f.finish(steady_clock::time_point::max());
  f.run();
  BOOST_TEST((end.wait_for(0s) == std::future_status::timeout));
  f.say(delivered);
  f.run();
  BOOST_TEST((end.wait_for(0s) == std::future_status::ready));
  BOOST_TEST(f.tested->figures().delivered == 1u);
}

BOOST_AUTO_TEST_CASE(what_was_offered_just_before_the_end_is_tried) {
  fake_receiver f;
  auto const end = f.finish(steady_clock::time_point::max());
  f.tested->offer(event);
  f.say(delivered);
  f.run();
  BOOST_TEST((end.wait_for(0s) == std::future_status::ready));
  BOOST_TEST(f.tested->figures().delivered == 1u);
}

BOOST_AUTO_TEST_CASE(a_receiver_that_hangs_holds_the_end_until_the_limit_and_the_rest_is_counted) {
  fake_receiver f;
  for (int i = 0; i < 20; ++i) f.tested->offer(event);
  f.run();
  auto const end = f.finish(steady_clock::time_point::min());  // the time is over
  f.run();
  BOOST_TEST((end.wait_for(0s) == std::future_status::ready));
  BOOST_TEST(f.is_cut);
  BOOST_TEST(f.tested->figures().given_up == 20u);
  BOOST_TEST(f.tested->figures().waiting == 0u);
  BOOST_REQUIRE(f.log.size() == 1u);
  BOOST_TEST(f.log.front() == "webhook_events_lost: 20 events were not delivered before the server stopped");
}

BOOST_AUTO_TEST_CASE(a_try_that_does_not_end_when_it_is_cut_does_not_hold_the_end) {
  auto limits = without_pauses();
  limits.cut_time_max = 0ms;
  fake_receiver f{limits};
  f.ignores_cut = true;
  f.tested->offer(event);
  f.run();
  auto const end = f.finish(steady_clock::time_point::min());
  f.run();
  BOOST_TEST((end.wait_for(0s) == std::future_status::ready));
  BOOST_REQUIRE(f.log.size() == 1u);
  BOOST_TEST(f.log.front() == "webhook_events_lost: 1 events were not delivered before the server stopped");
  f.ignores_cut = false;
  f.cut();
  f.run();
}

BOOST_AUTO_TEST_CASE(an_end_without_events_is_silent) {
  fake_receiver f;
  auto const end = f.finish(steady_clock::time_point::min());
  f.run();
  BOOST_TEST((end.wait_for(0s) == std::future_status::ready));
  BOOST_TEST(f.log.empty());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
