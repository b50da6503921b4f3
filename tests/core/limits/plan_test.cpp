// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/plan.hpp"

#include <cstdint>
#include <limits>

#include "clock.hpp"
#include "petstore/limits/account.hpp"

BOOST_AUTO_TEST_SUITE(limits_plan)

using namespace petstore::limits;

BOOST_AUTO_TEST_CASE(a_number_from_elsewhere_counts_as_the_nearest_of_the_range) {
  static_assert(tokens_per_minute(std::uint32_t{0}) == 1u);
  static_assert(tokens_per_minute(std::uint32_t{1}) == 1u);
  static_assert(tokens_per_minute(std::uint32_t{per_minute_max}) == per_minute_max);
  static_assert(tokens_per_minute(per_minute_max + 1) == per_minute_max);
  static_assert(tokens_per_minute(std::numeric_limits<std::uint32_t>::max()) == per_minute_max);
  static_assert(tokens_per_day(std::uint64_t{0}) == 0u);
  static_assert(tokens_per_day(std::uint64_t{1}) == 1u);
  static_assert(tokens_per_day(std::uint64_t{per_day_max}) == per_day_max);
  static_assert(tokens_per_day(per_day_max + 1) == per_day_max);
  static_assert(tokens_per_day(std::numeric_limits<std::uint64_t>::max()) == per_day_max);
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

BOOST_FIXTURE_TEST_CASE(what_a_quota_of_nothing_grants_is_what_its_verdict_says, virtual_clock) {
  account a;
  plan const p{.per_minute = std::uint32_t{0}};
  verdict const first = a.charge(p, no_bans, now);
  BOOST_TEST(first.admitted());
  BOOST_TEST(first.can_ever_pass());
  BOOST_TEST(tell(first).limit() == 1u);
  verdict const second = a.charge(p, no_bans, now);
  BOOST_TEST(second.refused());
  BOOST_TEST(tell(second).retry_after_s == 60);
}

BOOST_AUTO_TEST_SUITE_END()
