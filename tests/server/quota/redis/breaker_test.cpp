// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "breaker.hpp"

#include <boost/test/unit_test.hpp>
#include <deque>

BOOST_AUTO_TEST_SUITE(quota_redis_breaker)

using petstore::quota::breaker;
using namespace std::chrono_literals;

namespace {

/// One that has been given calls in vain for as long as it takes.
struct broken {
  breaker b;
  std::chrono::nanoseconds now{100s};

  broken() {
    for (auto asked_at = now - breaker::silence_min; asked_at < now; asked_at += 100ms) {
      BOOST_TEST(b.allows(asked_at));
      b.failed(asked_at + 100ms, asked_at);
    }
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(failures_of_a_time_that_is_short_change_nothing_however_many_they_are) {
  breaker b;
  for (auto now = 1s + 0ns; now < 1s + breaker::silence_min; now += 1ms) {
    for (int i = 0; i < 1'000; ++i) b.failed(now, now);
    BOOST_TEST(b.allows(now));
  }
}

BOOST_AUTO_TEST_CASE(calls_that_were_under_way_together_are_one_failure) {
  breaker b;
  auto const begun = 1s + 0ns;
  for (auto asked_at = begun; asked_at < begun + 2s; asked_at += 1ms) b.failed(begun + 2s, asked_at);
  BOOST_TEST(b.allows(begun + 2s));
  b.failed(begun + 3s, begun + 2s - 1ns);
  BOOST_TEST(b.allows(begun + 3s));
  b.failed(begun + 4s, begun + 2s);  // made when the others had failed
  BOOST_TEST(!b.allows(begun + 4s));
}

BOOST_AUTO_TEST_CASE(an_answer_ends_the_silence) {
  breaker b;
  for (auto now = 1s + 0ns; now < 60s; now += breaker::silence_min) {
    b.failed(now + 10ms, now);
    b.failed(now + breaker::silence_min - 1ms, now + 10ms);
    BOOST_TEST(b.allows(now + breaker::silence_min - 1ms));
    b.answered(now + breaker::silence_min - 1ms);
  }
}

/// It was made before the answer: since that the server has not been silent for long.
BOOST_AUTO_TEST_CASE(silence_begins_with_the_last_answer_also_for_a_call_that_was_made_before) {
  breaker b;
  b.answered(10s);
  b.failed(10s + 100ms, 2s);
  b.failed(10s + breaker::silence_min - 1ms, 10s + 100ms);
  BOOST_TEST(b.allows(10s + breaker::silence_min - 1ms));
  b.failed(10s + breaker::silence_min, 10s + breaker::silence_min - 1ms);
  BOOST_TEST(!b.allows(10s + breaker::silence_min));
}

BOOST_AUTO_TEST_CASE(who_waits_longer_for_an_answer_bears_a_longer_silence) {
  breaker b(5s);
  for (auto now = 1s + 0ns; now < 6s; now += 100ms) {
    b.failed(now, now);
    BOOST_TEST(b.allows(now));
  }
  b.failed(6s, 6s);
  BOOST_TEST(!b.allows(6s));
}

BOOST_FIXTURE_TEST_CASE(after_a_silence_nobody_asks_but_a_probe, broken) {
  BOOST_TEST(b.is_open());
  BOOST_TEST(!b.allows(now + breaker::pause_min - 1ns));
  BOOST_TEST(b.allows(now + breaker::pause_min));
  BOOST_TEST(!b.allows(now + breaker::pause_min));
}

BOOST_FIXTURE_TEST_CASE(probes_that_fail_come_less_often_up_to_a_limit, broken) {
  auto pause = breaker::pause_min;
  for (int i = 0; i < 10; ++i) {
    now += pause;
    BOOST_TEST(b.allows(now));
    b.failed(now, now);
    pause = std::min(2 * pause, breaker::pause_max);
    BOOST_TEST(!b.allows(now + pause - 1ns));
  }
  BOOST_TEST((pause == breaker::pause_max));
}

/// Callers come all the time, and each waits a while before it has failed.
BOOST_FIXTURE_TEST_CASE(probes_that_take_long_to_fail_come_less_often_too, broken) {
  constexpr auto patience = 250ms;
  std::deque<std::chrono::nanoseconds> under_way;
  int probes = 0;
  for (auto const end = now + 20s; now < end; now += 10ms) {
    while (!under_way.empty() && under_way.front() + patience <= now) {
      b.failed(now, under_way.front());
      under_way.pop_front();
    }
    if (b.allows(now)) under_way.push_back(now), ++probes;
  }
  BOOST_TEST(probes > 10);
  BOOST_TEST(probes < 30);
}

BOOST_AUTO_TEST_CASE(failures_that_are_far_apart_are_no_silence) {
  breaker b;
  for (auto now = 1s + 0ns; now < 24h; now += 1h) {
    b.failed(now + 500ms, now);
    BOOST_TEST(b.allows(now + 500ms));
  }
}

BOOST_FIXTURE_TEST_CASE(failures_of_what_was_under_way_when_it_opened_change_nothing, broken) {
  for (int i = 0; i < 10; ++i) b.failed(now + 5ms, now - 1ms);
  BOOST_TEST(b.allows(now + breaker::pause_min));
  b.failed(now + breaker::pause_min + 20ms, now - 1ms);
  b.failed(now + breaker::pause_min + 20ms, now + breaker::pause_min);
  BOOST_TEST(!b.allows(now + 3 * breaker::pause_min + 19ms));
  BOOST_TEST(b.allows(now + 3 * breaker::pause_min + 20ms));
}

BOOST_FIXTURE_TEST_CASE(a_probe_that_is_answered_lets_everybody_ask, broken) {
  BOOST_TEST(b.allows(now + breaker::pause_min));
  b.answered(now + breaker::pause_min);
  BOOST_TEST(!b.is_open());
  BOOST_TEST(b.allows(now + breaker::pause_min));
  BOOST_TEST(b.allows(now + breaker::pause_min));
}

BOOST_AUTO_TEST_SUITE_END()
