// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>

#include "clock.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/notice.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace {

struct account_before_and_after {
  virtual_clock clock;
  plan p{per_minute(60), per_day(1'000)};
  ban_policy bans;
  account before;
  account after;

  notice charge(account& a) { return tell(a.charge(p, bans, clock.now)); }
  void restart() { after.restore(before.save(p, clock.now), p, bans, clock.now); }
  /// The machine was off for a while and its boot clock begins anew.
  void reboot(std::chrono::nanoseconds off) {
    saved_account const saved = before.save(p, clock.now);
    clock.now = {.boot = boot_time{5s}, .wall = clock.now.wall + off};
    after.restore(saved, p, bans, clock.now);
  }
  void make_banned(account& a) {
    bans.strikes = 3;
    p.long_window = per_day(1);
    charge(a);
    charge(a);
    clock.pass(bans.grace);
    for (int strikes = 0; charge(a).decision != decision::banned; ++strikes) BOOST_TEST_REQUIRE(strikes < 3);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_account_saved, account_before_and_after)

BOOST_AUTO_TEST_CASE(new_account_saves_as_nothing) {
  BOOST_TEST((before.save(p, clock.now) == saved_account{}));
}

BOOST_AUTO_TEST_CASE(restart_keeps_counts_and_the_periods_end) {
  for (int i = 0; i < 17; ++i) charge(before);
  clock.pass(20s);
  restart();
  notice const v = charge(after);
  BOOST_TEST(v.short_window.used == 18u);
  BOOST_TEST(v.long_window.used == 18u);
  BOOST_TEST(v.short_window.more_in_s == 40);
}

BOOST_AUTO_TEST_CASE(saving_again_gives_the_same) {
  for (int i = 0; i < 17; ++i) charge(before);
  restart();
  BOOST_TEST((after.save(p, clock.now) == before.save(p, clock.now)));
  clock.pass(7s);
  BOOST_TEST((after.save(p, clock.now) == before.save(p, clock.now)));
}

BOOST_AUTO_TEST_CASE(reboot_keeps_a_period_that_began_before_it) {
  for (int i = 0; i < 60; ++i) charge(before);
  reboot(20s);
  notice const v = charge(after);
  BOOST_TEST(v.decision == decision::rate_limited);
  BOOST_TEST(v.retry_after_s == 40);
  clock.pass(40s);
  BOOST_TEST(charge(after).short_window.used == 1u);
}

BOOST_AUTO_TEST_CASE(continuous_debt_survives_a_reboot) {
  p.short_refill = refill::continuous;
  for (int i = 0; i < 60; ++i) charge(before);
  reboot(20s);
  BOOST_TEST(tell(after.observe(p, clock.now)).short_window.remaining == 20u);
}

BOOST_AUTO_TEST_CASE(period_from_the_future_is_cut_to_one_period) {
  for (int i = 0; i < 60; ++i) charge(before);
  reboot(-10min);  // the wall clock was ahead when it was saved
  notice const v = charge(after);
  BOOST_TEST(v.decision == decision::rate_limited);
  BOOST_TEST(v.retry_after_s == 60);
  account continuous;
  continuous.restore({.full_at_unix_ms = clock.now.wall.time_since_epoch() / 1ms + 600'000}, p, bans, clock.now);
  BOOST_TEST(tell(continuous.observe(p, clock.now)).short_window.reset_unix_s ==
             clock.now.wall.time_since_epoch() / 1s + 60);
}

BOOST_AUTO_TEST_CASE(day_after_today_becomes_today_with_its_count) {
  for (int i = 0; i < 7; ++i) charge(before);
  reboot(-48h);
  notice const v = tell(after.observe(p, clock.now));
  BOOST_TEST(v.long_window.used == 7u);
  BOOST_TEST(v.long_window.more_in_s == 12 * 3'600);
}

BOOST_AUTO_TEST_CASE(day_before_today_is_over) {
  for (int i = 0; i < 7; ++i) charge(before);
  reboot(24h);
  BOOST_TEST(tell(after.observe(p, clock.now)).long_window.used == 0u);
}

BOOST_AUTO_TEST_CASE(ban_and_its_history_survive_a_reboot) {
  make_banned(before);
  reboot(20s);
  notice const v = charge(after);
  BOOST_TEST(v.decision == decision::banned);
  BOOST_TEST(after.banned(clock.later(40s - 1ms)));
  BOOST_TEST(!after.banned(clock.later(40s)));
  clock.pass(50s);
  for (int strikes = 0; charge(after).decision != decision::banned; ++strikes) {
    BOOST_TEST_REQUIRE(strikes < 10);
    clock.pass(10ms);
  }
  saved_account const saved = after.save(p, clock.now);
  BOOST_TEST(saved.ban_until_unix_ms - clock.now.wall.time_since_epoch() / 1ms == 120'000);
  BOOST_TEST(saved.bans_begun_unix_ms[1] != 0);
}

BOOST_AUTO_TEST_CASE(a_ban_that_began_more_than_a_day_before_a_reboot_has_begun) {
  bans = {.strikes = 3, .base = 48h, .max = 48h};
  make_banned(before);
  reboot(25h);
  BOOST_TEST(charge(after).decision == decision::banned);
  auto const begun = after.save(p, clock.now).bans_begun_unix_ms;
  BOOST_TEST(begun[0] >= virtual_clock::start.wall.time_since_epoch() / 1ms);
  BOOST_TEST(begun[0] < clock.now.wall.time_since_epoch() / 1ms);
}

BOOST_AUTO_TEST_CASE(many_bans_survive_and_are_counted) {
  saved_account saved;
  std::int64_t const now_ms = clock.now.wall.time_since_epoch() / 1ms;
  for (std::size_t i = 0; i < saved.bans_begun_unix_ms.size(); ++i)
    saved.bans_begun_unix_ms[i] = now_ms - 80'000'000 + static_cast<std::int64_t>(i) * 5'000'000;
  clock.now.boot = boot_time{10s};  // all of them before the boot clock began
  after.restore(saved, p, bans, clock.now);
  BOOST_TEST(after.remembers_bans(clock.now));
  BOOST_TEST((after.save(p, clock.now).bans_begun_unix_ms == saved.bans_begun_unix_ms));
  clock.pass(1h);
  auto const kept = after.save(p, clock.now).bans_begun_unix_ms;  // those of the last 24 h
  BOOST_TEST(std::count(kept.begin(), kept.end(), 0) == 0);
  clock.pass(10h);
  auto const later = after.save(p, clock.now).bans_begun_unix_ms;
  BOOST_TEST(std::count(later.begin(), later.end(), 0) == 7);
}

BOOST_AUTO_TEST_CASE(ban_from_the_future_is_cut_to_the_longest) {
  std::int64_t const now_ms = clock.now.wall.time_since_epoch() / 1ms;
  after.restore({.announced_at_unix_ms = now_ms + 1'000'000'000,
                 .announced_until_unix_ms = now_ms + 2'000'000'000,
                 .strikes_gone_at_unix_ms = now_ms + 3'000'000'000,
                 .ban_until_unix_ms = now_ms + 4'000'000'000},
                p, bans, clock.now);
  saved_account const saved = after.save(p, clock.now);
  BOOST_TEST(saved.announced_at_unix_ms == now_ms);
  BOOST_TEST(saved.announced_until_unix_ms == now_ms + 86'400'000);
  BOOST_TEST(saved.strikes_gone_at_unix_ms == now_ms + 100'000);
  BOOST_TEST(saved.ban_until_unix_ms == now_ms + 3'600'000);
}

BOOST_AUTO_TEST_CASE(an_operators_ban_survives_a_restart) {
  before.impose_ban(clock.now.wall + 30min, clock.now);
  restart();
  BOOST_TEST(after.banned(clock.later(30min - 1ms)));
}

BOOST_AUTO_TEST_SUITE_END()
