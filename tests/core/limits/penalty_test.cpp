// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "limits/penalty.hpp"

#include "clock.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/notice.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace {

struct punished_account {
  virtual_clock clock;
  account a;
  plan small{per_minute(1)};
  plan daily{per_minute(60), per_day(1)};  // refused until midnight once its token is used
  ban_policy bans;

  notice charge(plan const& p) { return tell(a.charge(p, bans, clock.now)); }
  notice charge() { return charge(daily); }
  /// Uses the token, is told so, and waits until nothing is in flight any more.
  void exhaust() {
    charge();
    charge();
    clock.pass(bans.grace);
  }
  /// Refusals without a pause until one is told of a ban; how many it took.
  int strike_until_banned() {
    for (int i = 1; i <= 1'000; ++i)
      if (charge().decision == decision::banned) return i;
    return -1;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_penalty, punished_account)

BOOST_AUTO_TEST_CASE(packing_loses_nothing) {
  namespace d = petstore::limits::detail;
  d::penalty const p{
      .announced_at = 0x12'3456'789a, .announced_until = 0xab'cdef'0123, .strikes_gone_at = 0xff'ffff'ffff};
  BOOST_TEST((d::unpack(d::pack(p)) == p));
  BOOST_TEST((d::pack({}) == d::word_pair{}));
}

BOOST_AUTO_TEST_CASE(the_hundredth_strike_is_told_of_the_ban) {
  exhaust();
  BOOST_TEST(strike_until_banned() == 100);
  notice const v = charge();
  BOOST_TEST(v.decision == decision::banned);
  BOOST_TEST(v.remaining == 0u);
  BOOST_TEST(v.shown == resource::long_window);
  BOOST_TEST(v.reset_unix_s == midnight_unix_s);
}

BOOST_AUTO_TEST_CASE(refusals_in_flight_are_no_strikes) {
  charge();
  for (int i = 0; i < 1'000; ++i) BOOST_TEST_REQUIRE(charge().decision == decision::rate_limited);
  clock.pass(bans.grace - 1ms);
  for (int i = 0; i < 1'000; ++i) BOOST_TEST_REQUIRE(charge().decision == decision::rate_limited);
}

BOOST_AUTO_TEST_CASE(a_client_that_waits_as_told_is_never_struck) {
  bans.strikes = 1;
  for (int i = 0; i < 200; ++i) {
    notice v = charge(small);
    if (!v.admitted()) v = tell(a.charge(small, bans, clock.pass(std::chrono::seconds{v.retry_after_s})));
    BOOST_TEST_REQUIRE(v.admitted());
    v = charge(small);  // one too many
    BOOST_TEST_REQUIRE(v.decision == decision::rate_limited);
    clock.pass(std::chrono::seconds{v.retry_after_s} + 7ms);
  }
}

BOOST_AUTO_TEST_CASE(a_refusal_of_another_plan_announces_anew) {
  bans.strikes = 1;
  exhaust();
  plan const larger{per_minute(2), per_day(100)};
  BOOST_TEST(charge(larger).admitted());
  BOOST_TEST(charge(larger).decision == decision::rate_limited);
  clock.pass(bans.grace - 1ms);
  BOOST_TEST(charge(larger).decision == decision::rate_limited);
  clock.pass(1ms);
  BOOST_TEST(charge(larger).decision == decision::banned);
}

BOOST_AUTO_TEST_CASE(strikes_leave_at_one_a_second) {
  exhaust();
  for (int i = 0; i < 99; ++i) charge();
  clock.pass(10s);
  BOOST_TEST(strike_until_banned() == 11);
}

BOOST_AUTO_TEST_CASE(one_refusal_a_second_never_bans) {
  exhaust();
  for (int i = 0; i < 1'000; ++i)
    BOOST_TEST_REQUIRE(a.charge(daily, bans, clock.pass(1s)).decision == decision::rate_limited);
}

BOOST_AUTO_TEST_CASE(banned_requests_do_not_lengthen_the_ban) {
  exhaust();
  strike_until_banned();
  BOOST_TEST(a.banned(clock.now));
  for (int i = 0; i < 59; ++i) {
    charge();
    clock.pass(1s);
  }
  BOOST_TEST(charge().decision == decision::banned);
  clock.pass(1s);
  BOOST_TEST(!a.banned(clock.now));
  BOOST_TEST(charge().decision == decision::rate_limited);
}

BOOST_AUTO_TEST_CASE(bans_double_up_to_the_longest) {
  std::vector<std::int64_t> lengths;
  exhaust();
  for (int i = 0; i < 8; ++i) {
    BOOST_TEST_REQUIRE(strike_until_banned() > 0);
    std::int64_t length = 0;
    while (a.banned(clock.now)) clock.pass(1s), ++length;
    lengths.push_back(length);
  }
  std::vector<std::int64_t> const expected{60, 120, 240, 480, 960, 1'920, 3'600, 3'600};
  BOOST_TEST(lengths == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_ban_counts_for_a_day) {
  int refused = 0;
  auto const ban_length = [this, &refused] {
    charge(small);
    charge(small);
    clock.pass(bans.grace);
    while (charge(small).decision != decision::banned) BOOST_TEST_REQUIRE(++refused < 1'000);
    auto const begun = clock.now.boot;
    while (a.banned(clock.now)) clock.pass(1s);
    return (clock.now.boot - begun) / 1s;
  };
  auto const first = clock.now.boot + bans.grace;
  BOOST_TEST(ban_length() == 60);
  clock.pass(first + 24h - 1s - bans.grace - clock.now.boot);
  BOOST_TEST(ban_length() == 120);
  clock.pass(first + 24h - bans.grace + 10min - clock.now.boot);
  BOOST_TEST(ban_length() == 120);  // the second one alone counts
  clock.pass(48h);
  BOOST_TEST(ban_length() == 60);
}

BOOST_AUTO_TEST_CASE(a_ban_is_forgotten_when_exactly_a_day_has_passed) {
  namespace d = petstore::limits::detail;
  BOOST_TEST(d::counts_for_next_ban(d::ban_stamp(5'000), 5'000 + d::ban_memory_ms - 1));
  BOOST_TEST(!d::counts_for_next_ban(d::ban_stamp(5'000), 5'000 + d::ban_memory_ms));
  BOOST_TEST(!d::counts_for_next_ban(0, 0));
}

BOOST_AUTO_TEST_CASE(ban_without_an_exhausted_quota_shows_the_minute) {
  a.impose_ban(clock.now.wall + 10min, clock.now);
  notice const v = charge(plan{per_minute(60), per_day(10)});
  BOOST_TEST(v.decision == decision::banned);
  BOOST_TEST(v.shown == resource::short_window);
  BOOST_TEST(v.remaining == 0u);
  BOOST_TEST(v.reset_unix_s == noon_unix_s + 600);
  BOOST_TEST(v.retry_after_s == 600);
  BOOST_TEST(!v.short_exhausted);
  BOOST_TEST(v.short_window.remaining == 60u);
  BOOST_TEST(a.observe(daily, clock.now).decision == decision::banned);
  BOOST_TEST(a.charge_inquiry(daily, clock.now).decision == decision::banned);
}

BOOST_AUTO_TEST_CASE(retry_after_of_a_ban_waits_for_the_quota_too) {
  charge();
  a.impose_ban(clock.now.wall + 10min, clock.now);
  notice const v = charge();
  BOOST_TEST(v.long_exhausted);
  BOOST_TEST(v.shown == resource::long_window);
  BOOST_TEST(v.retry_after_s == 12 * 3'600);
}

BOOST_AUTO_TEST_CASE(an_operators_ban_is_not_shortened_by_another) {
  a.impose_ban(clock.now.wall + 10min, clock.now);
  a.impose_ban(clock.now.wall + 5min, clock.now);
  BOOST_TEST(a.banned(clock.later(9min)));
}

BOOST_AUTO_TEST_CASE(a_ban_for_ever_is_a_ban) {
  a.impose_ban(wall_time::max(), clock.now);
  BOOST_TEST(a.banned(clock.later(24h * 365 * 20)));
}

BOOST_AUTO_TEST_CASE(lifting_forgets_strikes_and_history) {
  exhaust();
  strike_until_banned();
  a.lift_ban();
  BOOST_TEST(!a.banned(clock.now));
  BOOST_TEST(charge().decision == decision::rate_limited);  // a new announcement
  clock.pass(bans.grace);
  BOOST_TEST(strike_until_banned() == 100);
  BOOST_TEST(charge().retry_after_s == 12 * 3'600);
  BOOST_TEST(!a.banned(clock.later(60s)));  // the first ban again
}

BOOST_AUTO_TEST_CASE(no_strikes_no_bans) {
  bans.strikes = 0;
  exhaust();
  BOOST_TEST(strike_until_banned() == -1);
}

BOOST_AUTO_TEST_SUITE_END()
