// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "breaker.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(quota_redis_breaker)

using petstore::quota::breaker;
using namespace std::chrono_literals;

namespace {

struct broken {
  breaker b;
  std::chrono::nanoseconds now{100s};

  broken() {
    for (int i = 0; i < breaker::failures_max; ++i) {
      BOOST_TEST(b.allows(now));
      b.failed(now, now);
    }
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(few_failures_and_those_with_answers_between_change_nothing) {
  breaker b;
  for (int i = 0; i < 100; ++i) {
    for (int failure = 1; failure < breaker::failures_max; ++failure) b.failed(1s, 1s);
    BOOST_TEST(b.allows(1s));
    b.answered();
  }
}

BOOST_FIXTURE_TEST_CASE(after_many_in_a_row_nobody_asks_but_a_probe, broken) {
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
  b.answered();
  BOOST_TEST(!b.is_open());
  BOOST_TEST(b.allows(now + breaker::pause_min));
  BOOST_TEST(b.allows(now + breaker::pause_min));
}

BOOST_AUTO_TEST_SUITE_END()
