// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/retry.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>

BOOST_AUTO_TEST_SUITE(retry_test)

namespace {

using namespace petstore::load;
using namespace std::chrono_literals;

constexpr std::chrono::sys_seconds now = std::chrono::sys_days(2026y / std::chrono::November / 22) + 12h;

BOOST_AUTO_TEST_CASE(retry_after_is_a_number_of_seconds_or_a_date_in_any_form) {
  BOOST_TEST((parse_retry_after("0", now) == 0s));
  BOOST_TEST((parse_retry_after("17", now) == 17s));
  for (auto const* date :
       {"Sun, 22 Nov 2026 12:00:17 GMT", "Sunday, 22-Nov-26 12:00:17 GMT", "Sun Nov 22 12:00:17 2026"})
    BOOST_TEST((parse_retry_after(date, now) == 17s), date);
  BOOST_TEST((parse_retry_after("Fri, 31 Dec 1999 23:59:59 GMT", now) == 0s));  // it is past
  for (auto const* other : {"", "-1", "1.5", "17 ", "soon", "Sun, 22 Nov 2026"})
    BOOST_TEST(!parse_retry_after(other, now).has_value(), other);
}

BOOST_AUTO_TEST_CASE(retry_after_beyond_the_limit_is_the_limit) {
  BOOST_TEST((parse_retry_after("172801", now) == retry_after_max));
  BOOST_TEST((parse_retry_after("99999999999999999999999", now) == retry_after_max));
  BOOST_TEST((parse_retry_after("Sun, 22 Nov 2099 12:00:17 GMT", now) == retry_after_max));
}

BOOST_AUTO_TEST_CASE(waits_are_spread_over_twice_as_much_each_time_up_to_the_longest) {
  backoff_rule const rule{100ms, 1s, 100};
  chance random(1);
  auto const longest_of_many = [&](unsigned failures_before) {
    std::chrono::nanoseconds longest{}, shortest = 1h;
    for (int i = 0; i < 1'000; ++i) {
      retry r;
      for (unsigned n = 0; n < failures_before; ++n) r.again(rule, {}, random);
      auto const wait = *r.again(rule, {}, random);
      longest = std::max(longest, wait);
      shortest = std::min(shortest, wait);
    }
    BOOST_TEST((shortest < longest / 20));  // full jitter: from nothing on
    return longest;
  };
  auto const is_just_below = [](std::chrono::nanoseconds wait, std::chrono::nanoseconds most) {
    return wait <= most && wait > most * 9 / 10;
  };
  BOOST_TEST(is_just_below(longest_of_many(0), 100ms));
  BOOST_TEST(is_just_below(longest_of_many(1), 200ms));
  BOOST_TEST(is_just_below(longest_of_many(3), 800ms));
  BOOST_TEST(is_just_below(longest_of_many(4), 1s));
  BOOST_TEST(is_just_below(longest_of_many(90), 1s));
}

BOOST_AUTO_TEST_CASE(who_was_told_how_long_never_comes_earlier) {
  backoff_rule const rule{100ms, 1s, 5};
  chance random(1);
  for (int i = 0; i < 1'000; ++i) {
    auto const wait = *retry().again(rule, 7s, random);
    BOOST_TEST((wait >= 7s && wait <= 7s + 100ms));
  }
}

BOOST_AUTO_TEST_CASE(a_request_is_tried_as_often_as_the_rule_says) {
  backoff_rule const rule{1ms, 1s, 3};
  chance random(1);
  retry r;
  BOOST_TEST(r.again(rule, {}, random).has_value());
  BOOST_TEST(r.again(rule, {}, random).has_value());
  BOOST_TEST(!r.again(rule, {}, random).has_value());
  r.begin();
  BOOST_TEST(r.again(rule, {}, random).has_value());
  BOOST_TEST(!retry().again({1ms, 1s, 1}, {}, random).has_value());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
