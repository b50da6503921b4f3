// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "share.hpp"

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
    t.minute_used = 20;
    t.minute_end = now.boot + 40s;
    t.day = now.wall.time_since_epoch() / 24h;
    t.day_used = 100;
    t.wall_minus_boot = now.wall_minus_boot();
    lease.install(t, 0, false);
  }
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
  more.per_minute = 100;
  BOOST_TEST(admitted(4, more) == 10);  // a quarter of 80, less what was admitted
  BOOST_TEST(admitted(4) == 0);
}

BOOST_AUTO_TEST_CASE(a_day_has_one_share_too) {
  limits::plan const daily{.per_minute = 10'000, .per_day = 1'000};
  BOOST_TEST(admitted(3, daily) == 300);
  BOOST_TEST(admitted(4, daily) == 0);
  BOOST_TEST(admitted(2, daily) == 150);
}

BOOST_AUTO_TEST_CASE(what_was_spent_is_reported_once_and_by_its_day) {
  BOOST_TEST(admitted(4) == 10);
  auto const spent = own.take_spent();
  BOOST_TEST(spent.count == 10u);
  BOOST_TEST(spent.day == now.wall.time_since_epoch() / 24h);
  BOOST_TEST(own.take_spent().count == 0u);
  pass(1min);
  BOOST_TEST(charge(4).admitted());
  pass(12h);
  BOOST_TEST(charge(4).admitted());
  auto const next = own.take_spent();
  BOOST_TEST(next.count == 1u);
  BOOST_TEST(next.day == spent.day + 1);
}

/// The server's clock is two minutes ahead of this node's.
BOOST_AUTO_TEST_CASE(minutes_are_told_by_the_clock_of_the_server) {
  limits::lease_terms t;
  t.plan = free_plan;
  t.minute_used = 56;
  t.minute_end = now.boot + 40s;
  t.day = now.wall.time_since_epoch() / 24h;
  t.wall_minus_boot = now.wall_minus_boot() + 2min;
  lease.install(t, 0, false);
  BOOST_TEST(admitted(4) == 1);
  now.wall -= 4min;
  own.end();
  BOOST_TEST(admitted(4) == 1);
}

/// The plan was larger before, so more is used than this node's part.
BOOST_AUTO_TEST_CASE(a_count_above_the_largest_quota_does_not_change_the_end_of_the_minute) {
  constexpr limits::plan largest{.per_minute = limits::per_minute_max};
  BOOST_TEST(own.charge(unused(largest), largest, 1, 16'000'000).admitted());
  auto const refused = limits::tell(own.charge(unused(largest), largest, 3, 1));
  BOOST_TEST(!refused.admitted());
  BOOST_TEST(refused.retry_after_s == 60);
}

/// The whole bucket has a token more every ten seconds, this node's part every thirty.
BOOST_AUTO_TEST_CASE(under_continuous_refill_the_wait_that_is_told_is_that_of_the_share) {
  constexpr limits::plan smooth{.per_minute = 6, .minute_refill = limits::refill::continuous};
  auto const told = [&] { return limits::tell(own.charge(unused(smooth), smooth, 3, 1)); };
  BOOST_TEST(told().remaining == 1u);
  BOOST_TEST(told().remaining == 0u);
  auto const refused = told();
  BOOST_TEST(!refused.admitted());
  BOOST_TEST(refused.limit() == 6u);
  BOOST_TEST(refused.remaining == 0u);
  BOOST_TEST(refused.retry_after_s == 30);
  BOOST_TEST(refused.minute.more_in_s == 30);
  BOOST_TEST(refused.reset_unix_s >= now.wall.time_since_epoch() / 1s + 30);
  pass(30s - 1ns);
  BOOST_TEST(!told().admitted());
  pass(1ns);
  BOOST_TEST(told().admitted());
}

BOOST_AUTO_TEST_CASE(under_continuous_refill_what_is_told_to_be_left_is_what_the_share_has) {
  constexpr limits::plan smooth{.per_minute = 600, .minute_refill = limits::refill::continuous};
  auto const charge = [&](limits::cost tokens) { return own.charge(unused(smooth), smooth, 3, tokens); };
  for (std::uint64_t left = 200; left-- > 0;) BOOST_TEST(limits::tell(charge(1)).remaining == left);
  pass(1'500ms);  // five tokens
  auto const too_many = charge(9);
  BOOST_TEST(!too_many.admitted());
  BOOST_TEST((too_many.retry_after() == std::optional<std::chrono::nanoseconds>{1'200ms}));
  BOOST_TEST(limits::tell(charge(2)).remaining == 3u);
}

BOOST_AUTO_TEST_SUITE_END()
