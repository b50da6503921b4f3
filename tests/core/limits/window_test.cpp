// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/window.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>

#include "clock.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/headers.hpp"
#include "petstore/limits/lease.hpp"
#include "petstore/limits/limiter.hpp"
#include "petstore/limits/long_use.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace limits_window {  // the suite
namespace {

constexpr wall_time at(std::chrono::sys_days day, std::chrono::nanoseconds into = 0ns) {
  return day + into;
}

struct one_account : virtual_clock {
  account a;

  void set(wall_time wall) { now.wall = wall; }
  verdict charge(plan const& p, cost tokens = 1) { return a.charge(p, no_bans, tokens, now); }
  int admitted(plan const& p) {
    int count = 0;
    while (count < 1'000 && charge(p).admitted()) ++count;
    return count;
  }
  std::int64_t reset_in(verdict const& v) const {
    return tell(v).reset_unix_s - now.wall.time_since_epoch().count() / 1'000'000'000;
  }
};

std::string fields_of(verdict const& v) {
  std::string out;
  append_headers(out, v, rate_limit_fields::draft11);
  return out;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_window, one_account)

BOOST_AUTO_TEST_CASE(a_period_is_of_1_second_to_31_days) {
  static_assert(!period::of(0s));
  static_assert(!period::of(-1s));
  static_assert(period::of(1s) == period{1s});
  static_assert(period::of(std::chrono::days{31}) == period{std::chrono::days{31}});
  static_assert(!period::of(std::chrono::days{31} + 1s));
  static_assert(period{1'500ms + 500ms}.longest() == 2s);
}

BOOST_AUTO_TEST_CASE(the_bits_of_a_period_are_those_of_no_other) {
  for (period const p : {period{1s}, period{1s}.aligned(), period{std::chrono::days{31}},
                         period{std::chrono::months{1}}, period{std::chrono::weeks{1}}.aligned()}) {
    BOOST_TEST((period::of_bits(p.bits()) == p));
    BOOST_TEST(p.bits() < 1u << 24);
  }
  BOOST_TEST(!period::of_bits(0).has_value());
  BOOST_TEST(!period::of_bits(2'678'401).has_value());
  BOOST_TEST(!period::of_bits(1u << 22).has_value());  // a month that is not aligned
  BOOST_TEST(!period::of_bits(1u << 24 | 60).has_value());
}

BOOST_AUTO_TEST_CASE(every_period_has_a_name) {
  BOOST_TEST(name_of(1s) == "second");
  BOOST_TEST(name_of(1min) == "minute");
  BOOST_TEST(name_of(1h) == "hour");
  BOOST_TEST(name_of(24h) == "day");
  BOOST_TEST(name_of(std::chrono::weeks{1}) == "week");
  BOOST_TEST(name_of(std::chrono::months{1}) == "month");
  BOOST_TEST(name_of(90s) == "90s");
  BOOST_TEST(name_of(period{std::chrono::days{31}}.aligned()) == "2678400s");
}

BOOST_AUTO_TEST_CASE(aligned_periods_begin_where_people_expect_them) {
  using namespace std::chrono;
  constexpr sys_days thursday = 2026y / November / 26;
  static_assert(period{1h}.aligned().end_after(at(thursday, 10h + 1ns)) == at(thursday, 11h));
  static_assert(period{1h}.aligned().end_after(at(thursday, 10h)) == at(thursday, 11h));
  static_assert(period{days{1}}.aligned().end_after(at(thursday, 24h - 1ns)) == thursday + days{1});
  static_assert(period{weeks{1}}.aligned().end_after(thursday) == sys_days{2026y / November / 30});  // a Monday
  static_assert(period{weeks{1}}.aligned().end_after(wall_time{}) == sys_days{days{4}});
  static_assert(period{months{1}}.end_after(thursday) == sys_days{2026y / December / 1});
  static_assert(period{months{1}}.end_after(sys_days{2026y / December / 31}) == sys_days{2027y / January / 1});
  static_assert(period{months{1}}.end_after(sys_days{2028y / February / 29}) == sys_days{2028y / March / 1});
  static_assert(period{months{1}}.length_before(sys_days{2028y / March / 1}) == days{29});
  static_assert(period{months{1}}.length_before(sys_days{2027y / March / 1}) == days{28});
  static_assert(period{months{1}}.length_before(sys_days{2027y / January / 1}) == days{31});
  static_assert(period{1h}.end_after(at(thursday, 10h + 1ns)) == at(thursday, 11h + 1ns));  // begins with a request
}

BOOST_AUTO_TEST_CASE(a_second_and_an_hour_begin_with_the_request_that_opens_them) {
  plan const p{per_second(3), per_hour(5)};
  BOOST_TEST(admitted(p) == 3);
  BOOST_TEST(tell(charge(p)).retry_after_s == 1);
  pass(1s);
  BOOST_TEST(admitted(p) == 2);  // the hour has no more
  verdict const refused = charge(p);
  BOOST_TEST(tell(refused).shown == resource::long_window);
  BOOST_TEST(tell(refused).retry_after_s == 3'599);
  pass(3'598s);
  BOOST_TEST(charge(p).refused());
  pass(1s);
  BOOST_TEST(admitted(p) == 3);
}

BOOST_AUTO_TEST_CASE(a_long_period_that_a_request_begins_ends_at_a_full_second_that_is_not_earlier) {
  plan const p{per_second(1), per_hour(1)};
  now.boot = boot_time{1'000s + 1ns};
  BOOST_TEST(charge(p).admitted());
  BOOST_TEST((charge(p).retry_after() == 3'601s - 1ns));
  pass(3'601s - 2ns);
  BOOST_TEST(charge(p).refused());
  pass(1ns);
  BOOST_TEST(charge(p).admitted());
}

BOOST_AUTO_TEST_CASE(a_month_ends_with_the_calendar_s) {
  using namespace std::chrono;
  plan const p{per_hour(100), per_month(3)};
  set(at(2028y / February / 10, 12h));
  BOOST_TEST(admitted(p) == 3);
  BOOST_TEST(tell(charge(p)).reset_unix_s == sys_days{2028y / March / 1}.time_since_epoch() / 1s);
  pass(days{19} + 12h - 1ns);
  BOOST_TEST(charge(p).refused());
  pass(1ns);
  BOOST_TEST(admitted(p) == 3);
  BOOST_TEST(tell(charge(p)).reset_unix_s == sys_days{2028y / April / 1}.time_since_epoch() / 1s);
}

BOOST_AUTO_TEST_CASE(a_clock_that_is_set_back_does_not_open_a_month_again) {
  using namespace std::chrono;
  plan const p{per_minute(100), per_month(3)};
  set(at(2026y / May / 1, 1h));
  BOOST_TEST(admitted(p) == 3);
  now.wall -= 2h;  // April again
  BOOST_TEST(charge(p).refused());
  BOOST_TEST(tell(charge(p)).reset_unix_s == sys_days{2026y / June / 1}.time_since_epoch() / 1s);
}

BOOST_AUTO_TEST_CASE(an_aligned_minute_ends_on_the_minute) {
  plan const p{{window{2, period{1min}.aligned()}}};
  now.wall += 45'500ms;
  BOOST_TEST(admitted(p) == 2);
  BOOST_TEST((charge(p).retry_after() == 14'500ms));
  pass(14'500ms);
  BOOST_TEST(admitted(p) == 2);
  BOOST_TEST((charge(p).retry_after() == 60s));
}

BOOST_AUTO_TEST_CASE(an_aligned_period_of_the_short_window_is_opened_once_however_the_clock_is_set) {
  plan const p{{window{100, period{1h}.aligned()}}};
  now.wall += 59min;
  BOOST_TEST(admitted(p) == 100);
  pass(1min - 1s);
  now.wall -= 2s;
  pass(1s);  // the hour is over, and the clock shows three seconds before its end
  BOOST_TEST(admitted(p) == 100);
  pass(3s);
  BOOST_TEST(charge(p).refused());
  BOOST_TEST((charge(p).retry_after() == 1h - 1s));
  pass(1h - 1s);
  BOOST_TEST(admitted(p) == 100);
}

BOOST_AUTO_TEST_CASE(readings_of_two_clocks_a_little_apart_open_no_period_again) {
  plan const p{{window{100, period{1h}.aligned()}}};
  instant const opened{now.boot - 3ms, now.wall};
  BOOST_TEST(a.charge(p, no_bans, 100, opened).admitted());
  pass(1h - 2ms);
  BOOST_TEST(admitted(p) == 100);  // the hour that follows
  pass(2ms);
  BOOST_TEST(charge(p).refused());
}

BOOST_AUTO_TEST_CASE(a_restart_at_the_end_of_an_aligned_period_opens_it_no_second_time) {
  plan const p{{window{100, period{1h}.aligned()}}};
  now.wall += 7'123'456ns;
  BOOST_TEST(admitted(p) == 100);
  account after;
  after.restore(a.save(p, now), p, no_bans, {boot_time{5s + 1ns}, now.wall});
  auto const end = later(1h - 7'123'457ns - 1us);
  instant const restarted{boot_time{5s + 1ns} + (end.boot - now.boot), end.wall};
  BOOST_TEST(after.charge(p, no_bans, restarted).refused() == (after.observe(p, restarted).short_word != 0));
  int count = 0;
  for (int ms = 0; ms < 20; ++ms)
    while (after.charge(p, no_bans, restarted + std::chrono::milliseconds{ms}).admitted()) ++count;
  BOOST_TEST(count <= 100);
}

BOOST_AUTO_TEST_CASE(a_week_and_any_other_length_are_windows_too) {
  plan const p{{window{2, 90s}}, per_week(3)};
  BOOST_TEST(admitted(p) == 2);
  BOOST_TEST(tell(charge(p)).retry_after_s == 90);
  pass(90s);
  BOOST_TEST(admitted(p) == 1);
  std::string const fields = fields_of(charge(p));
  BOOST_TEST(fields.find("X-RateLimit-Resource: week\r\n") != std::string::npos);
  BOOST_TEST(fields.find("RateLimit-Policy: \"90s\";q=2;w=90, \"week\";q=3;w=604800\r\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_day_that_is_refilled_continuously_gives_a_token_each_fraction) {
  plan const p{.short_window = per_day(24), .short_refill = refill::continuous};
  BOOST_TEST(admitted(p) == 24);
  BOOST_TEST((charge(p).retry_after() == 1h));
  pass(5h);
  BOOST_TEST(admitted(p) == 5);
}

BOOST_AUTO_TEST_CASE(the_fields_name_the_windows_and_tell_the_length_of_the_present_month) {
  using namespace std::chrono;
  plan const p{per_hour(10), per_month(20)};
  set(at(2027y / February / 28, 23h));
  BOOST_TEST(fields_of(charge(p)) ==
             "X-RateLimit-Limit: 10\r\n"
             "X-RateLimit-Remaining: 9\r\n"
             "X-RateLimit-Reset: 1803859200\r\n"
             "X-RateLimit-Resource: hour\r\n"
             "RateLimit-Policy: \"hour\";q=10;w=3600, \"month\";q=20;w=2419200\r\n"
             "RateLimit: \"hour\";r=9;t=3600, \"month\";r=19;t=3600\r\n");
  pass(1h);
  BOOST_TEST(fields_of(charge(p)).find("\"month\";q=20;w=2678400\r\n") != std::string::npos);
  BOOST_TEST(fields_of(charge({per_second(5)})).find("RateLimit-Policy: \"second\";q=5;w=1\r\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_change_of_windows_keeps_open_periods_and_what_was_used) {
  plan const of_a_minute{per_minute(4), per_day(6)}, of_an_hour{per_hour(4), per_month(6)};
  BOOST_TEST(admitted(of_a_minute) == 4);
  BOOST_TEST((charge(of_an_hour).retry_after() == 60s));  // the open minute ends when it was announced to
  pass(60s);
  BOOST_TEST(admitted(of_an_hour) == 2);  // the day is open until it ends, then the month begins
  BOOST_TEST(tell(charge(of_an_hour)).retry_after_s == 12 * 3'600 - 60);
  pass(12h);
  BOOST_TEST(admitted(of_an_hour) == 4);
  BOOST_TEST((charge(of_a_minute).retry_after() == 1h));
}

BOOST_AUTO_TEST_CASE(a_larger_long_window_does_not_overflow_a_period_that_a_request_began) {
  plan const small{per_second(short_tokens_max), per_hour(long_tokens_by_request_max)};
  plan const large{per_second(short_tokens_max), per_day(long_tokens_max)};
  BOOST_TEST(charge(small, short_tokens_max).admitted());
  for (int i = 1; i < 256; ++i) {
    pass(1s);
    BOOST_TEST_REQUIRE(charge(large, short_tokens_max).admitted());
  }
  pass(1s);
  BOOST_TEST(used_of_long_window(charge(large, 255)) == long_tokens_by_request_max);
  BOOST_TEST(charge(large).refused());  // until the hour ends
  pass(1h);
  BOOST_TEST(charge(large).admitted());
}

BOOST_AUTO_TEST_CASE(a_refund_finds_its_period_of_any_window) {
  for (plan const& p : {plan{per_second(3), per_hour(9)}, plan{per_hour(3), per_month(9)},
                        plan{{window{3, period{1min}.aligned()}}, {window{9, 5h}}}}) {
    account fresh;
    verdict charged = fresh.charge(p, no_bans, 3, now);
    BOOST_TEST_REQUIRE(charged.admitted());
    [[maybe_unused]] verdict const copy = charged;
    BOOST_TEST(tell(fresh.refund(charged, p, now)).short_window.remaining == 3u);
    BOOST_TEST(tell(fresh.observe(p, now)).long_window.remaining == 9u);
#ifdef NDEBUG
    BOOST_TEST((fresh.refund(copy, p, now).occasion == occasion::mistaken_refund));
#endif
  }
}

BOOST_AUTO_TEST_CASE(a_restart_keeps_every_window) {
  for (plan const& p : {plan{per_second(3), per_hour(9)}, plan{per_hour(3), per_month(9)},
                        plan{{window{3, period{1min}.aligned()}}, per_week(9)}}) {
    account before;
    BOOST_TEST_REQUIRE(before.charge(p, no_bans, 2, now).admitted());
    instant const rebooted{boot_time{7s}, now.wall + 200ms};
    account after;
    after.restore(before.save(p, now), p, no_bans, rebooted);
    notice const told = tell(after.observe(p, rebooted)), was = tell(before.observe(p, now));
    BOOST_TEST(told.short_window.remaining == 1u);
    BOOST_TEST(told.short_window.reset_unix_s == was.short_window.reset_unix_s);
    BOOST_TEST(told.long_window.remaining == 7u);
    // A period that a request began ends at a full second of the new clock.
    BOOST_TEST(told.long_window.reset_unix_s >= was.long_window.reset_unix_s);
    BOOST_TEST(told.long_window.reset_unix_s <= was.long_window.reset_unix_s + 1);
  }
}

BOOST_AUTO_TEST_CASE(a_limiter_restores_windows_that_its_own_plan_does_not_have) {
  using namespace std::chrono;
  plan const week{per_minute(100), per_week(10)};
  for (plan const& own : {plan{per_minute(1)}, plan{per_minute(1), per_day(5)}, plan{per_minute(1), per_month(5)}}) {
    set(at(2026y / November / 30, 23h));
    limiter<int> before({.plan = own}), after({.plan = own});
    BOOST_TEST(before.charge(1, week, 10, now).admitted());
    BOOST_TEST(after.restore(before.snapshot(now), now) == 1u);
    BOOST_TEST(after.charge(1, week, 1, later(2h)).refused());  // in December, but in the same week
    BOOST_TEST(after.charge(1, week, 1, later(6 * 24h + 1h)).admitted());
  }
}

/// So a caller that does not wait is struck as before.
BOOST_AUTO_TEST_CASE(a_limiter_restores_waits_for_windows_that_its_own_plan_does_not_have) {
  using namespace std::chrono;
  plan const week{per_minute(100), per_week(10)};
  for (plan const& own : {plan{per_minute(1)}, plan{per_minute(1), per_day(5)}}) {
    set(at(2026y / November / 30, 23h));
    limiter<int> before({.plan = own}), after({.plan = own});
    BOOST_TEST(before.charge(1, week, 10, now).admitted());
    BOOST_TEST(before.charge(1, week, 1, now).refused());
    BOOST_TEST(after.restore(before.snapshot(now), now) == 1u);
    BOOST_TEST((after.snapshot(now).front().account == before.snapshot(now).front().account));
  }
}

BOOST_AUTO_TEST_CASE(an_account_that_was_saved_in_a_wrong_year_is_full_again_when_the_plan_says_so) {
  using namespace std::chrono;
  plan const p{per_minute(100), per_day(10)};
  set(at(2099y / May / 5, 1h));
  BOOST_TEST(charge(p, 10).admitted());
  auto const saved = a.save(p, now);  // 23 hours before midnight
  set(at(2026y / November / 1, 12h));
  account after;
  after.restore(saved, p, no_bans, now);
  BOOST_TEST(tell(after.charge(p, no_bans, now)).retry_after_s == 12 * 3'600);
}

BOOST_AUTO_TEST_CASE(a_limiter_that_was_saved_in_a_wrong_year_restores_what_was_left_of_the_day) {
  using namespace std::chrono;
  plan const p{per_minute(100), per_day(10)};
  set(at(2040y / May / 5, 10h));
  limiter<int> before({.plan = {per_minute(1)}}), after({.plan = {per_minute(1)}});
  BOOST_TEST(before.charge(1, p, 10, now).admitted());
  auto const saved = before.snapshot(now);
  set(at(2026y / November / 1, 10h));
  BOOST_TEST(after.restore(saved, now) == 1u);
  BOOST_TEST(tell(after.charge(1, p, 1, now)).retry_after_s == 14 * 3'600);
}

BOOST_AUTO_TEST_CASE(a_day_under_a_plan_whose_long_period_a_request_begins_is_kept) {
  plan const day{per_minute(100), per_day(10)}, half_an_hour{per_minute(100), {window{10, 30min}}};
  BOOST_TEST(charge(day, 10).admitted());
  a.leave_wrong_period(half_an_hour, now);
  BOOST_TEST(charge(half_an_hour).refused());
  account after;
  after.restore(a.save(half_an_hour, now), half_an_hour, no_bans, now);
  BOOST_TEST(after.charge(half_an_hour, no_bans, now).refused());
}

BOOST_AUTO_TEST_CASE(restarts_do_not_move_the_end_of_a_period_that_a_request_began) {
  plan const p{per_second(100), per_hour(10)};
  BOOST_TEST(charge(p).admitted());
  auto const end = tell(a.observe(p, now)).long_window.reset_unix_s;
  saved_account saved = a.save(p, now);
  for (int restart = 0; restart < 20; ++restart) {
    now.wall += restart % 2 == 0 ? 600us : -600us;
    account next;
    next.restore(saved, p, no_bans, now);
    saved = next.save(p, now);
    BOOST_TEST(tell(next.observe(p, now)).long_window.reset_unix_s <= end + 1);
  }
}

BOOST_AUTO_TEST_CASE(a_clock_before_1970_opens_no_aligned_period_for_a_window_that_has_none) {
  plan const p{per_second(100), {window{3, 1h}}};
  set(wall_time{-std::chrono::days{365}});
  BOOST_TEST(admitted(p) == 3);
  BOOST_TEST((charge(p).retry_after() == 1h));
}

BOOST_AUTO_TEST_CASE(a_refusal_for_what_a_word_can_count_says_so) {
  plan const small{per_second(short_tokens_max), per_hour(long_tokens_by_request_max)};
  plan const large{per_second(short_tokens_max), per_day(long_tokens_max)};
  for (int i = 0; i < 256; ++i) {
    BOOST_TEST_REQUIRE(charge(small, short_tokens_max).admitted());
    pass(1s);
  }
  BOOST_TEST(charge(small, 255).admitted());
  notice const refused = tell(charge(large));
  BOOST_TEST(refused.long_exhausted);
  BOOST_TEST(refused.remaining == 0u);
  BOOST_TEST(refused.retry_after_s == 3'600 - 256);
}

BOOST_AUTO_TEST_CASE(a_lease_has_the_terms_of_any_window) {
  plan const by_request{per_second(100), per_hour(1'000)}, aligned{per_hour(100), per_month(1'000)};
  lease_terms t;
  t.plan = by_request;
  t.short_used = 30;
  t.short_end = now.boot + 700ms;
  t.long_end = now.boot + 1'800s;
  t.long_used = 400;
  t.wall_minus_boot = now.wall_minus_boot();
  t.use_until = t.held_until = now.boot + 600ms;
  lease l;
  l.install(t, 10, false);
  auto const first = l.charge(by_request, 1, now);
  BOOST_TEST_REQUIRE((first.outcome == lease::outcome::admitted));
  BOOST_TEST(tell(first.verdict).short_window.remaining == 79u);
  BOOST_TEST(tell(first.verdict).long_window.remaining == 609u);
  BOOST_TEST(tell(first.verdict).long_window.more_in_s == 1'800);
  BOOST_TEST((l.charge(aligned, 1, now).outcome == lease::outcome::must_ask));

  t.plan = aligned;
  t.long_end = {};
  t.long_end_wall = aligned.long_window.period().end_after(now.wall);
  l.install(t, 10, false);
  auto const second = l.charge(aligned, 1, now);
  BOOST_TEST_REQUIRE((second.outcome == lease::outcome::admitted));
  BOOST_TEST(tell(second.verdict).long_window.reset_unix_s == t.long_end_wall.time_since_epoch() / 1s);
  BOOST_TEST((second.verdict.plan == aligned));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace limits_window
