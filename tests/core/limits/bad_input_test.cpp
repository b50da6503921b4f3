// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Whatever a host passes by mistake has an answer that is documented.
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "clock.hpp"
#include "petstore/limits/limiter.hpp"
#include "petstore/limits/saved_limiter.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace limits_bad_input {  // the suite
namespace {

constexpr plan small_plan{per_minute(10), per_day(100)};
constexpr auto largest = std::numeric_limits<std::int64_t>::max();

/// The limiter has one plan, and room for one identity.
struct door {
  std::string input;
  std::function<std::error_code(limiter<int>&, instant)> pass;
  limiter_errc answer;
};

std::vector<door> const doors{
    {"a plan of zero", [](limiter<int>& l, instant) { return l.set_plan(0, plan::of(per_minute(0))); },
     limiter_errc::invalid_plan},
    {"a plan of less", [](limiter<int>& l, instant) { return l.set_plan(0, plan::of(per_minute(-largest))); },
     limiter_errc::invalid_plan},
    {"a minute above its range",
     [](limiter<int>& l, instant) { return l.set_plan(0, plan::of(per_minute(std::int64_t{short_tokens_max} + 1))); },
     limiter_errc::invalid_plan},
    {"a day above its range",
     [](limiter<int>& l, instant) { return l.set_plan(0, plan::of(per_minute(1), per_day(largest))); },
     limiter_errc::invalid_plan},
    {"a day below nothing",
     [](limiter<int>& l, instant) { return l.set_plan(0, plan::of(per_minute(1), per_day(-1))); },
     limiter_errc::invalid_plan},
    {"a burst above its range",
     [](limiter<int>& l, instant) { return l.set_plan(0, plan::of(per_minute(1), {}, refill::continuous, largest)); },
     limiter_errc::invalid_plan},
    {"a burst of a whole minute",
     [](limiter<int>& l, instant) { return l.set_plan(0, plan{.short_window = per_minute(1), .burst = 1}); },
     limiter_errc::invalid_plan},
    {"a plan that there is not", [](limiter<int>& l, instant) { return l.set_plan(1, small_plan); },
     limiter_errc::unknown_plan},
    {"one plan more than are kept",
     [](limiter<int>& l, instant) {
       std::error_code told;
       for (int i = 1; i < 5'000 && !told; ++i) told = l.set_plan(0, plan::of(per_minute(i)));
       return told;
     },
     limiter_errc::too_many_plans},
    {"no bytes", [](limiter<int>& l, instant now) { return load(l, "", now).failed; }, limiter_errc::saved_truncated},
    {"other bytes", [](limiter<int>& l, instant now) { return load(l, std::string(200, 'x'), now).failed; },
     limiter_errc::not_saved},
    {"half of the bytes",
     [](limiter<int>& l, instant now) {
       auto const bytes = save(l, now);
       return load(l, bytes.substr(0, bytes.size() / 2), now).failed;
     },
     limiter_errc::saved_truncated},
};

}  // namespace
}  // namespace limits_bad_input

BOOST_FIXTURE_TEST_SUITE(limits_bad_input, virtual_clock)

BOOST_AUTO_TEST_CASE(each_mistake_has_its_error_and_changes_nothing) {
  for (door const& d : doors) {
    limiter<int> l({.plan = small_plan, .identities_max = 1});
    (void)l.charge(1, 4, now);
    BOOST_TEST((d.pass(l, now) == d.answer), d.input);
    BOOST_TEST(!make_error_code(d.answer).message().empty());
    if (d.answer == limiter_errc::too_many_plans) continue;  // the plans before were taken
    BOOST_TEST(tell(l.peek(1, 1, now)).short_window.remaining == 6u, d.input);
  }
}

BOOST_AUTO_TEST_CASE(a_number_of_a_plan_that_there_is_not_throws) {
  limiter<int> const l({.plan = small_plan});
  BOOST_CHECK_THROW((void)l.plan_at(1), std::out_of_range);
}

BOOST_AUTO_TEST_CASE(a_clock_that_goes_back_grants_nothing) {
  for (auto const& p : {small_plan, plan{.short_window = per_minute(10), .short_refill = refill::continuous}}) {
    limiter<int> l({.plan = p});
    BOOST_TEST(l.charge(1, 10, now).admitted());
    for (auto const by : {1ns, 59s + 0ns, 1h + 0ns, 24h * 400 + 0ns}) {
      instant const before{boot_time{std::max(0ns, now.boot.time_since_epoch() - by)}, now.wall - by};
      BOOST_TEST(l.charge(1, before).refused());
      BOOST_TEST(l.charge(1, {before.boot, now.wall}).refused());
      BOOST_TEST(l.charge(1, {now.boot, before.wall}).refused());
    }
    BOOST_TEST(l.charge(1, later(1min)).admitted());
  }
}

BOOST_AUTO_TEST_CASE(a_table_that_is_full_says_so_and_still_decides) {
  limiter<int> l({.plan = small_plan, .identities_max = 1});
  (void)l.charge(1, now);
  BOOST_TEST(!l.ban(2, now.wall + 1h, now));
  BOOST_TEST(l.charge(2, 10, now).admitted());
  BOOST_TEST(l.charge(2, now).refused());
  BOOST_TEST(l.figures().shared == 2u);
  BOOST_TEST(l.figures().identities == 1u);
}

BOOST_AUTO_TEST_CASE(a_policy_of_bans_out_of_range_is_an_error) {
  for (auto const wrong : {-1ms, 1ms * largest, 24h * 31 + 1ms}) {
    BOOST_CHECK_THROW(limiter<int>({.plan = small_plan, .bans = {.grace = wrong}}), std::invalid_argument);
    BOOST_CHECK_THROW(limiter<int>({.plan = small_plan, .bans = {.base = wrong}}), std::invalid_argument);
    BOOST_CHECK_THROW(limiter<int>({.plan = small_plan, .bans = {.max = wrong}}), std::invalid_argument);
  }
  limiter<int> const longest({.plan = small_plan, .bans = {.grace = 0ms, .base = 24h * 31, .max = 24h * 31}});
}

/// An account takes any policy, so it must not compute what overflows.
BOOST_AUTO_TEST_CASE(an_account_bounds_the_longest_ban_by_what_it_can_store) {
  ban_policy const absurd{.strikes = 1, .grace = 0ms, .base = 1ms * (largest / 2 + 1), .max = 1ms * largest};
  account a;
  plan const one{per_minute(1)};
  for (int i = 0; i < 4; ++i) (void)a.charge(one, absurd, now);
  BOOST_TEST(a.banned(later(24h * 365 * 30)));
  account restored;
  restored.restore(a.save(one, now), one, absurd, now);
  BOOST_TEST(restored.banned(later(24h * 365 * 30)));
}

BOOST_AUTO_TEST_SUITE_END()
