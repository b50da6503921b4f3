// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/plan.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(limits_plan)

using namespace petstore::limits;

BOOST_AUTO_TEST_CASE(a_number_outside_its_range_becomes_no_quota) {
  static_assert(tokens_per_minute::of(1) == 1u);
  static_assert(tokens_per_minute::of(per_minute_max) == per_minute_max);
  static_assert(!tokens_per_minute::of(0));
  static_assert(!tokens_per_minute::of(-1));
  static_assert(!tokens_per_minute::of(per_minute_max + 1));
  static_assert(!tokens_per_minute::of(std::numeric_limits<std::int64_t>::min()));
  static_assert(!tokens_per_minute::of(std::numeric_limits<std::uint64_t>::max()));
  static_assert(tokens_per_day::of(0) == 0u);
  static_assert(tokens_per_day::of(per_day_max) == per_day_max);
  static_assert(!tokens_per_day::of(-1));
  static_assert(!tokens_per_day::of(per_day_max + 1));
  static_assert(!tokens_per_day::of(std::numeric_limits<std::uint64_t>::max()));
}

BOOST_AUTO_TEST_CASE(a_number_that_is_not_a_constant_does_not_convert) {
  static_assert(!std::is_convertible_v<double, tokens_per_minute>);
  static_assert(!std::is_convertible_v<double, tokens_per_day>);
}

BOOST_AUTO_TEST_CASE(a_quota_of_a_day_is_written_as_any_number_and_is_none_unless_it_is_told) {
  static_assert(plan{.per_minute = 1}.per_day == 0u);
  static_assert(plan{.per_minute = 1, .per_day = 100'000'000'000}.per_day == 100'000'000'000u);
  static_assert(plan{.per_minute = 1, .per_day = 1'099'511'627'775}.per_day == per_day_max);
}

BOOST_AUTO_TEST_CASE(a_plan_of_numbers_from_elsewhere_is_checked) {
  constexpr plan made{.per_minute = 5, .per_day = 7, .minute_refill = refill::continuous};
  static_assert(plan::of(5, 7, refill::continuous) == made);
  static_assert(plan::of(1) == plan{.per_minute = 1});
  static_assert(plan::of(per_minute_max, per_day_max).has_value());
  for (auto const& refused : {plan::of(0), plan::of(-1), plan::of(std::int64_t{per_minute_max} + 1), plan::of(1, -1),
                              plan::of(1, std::int64_t{per_day_max} + 1)})
    BOOST_TEST(!refused.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
