// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "share.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <optional>

#include "free_plan.hpp"
#include "petstore/limits/notice.hpp"
#include "support/virtual_clock.hpp"

using petstore::quota::free_plan;
using petstore::quota::share;
using namespace std::chrono_literals;
namespace limits = petstore::limits;

namespace {

/// A node that was told, before the server went, that 20 of the minute and 100 of the day are used.
struct cut_off : petstore::tests::virtual_clock {
  limits::lease lease;
  share own;

  cut_off() {
    limits::lease_terms t;
    t.plan = free_plan;
    t.short_used = 20;
    t.short_end = now.boot + 40s;
    t.long_end_wall = tonight();
    t.long_used = 100;
    t.wall_minus_boot = now.wall_minus_boot();
    lease.install(t, 0, false);
  }
  limits::wall_time tonight() const { return limits::per_day(1).period.end_after(now.wall); }
  limits::verdict charge(std::uint32_t nodes, limits::plan const& p = free_plan) {
    return own.charge(lease.observe_debited(p, now).verdict, p, nodes, 1);
  }
  /// Of a quota that nobody has used.
  limits::verdict unused(limits::plan const& p) const { return limits::lease{}.observe(p, now).verdict; }
  int admitted(std::uint32_t nodes, limits::plan const& p = free_plan) {
    int count = 0;
    while (charge(nodes, p).admitted()) ++count;
    return count;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(quota_redis_share, cut_off)

BOOST_AUTO_TEST_CASE(a_share_is_an_equal_part_of_what_is_left) {
  BOOST_TEST(admitted(4) == 10);
  BOOST_TEST(!charge(4).admitted());
  pass(40s);
  BOOST_TEST(admitted(4) == 15);  // of the next minute's quota
}

BOOST_AUTO_TEST_CASE(nodes_that_come_and_go_do_not_begin_the_share_anew) {
  int count = admitted(4);
  for (std::uint32_t nodes : {5u, 4u, 5u, 4u, 2u}) count += admitted(nodes);
  BOOST_TEST(count == 20);  // a half of 40, the largest part that it ever was
  BOOST_TEST(admitted(4) == 0);
  pass(40s);
  BOOST_TEST(admitted(4) == 15);
  BOOST_TEST(admitted(5) == 0);
}

BOOST_AUTO_TEST_CASE(neither_does_another_plan) {
  BOOST_TEST(admitted(4) == 10);
  limits::plan more = free_plan;
  more.short_window = limits::per_minute(100);
  BOOST_TEST(admitted(4, more) == 10);  // a quarter of 80, less what was admitted
  BOOST_TEST(admitted(4) == 0);
}

BOOST_AUTO_TEST_CASE(a_day_has_one_share_too) {
  limits::plan const daily{limits::per_minute(10'000), limits::per_day(1'000)};
  BOOST_TEST(admitted(3, daily) == 300);
  BOOST_TEST(admitted(4, daily) == 0);
  BOOST_TEST(admitted(2, daily) == 150);
}

BOOST_AUTO_TEST_CASE(what_was_spent_is_reported_once_and_by_its_day) {
  BOOST_TEST(admitted(4) == 10);
  auto const spent = own.take_spent();
  BOOST_TEST(spent.of_short.count == 10u);
  BOOST_TEST(spent.of_long.count == 10u);
  BOOST_TEST(spent.of_long.end == tonight().time_since_epoch() / 1us);
  BOOST_TEST(own.take_spent().of_long.count == 0u);
  pass(1min);
  BOOST_TEST(charge(4).admitted());
  pass(12h);
  BOOST_TEST(charge(4).admitted());
  auto const next = own.take_spent();
  BOOST_TEST(next.of_long.count == 1u);
  BOOST_TEST(next.of_long.end == spent.of_long.end + 24h / 1us);
  BOOST_TEST(next.of_short.count == 2u);  // the server opens minutes: the ledger knows whether one is still open
}

/// The server's clock is two minutes ahead of this node's.
BOOST_AUTO_TEST_CASE(minutes_are_told_by_the_clock_of_the_server) {
  limits::lease_terms t;
  t.plan = free_plan;
  t.short_used = 56;
  t.short_end = now.boot + 40s;
  t.long_end_wall = tonight();
  t.wall_minus_boot = now.wall_minus_boot() + 2min;
  lease.install(t, 0, false);
  BOOST_TEST(admitted(4) == 1);
  now.wall -= 4min;
  own.end();
  BOOST_TEST(admitted(4) == 1);
}

/// The plan was larger before, so more is used than this node's part.
BOOST_AUTO_TEST_CASE(a_count_above_the_largest_quota_does_not_change_the_end_of_the_minute) {
  constexpr limits::plan largest{limits::per_minute(limits::short_tokens_max)};
  BOOST_TEST(own.charge(unused(largest), largest, 1, 16'000'000).admitted());
  auto const refused = limits::tell(own.charge(unused(largest), largest, 3, 1));
  BOOST_TEST(!refused.admitted());
  BOOST_TEST(refused.retry_after_s == 60);
}

/// The whole bucket has a token more every ten seconds, this node's part every thirty.
BOOST_AUTO_TEST_CASE(under_continuous_refill_the_wait_that_is_told_is_that_of_the_share) {
  constexpr limits::plan smooth{.short_window = limits::per_minute(6), .short_refill = limits::refill::continuous};
  auto const told = [&] { return limits::tell(own.charge(unused(smooth), smooth, 3, 1)); };
  BOOST_TEST(told().remaining == 1u);
  BOOST_TEST(told().remaining == 0u);
  auto const refused = told();
  BOOST_TEST(!refused.admitted());
  BOOST_TEST(refused.limit() == 6u);
  BOOST_TEST(refused.remaining == 0u);
  BOOST_TEST(refused.retry_after_s == 30);
  BOOST_TEST(refused.short_window.more_in_s == 30);
  BOOST_TEST(refused.reset_unix_s >= now.wall.time_since_epoch() / 1s + 30);
  pass(30s - 1ns);
  BOOST_TEST(!told().admitted());
  pass(1ns);
  BOOST_TEST(told().admitted());
}

BOOST_AUTO_TEST_CASE(under_continuous_refill_what_is_told_to_be_left_is_what_the_share_has) {
  constexpr limits::plan smooth{.short_window = limits::per_minute(600), .short_refill = limits::refill::continuous};
  auto const charge = [&](limits::cost tokens) { return own.charge(unused(smooth), smooth, 3, tokens); };
  for (std::uint64_t left = 200; left-- > 0;) BOOST_TEST(limits::tell(charge(1)).remaining == left);
  pass(1'500ms);  // five tokens
  auto const too_many = charge(9);
  BOOST_TEST(!too_many.admitted());
  BOOST_TEST((too_many.retry_after() == std::optional<std::chrono::nanoseconds>{1'200ms}));
  BOOST_TEST(limits::tell(charge(2)).remaining == 3u);
}

BOOST_AUTO_TEST_CASE(other_windows_have_shares_too) {
  constexpr limits::plan fleeting{limits::per_second(20), limits::per_hour(100)};
  int count = 0;
  for (int second = 0; second < 20; ++second) {
    int const in_second = [&] {
      int admitted = 0;
      while (own.charge(unused(fleeting), fleeting, 4, 1).admitted()) ++admitted;
      return admitted;
    }();
    BOOST_TEST(in_second == std::min(5, 25 - count));
    count += in_second;
    pass(1s);
  }
  pass(1h);
  BOOST_TEST(own.charge(unused(fleeting), fleeting, 4, 1).admitted());
}

/// Of an hour that a request began 20 minutes ago, 40 of 100 tokens are left.
BOOST_AUTO_TEST_CASE(a_share_of_a_period_that_a_request_began_ends_with_it) {
  constexpr limits::plan hourly{limits::per_minute(1'000), limits::per_hour(100)};
  limits::lease_terms t;
  t.plan = hourly;
  t.long_end = now.boot + 40min;
  t.long_used = 60;
  t.wall_minus_boot = now.wall_minus_boot();
  lease.install(t, 0, false);
  BOOST_TEST(admitted(4, hourly) == 10);
  auto const refused = limits::tell(charge(4, hourly));
  BOOST_TEST(refused.retry_after_s == 2'400);
  BOOST_TEST(refused.limit() == 100u);
  BOOST_TEST(refused.remaining == 0u);
  BOOST_TEST(admitted(2, hourly) == 10);  // a half of 40, less what was admitted
  BOOST_TEST(own.take_spent().of_long.count == 20u);
  pass(40min);
  BOOST_TEST(admitted(4, hourly) == 25);
  BOOST_TEST(limits::tell(charge(4, hourly)).retry_after_s == 3'600);
}

/// The clocks are no whole number of seconds apart, so the end that clients are told is rounded.
BOOST_AUTO_TEST_CASE(nodes_that_come_and_go_do_not_begin_the_share_of_such_a_period_anew) {
  constexpr limits::plan hourly{limits::per_minute(1'000), limits::per_hour(100)};
  now.wall += 345'678us;
  limits::lease_terms t;
  t.plan = hourly;
  t.long_end = now.boot + 40min;
  t.long_used = 20;
  t.wall_minus_boot = now.wall_minus_boot();
  lease.install(t, 0, false);
  int count = admitted(4, hourly);
  for (std::uint32_t nodes : {5u, 4u, 2u}) count += admitted(nodes, hourly);
  BOOST_TEST(count == 40);  // a half of 80
  pass(40min + 1s);
  BOOST_TEST(admitted(2, hourly) == 50);
}

/// The plan has days now.
BOOST_AUTO_TEST_CASE(a_share_of_a_period_of_an_earlier_plan_ends_with_it) {
  limits::lease_terms t;
  t.plan = free_plan;
  t.long_end = now.boot + 30s;
  t.long_used = 960;
  t.wall_minus_boot = now.wall_minus_boot();
  lease.install(t, 0, false);
  BOOST_TEST(admitted(4) == 10);
  BOOST_TEST(limits::tell(charge(4)).retry_after_s == 30);
  pass(1min);
  BOOST_TEST(admitted(4) == 15);
}

BOOST_AUTO_TEST_CASE(what_is_left_is_the_share_and_what_the_node_holds) {
  auto const left = [&](limits::plan const& p, std::uint32_t held) {
    auto const state = own.observe(p, held, lease.observe(p, now).verdict.at);
    return state ? limits::tell(*state).short_window.remaining : 1'000u;
  };
  BOOST_TEST(left(free_plan, 0) == 1'000u);  // it has decided nothing
  BOOST_TEST(charge(4).admitted());
  BOOST_TEST(left(free_plan, 0) == 9u);  // a quarter of 40
  BOOST_TEST(left(free_plan, 3) == 12u);
  BOOST_TEST(left(limits::plan{limits::per_minute(2)}, 0) == 1'000u);  // nothing under that plan
}

BOOST_AUTO_TEST_CASE(a_month_has_one_share_of_each_month) {
  constexpr limits::plan monthly{limits::per_hour(1'000), limits::per_month(400)};
  BOOST_TEST(own.charge(unused(monthly), monthly, 4, 100).admitted());
  auto const refused = limits::tell(own.charge(unused(monthly), monthly, 4, 1));
  BOOST_TEST(refused.reset_unix_s == petstore::tests::midnight_unix_s + 29 * 86'400);  // 1 July
  BOOST_TEST(own.take_spent().of_long.end == refused.reset_unix_s * 1'000'000);
  pass(30 * 24h);
  BOOST_TEST(own.charge(unused(monthly), monthly, 4, 100).admitted());
}

BOOST_AUTO_TEST_CASE(a_short_window_that_is_aligned_has_one_share_of_each_period) {
  constexpr limits::plan hourly{limits::window{100, limits::period{std::chrono::hours{1}}.aligned()}};
  pass(20min);
  BOOST_TEST(own.charge(unused(hourly), hourly, 4, 25).admitted());
  BOOST_TEST(limits::tell(own.charge(unused(hourly), hourly, 4, 1)).retry_after_s == 2'400);
  auto const spent = own.take_spent().of_short;
  BOOST_TEST(spent.end == (petstore::tests::noon_unix_s + 3'600) * 1'000'000);
  BOOST_TEST(spent.count == 25u);
  pass(40min);
  BOOST_TEST(own.charge(unused(hourly), hourly, 4, 25).admitted());
  BOOST_TEST(own.take_spent().of_short.end == spent.end + 3'600'000'000);
}

BOOST_AUTO_TEST_CASE(under_continuous_refill_the_share_is_refilled_at_the_rate_of_its_window) {
  constexpr limits::plan smooth{.short_window = limits::per_hour(120), .short_refill = limits::refill::continuous};
  int count = 0;
  while (own.charge(unused(smooth), smooth, 4, 1).admitted()) ++count;
  BOOST_TEST(count == 30);
  pass(2min - 1ns);
  BOOST_TEST(!own.charge(unused(smooth), smooth, 4, 1).admitted());
  pass(1ns);
  BOOST_TEST(own.charge(unused(smooth), smooth, 4, 1).admitted());
}

BOOST_AUTO_TEST_SUITE_END()
