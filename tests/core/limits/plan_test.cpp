// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/plan.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(limits_plan)

using namespace petstore::limits;

BOOST_AUTO_TEST_CASE(a_number_outside_its_range_becomes_no_window) {
  static_assert(short_window::of(per_minute(1))->tokens() == 1u);
  static_assert(short_window::of(per_minute(short_tokens_max))->tokens() == short_tokens_max);
  static_assert(!short_window::of(per_minute(0)));
  static_assert(!short_window::of(per_minute(-1)));
  static_assert(!short_window::of(per_minute(short_tokens_max + 1)));
  static_assert(!short_window::of(per_minute(std::numeric_limits<std::int64_t>::min())));
  static_assert(!short_window::of(per_minute(std::numeric_limits<std::uint64_t>::max())));
  static_assert(!long_window::of(per_day(0)));
  static_assert(!plan::of(per_minute(60), per_day(0)));
  static_assert(!plan::of(per_minute(60), std::nullopt)->long_window);
  static_assert(long_window::of(per_day(long_tokens_max))->tokens() == long_tokens_max);
  static_assert(!long_window::of(per_day(-1)));
  static_assert(!long_window::of(per_day(long_tokens_max + 1)));
  static_assert(!long_window::of(per_day(std::numeric_limits<std::uint64_t>::max())));
}

BOOST_AUTO_TEST_CASE(a_long_window_that_a_request_begins_has_fewer_tokens) {
  static_assert(long_window::of(per_hour(long_tokens_by_request_max))->tokens() == long_tokens_by_request_max);
  static_assert(!long_window::of(per_hour(long_tokens_by_request_max + 1)));
}

BOOST_AUTO_TEST_CASE(a_long_window_that_is_aligned_has_whole_hours) {
  static_assert(!long_window::of({1, period{std::chrono::minutes{90}}.aligned()}));
  static_assert(long_window::of({1, period{std::chrono::minutes{90}}}).has_value());
  static_assert(long_window::of({1, period{std::chrono::hours{5}}.aligned()}).has_value());
}

BOOST_AUTO_TEST_CASE(a_number_alone_says_nothing_of_a_period) {
  static_assert(!std::is_convertible_v<int, short_window>);
  static_assert(!std::is_convertible_v<double, short_window>);
  static_assert(!std::is_convertible_v<int, long_window>);
}

BOOST_AUTO_TEST_CASE(a_plan_has_no_long_window_unless_it_is_told) {
  static_assert(!plan{per_minute(1)}.long_window);
  static_assert(plan{per_minute(1), per_day(100'000'000'000)}.long_window.tokens() == 100'000'000'000u);
  static_assert(plan{per_minute(1), per_month(1)}.long_window.period().is_month());
}

BOOST_AUTO_TEST_CASE(a_plan_whose_long_period_is_not_longer_is_not_sound) {
  static_assert(!plan{per_hour(1), per_hour(1)}.is_sound());
  static_assert(!plan{per_day(1), per_hour(1)}.is_sound());
  static_assert(!plan{per_month(1), {window{1, std::chrono::days{31}}}}.is_sound());
  static_assert(plan{per_second(1), per_hour(1)}.is_sound());
  static_assert(!plan::of(per_hour(1), per_hour(1)));
}

BOOST_AUTO_TEST_CASE(a_calendar_month_is_not_refilled_continuously) {
  static_assert(plan::of(per_month(1)).has_value());
  static_assert(!plan::of(per_month(1), {}, refill::continuous));
  static_assert(plan::of(per_day(1), {}, refill::continuous).has_value());
}

BOOST_AUTO_TEST_CASE(a_burst_that_takes_more_than_36_years_to_come_is_not_sound) {
  static_assert(plan::of(per_minute(1), {}, refill::continuous, short_tokens_max).has_value());
  static_assert(plan::of(per_day(1), {}, refill::continuous, 13'343).has_value());
  static_assert(!plan::of(per_day(1), {}, refill::continuous, 13'344));
}

BOOST_AUTO_TEST_CASE(a_plan_of_numbers_from_elsewhere_is_checked) {
  constexpr plan made{.short_window = per_minute(5), .long_window = per_day(7), .short_refill = refill::continuous};
  static_assert(plan::of(per_minute(5), per_day(7), refill::continuous) == made);
  static_assert(plan::of(per_minute(1)) == plan{per_minute(1)});
  static_assert(plan::of(per_minute(short_tokens_max), per_day(long_tokens_max)).has_value());
  for (auto const& refused :
       {plan::of(per_minute(0)), plan::of(per_minute(-1)), plan::of(per_minute(std::int64_t{short_tokens_max} + 1)),
        plan::of(per_minute(1), per_day(-1)), plan::of(per_minute(1), per_day(std::int64_t{long_tokens_max} + 1))})
    BOOST_TEST(!refused.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
