// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Wall clocks that are wrong, are set, or show a year in which 32 bits of seconds have run out.
#include <limits>
#include <string>
#include <vector>

#include "clock.hpp"
#include "limits/buckets.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/headers.hpp"
#include "petstore/limits/notice.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using std::chrono::seconds;

namespace {

constexpr seconds end_of_31_bits{std::int64_t{1} << 31};  // 2038-01-19T03:14:08Z
constexpr seconds end_of_32_bits{std::int64_t{1} << 32};  // 2106-02-07T06:28:16Z
constexpr seconds a_day{86'400};
constexpr seconds wrong_year{4'086'828'000};  // 2099-07-04T06:00:00Z

struct three_a_day : virtual_clock {
  plan p{per_minute(60), per_day(3)};
  ban_policy bans;
  account a;

  notice charge() { return tell(a.charge(p, bans, now)); }
  void set_wall(nanoseconds since_1970) { now.wall = wall_time{since_1970}; }
  int admitted_of(int requests) {
    int admitted = 0;
    for (int i = 0; i < requests; ++i) admitted += charge().admitted() ? 1 : 0;
    return admitted;
  }
};

/// Everything that is told and kept in three days of a client that asks too often, with the times counted from the
/// beginning.
std::vector<std::int64_t> life_from(seconds wall, refill mode) {
  plan const p{.short_window = per_minute(5), .long_window = per_day(40), .short_refill = mode};
  ban_policy const bans{.strikes = 4, .base = 10min, .max = 3h};
  virtual_clock clock{{.boot = boot_time{1'000s}, .wall = wall_time{wall}}};
  account a;
  std::vector<std::int64_t> seen;
  auto const since = [&](std::int64_t unix, std::int64_t second) {
    seen.push_back(unix == 0 ? -1 : unix - wall.count() * second);
  };
  for (int request = 0; request < 1'500; ++request) {
    clock.pass(request % 10 == 9 ? 25min : 1'300ms);
    notice const n = tell(a.charge(p, bans, clock.now));
    seen.insert(seen.end(), {static_cast<std::int64_t>(n.decision), static_cast<std::int64_t>(n.remaining),
                             n.retry_after_s, n.short_window.more_in_s, n.long_window.more_in_s});
    since(n.reset_unix_s, 1);
    saved_account const saved = a.save(p, clock.now);
    for (auto const ms : {saved.short_end_unix_ms, saved.full_at_unix_ms, saved.announced_until_unix_ms,
                          saved.strikes_gone_at_unix_ms, saved.ban_until_unix_ms, saved.bans_begun_unix_ms[0]})
      since(ms, 1'000);
    since(saved.long_end_unix_ms / 1'000 + wall.count() % a_day.count(), 1);
    account restored;
    restored.restore(saved, p, bans, clock.now);
    seen.push_back(restored.save(p, clock.now) == saved);
  }
  return seen;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_wall_clock, three_a_day)

BOOST_AUTO_TEST_CASE(a_life_is_the_same_in_every_year) {
  for (seconds const edge : {end_of_31_bits, end_of_32_bits, 2 * end_of_32_bits - 1'000 * a_day})
    for (seconds const before : {0s, 1s, 20s, 3'600s, 36h / 1s * 1s})
      for (refill const mode : {refill::periodic, refill::continuous}) {
        seconds const begin = edge - before;
        seconds const same_time_of_day{noon_unix_s - noon_unix_s % a_day.count() + begin.count() % a_day.count()};
        auto const then = life_from(begin, mode);
        bool const is_same = then == life_from(same_time_of_day, mode);
        BOOST_TEST(is_same, "begun " << begin.count());
      }
}

BOOST_AUTO_TEST_CASE(fields_carry_times_after_2106_in_full) {
  set_wall(end_of_32_bits - 10s);
  admitted_of(3);
  std::string fields;
  append_headers(fields, a.charge(p, bans, now), rate_limit_fields::draft11);
  BOOST_TEST(fields.find("X-RateLimit-Reset: 4295030400\r\n") != std::string::npos, fields);  // 2106-02-08T00:00Z
  BOOST_TEST(fields.find("Retry-After: 63114\r\n") != std::string::npos, fields);
}

BOOST_AUTO_TEST_CASE(a_clock_set_back_grants_nothing) {
  for (nanoseconds const back :
       {1ns, nanoseconds{1s}, nanoseconds{1h}, nanoseconds{24h}, nanoseconds{20'000 * a_day}}) {
    account fresh;
    auto const at = [&](wall_time wall) { return instant{now.boot, wall}; };
    for (int i = 0; i < 3; ++i) BOOST_TEST(fresh.charge(p, bans, at(now.wall)).admitted());
    verdict const refused = fresh.charge(p, bans, at(now.wall - back));
    BOOST_TEST(!refused.admitted());
    BOOST_TEST(tell(refused).retry_after_s >= 12 * 3'600);
    BOOST_TEST(!fresh.charge(p, bans, at(now.wall)).admitted());
  }
}

BOOST_AUTO_TEST_CASE(a_clock_set_forward_opens_one_day_and_the_way_back_none) {
  BOOST_TEST(admitted_of(5) == 3);
  set_wall(wrong_year);
  BOOST_TEST(admitted_of(5) == 3);
  set_wall(seconds{noon_unix_s});
  BOOST_TEST(admitted_of(5) == 0);
  set_wall(wrong_year + 1h);
  BOOST_TEST(admitted_of(5) == 0);
}

BOOST_AUTO_TEST_CASE(a_day_of_a_wrong_year_becomes_today_with_its_count) {
  set_wall(wrong_year);
  admitted_of(2);
  set_wall(seconds{noon_unix_s});
  a.leave_wrong_period(p, now);
  BOOST_TEST(charge().long_window.used == 3u);
  BOOST_TEST(admitted_of(5) == 0);
  BOOST_TEST(charge().retry_after_s == 12 * 3'600);
  pass(12h);
  BOOST_TEST(admitted_of(5) == 3);
}

BOOST_AUTO_TEST_CASE(tomorrow_is_not_a_wrong_day) {
  pass(12h);
  BOOST_TEST(admitted_of(5) == 3);
  now.wall -= 1h;
  a.leave_wrong_period(p, now);
  BOOST_TEST(charge().retry_after_s == 25 * 3'600);
  pass(1h);
  BOOST_TEST(admitted_of(5) == 0);
}

BOOST_AUTO_TEST_CASE(an_announcement_of_a_wrong_year_is_cut_to_the_longest_wait) {
  set_wall(wrong_year);
  admitted_of(3);
  set_wall(seconds{noon_unix_s});
  BOOST_TEST(charge().retry_after_s > 70LL * 365 * 86'400);
  saved_account const before = a.save(p, now);
  a.leave_wrong_period(p, now);
  saved_account const after = a.save(p, now);
  BOOST_TEST(after.announced_at_unix_ms == before.announced_at_unix_ms);
  BOOST_TEST(after.announced_until_unix_ms == now.wall.time_since_epoch() / 1ms + 86'400'000);
}

BOOST_AUTO_TEST_CASE(wrong_years_on_disk_lock_no_account) {
  std::int64_t const then_ms = wrong_year / 1ms;
  saved_account const saved{.short_end_unix_ms = then_ms,
                            .short_used = short_tokens_max,
                            .long_end_unix_ms = wrong_year / a_day * 86'400'000,
                            .long_used = long_tokens_max,
                            .announced_at_unix_ms = then_ms,
                            .announced_until_unix_ms = then_ms + 86'400'000,
                            .strikes_gone_at_unix_ms = then_ms + 100'000,
                            .ban_until_unix_ms = then_ms + 3'600'000,
                            .bans_begun_unix_ms = {then_ms - 3'600'000, then_ms}};
  a.restore(saved, p, bans, now);
  BOOST_TEST(charge().retry_after_s == 12 * 3'600);
  pass(60s);
  BOOST_TEST(tell(a.observe({per_minute(60)}, now)).short_window.used == 0u);
  pass(12h);
  BOOST_TEST(charge().admitted());
}

BOOST_AUTO_TEST_CASE(any_numbers_on_disk_lock_no_account_for_more_than_a_day) {
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t const wild :
       {largest, largest - 60'000, largest / 2, std::int64_t{1} << 40, std::int64_t{-1}, -largest}) {
    saved_account saved{.short_end_unix_ms = wild,
                        .short_used = ~std::uint32_t{0},
                        .full_at_unix_ms = 0,
                        .long_end_unix_ms = wild,
                        .long_used = ~std::uint64_t{0},
                        .announced_at_unix_ms = wild,
                        .announced_until_unix_ms = wild,
                        .strikes_gone_at_unix_ms = wild,
                        .ban_until_unix_ms = wild};
    saved.bans_begun_unix_ms.fill(wild);
    for (bool const is_continuous : {false, true}) {
      if (is_continuous) saved.full_at_unix_ms = wild;
      account restored;
      restored.restore(saved, p, bans, now);
      BOOST_TEST(restored.charge(p, bans, later(24h)).admitted(), wild);
    }
  }
}

/// How long a period had left is believed up to the longest period.
BOOST_AUTO_TEST_CASE(any_time_left_on_disk_locks_no_account_for_more_than_31_days) {
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t const wild : {largest, largest / 2, std::int64_t{1} << 40}) {
    for (bool const is_aligned : {false, true}) {
      account restored;
      restored.restore({.short_end_unix_ms = wild,
                        .short_used = ~std::uint32_t{0},
                        .short_left_ms = wild,
                        .long_end_unix_ms = wild,
                        .long_left_ms = wild,
                        .long_is_aligned = is_aligned,
                        .long_used = ~std::uint64_t{0}},
                       p, bans, now);
      BOOST_TEST(restored.charge(p, bans, later(31 * 24h + 1h)).admitted(), wild);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_start_in_1970_opens_no_day) {
  BOOST_TEST(admitted_of(5) == 3);
  saved_account const saved = a.save(p, now);
  account restarted;
  instant const unset{.boot = boot_time{3s}, .wall = wall_time{10s}};
  restarted.restore(saved, p, bans, unset);
  BOOST_TEST(!restarted.charge(p, bans, unset).admitted());
  instant const set{.boot = boot_time{20s}, .wall = now.wall + 40s};
  BOOST_TEST(tell(restarted.observe(p, set)).long_window.used == 3u);
  BOOST_TEST(!restarted.charge(p, bans, set).admitted());
  BOOST_TEST(restarted.charge(p, bans, {.boot = boot_time{13h}, .wall = now.wall + 13h}).admitted());
}

BOOST_AUTO_TEST_CASE(a_machine_that_stays_in_1970_counts_its_days) {
  set_wall(5s);
  BOOST_TEST(admitted_of(5) == 3);
  saved_account const saved = a.save(p, now);
  account restarted;
  restarted.restore(saved, p, bans, now);
  BOOST_TEST(!restarted.charge(p, bans, now).admitted());
  pass(24h);
  BOOST_TEST(restarted.charge(p, bans, now).admitted());
  BOOST_TEST(admitted_of(5) == 3);
}

BOOST_AUTO_TEST_CASE(a_clock_before_1970_counts_and_tells_nothing_negative) {
  set_wall(-100'000s);
  BOOST_TEST(admitted_of(5) == 3);
  std::string fields;
  append_headers(fields, a.charge(p, bans, now), rate_limit_fields::draft11);
  BOOST_TEST(fields.find(": -") == std::string::npos, fields);
  BOOST_TEST(fields.find("=-") == std::string::npos, fields);
  set_wall(seconds{noon_unix_s});
  BOOST_TEST(admitted_of(5) == 3);
}

BOOST_AUTO_TEST_CASE(a_suspended_machine_wakes_up_with_full_minutes_and_ended_bans) {
  p.long_window = {};
  bans.strikes = 1;
  admitted_of(61);
  pass(1s);
  BOOST_TEST(charge().decision == decision::banned);
  pass(8h);  // both clocks go on meanwhile
  notice const n = charge();
  BOOST_TEST(n.admitted());
  BOOST_TEST(n.short_window.used == 1u);
}

BOOST_AUTO_TEST_CASE(an_operators_ban_moves_with_the_wall_clock_and_no_other_does) {
  instant const unset{.boot = boot_time{3s}, .wall = wall_time{10s}};
  instant const set{.boot = boot_time{20s}, .wall = now.wall};
  wall_time const until = now.wall + 10min;
  a.impose_ban(until, unset);  // for 34 years, by the clocks of a machine without a battery
  BOOST_TEST(a.banned({.boot = boot_time{365 * a_day}, .wall = wall_time{365 * a_day}}));
  a.move_ban(until, unset, set);
  BOOST_TEST(a.banned({.boot = boot_time{20s + 10min - 1ms}, .wall = until - 1ms}));
  BOOST_TEST(!a.banned({.boot = boot_time{20s + 10min}, .wall = until}));

  account other;
  other.impose_ban(until + 1h, set);
  other.move_ban(until, set, {.boot = boot_time{21s}, .wall = wall_time{wrong_year}});
  BOOST_TEST(other.banned({.boot = boot_time{20s + 1h}, .wall = until}));
}

BOOST_AUTO_TEST_CASE(an_operators_ban_that_a_wrong_year_ended_comes_back_with_the_right_one) {
  wall_time const until = now.wall + 10min;
  instant const wrong{.boot = now.boot + 10s, .wall = wall_time{wrong_year}};
  instant const right{.boot = now.boot + 20s, .wall = now.wall + 20s};
  a.impose_ban(until, now);
  a.move_ban(until, now, wrong);
  BOOST_TEST(!a.banned(wrong));
  a.move_ban(until, wrong, right);
  BOOST_TEST(a.banned(right));
  BOOST_TEST(!a.banned({.boot = now.boot + 10min, .wall = until}));
}

BOOST_AUTO_TEST_SUITE_END()
