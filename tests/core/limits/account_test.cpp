// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/account.hpp"

#include <vector>

#include "clock.hpp"
#include "petstore/limits/notice.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace {

struct free_account {
  virtual_clock clock;
  account a;
  plan free{per_minute(60), per_day(1'000)};
  ban_policy bans;

  verdict take(plan const& p) { return a.charge(p, bans, clock.now); }
  verdict take() { return take(free); }
  notice charge(plan const& p) { return tell(take(p)); }
  notice charge() { return charge(free); }
  notice charge_times(int n, plan const& p) {
    notice v;
    for (int i = 0; i < n; ++i) v = charge(p);
    return v;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_account, free_account)

BOOST_AUTO_TEST_CASE(first_request_opens_the_minute_and_counts_on_both) {
  notice const v = charge();
  BOOST_TEST(v.decision == decision::admitted);
  BOOST_TEST(v.short_window.remaining == 59u);
  BOOST_TEST(v.long_window.remaining == 999u);
  BOOST_TEST(v.short_window.reset_unix_s == noon_unix_s + 60);
  BOOST_TEST(v.short_window.more_in_s == 60);
  BOOST_TEST(v.long_window.reset_unix_s == midnight_unix_s);
  BOOST_TEST(v.long_window.more_in_s == 12 * 3'600);
  BOOST_TEST(v.shown == resource::short_window);
  BOOST_TEST(v.remaining == 59u);
  BOOST_TEST(v.limit() == 60u);
  BOOST_TEST(v.reset_unix_s == noon_unix_s + 60);
}

BOOST_AUTO_TEST_CASE(an_unused_account_is_full_now) {
  clock.pass(300ms);
  notice const v = tell(a.observe(free, clock.now));
  BOOST_TEST(v.decision == decision::observed);
  BOOST_TEST(v.remaining == 60u);
  BOOST_TEST(v.reset_unix_s == noon_unix_s);
  BOOST_TEST(v.short_window.more_in_s == 0);
  BOOST_TEST(v.long_window.more_in_s == 0);
  BOOST_TEST(v.long_window.reset_unix_s == noon_unix_s);
}

BOOST_AUTO_TEST_CASE(minute_ends_sixty_seconds_after_the_request_that_opened_it) {
  charge();
  clock.pass(59s);
  notice v = charge_times(59, free);
  BOOST_TEST(v.admitted());
  BOOST_TEST(v.short_window.remaining == 0u);
  clock.pass(1s - 1ns);
  v = charge();
  BOOST_TEST(v.decision == decision::rate_limited);
  BOOST_TEST(v.retry_after_s == 1);
  clock.pass(1ns);
  v = charge();
  BOOST_TEST(v.admitted());
  BOOST_TEST(v.short_window.remaining == 59u);
}

BOOST_AUTO_TEST_CASE(reset_and_t_are_rounded_up) {
  clock.pass(1ms);
  charge();
  clock.pass(999ms);
  notice const v = charge();
  BOOST_TEST(v.short_window.more_in_s == 60);                   // 59.001 s are left
  BOOST_TEST(v.short_window.reset_unix_s == noon_unix_s + 61);  // at 60.001 s
}

BOOST_AUTO_TEST_CASE(refusal_charges_neither_quota) {
  notice v = charge_times(61, free);
  BOOST_TEST(v.decision == decision::rate_limited);
  BOOST_TEST(v.short_exhausted);
  BOOST_TEST(!v.long_exhausted);
  BOOST_TEST(v.shown == resource::short_window);
  BOOST_TEST(v.long_window.used == 60u);
  BOOST_TEST(tell(a.observe(free, clock.now)).long_window.used == 60u);
}

BOOST_AUTO_TEST_CASE(refusal_by_the_day_leaves_the_minute_uncharged) {
  plan const p{per_minute(60), per_day(3)};
  notice const v = charge_times(5, p);
  BOOST_TEST(v.decision == decision::rate_limited);
  BOOST_TEST(v.shown == resource::long_window);
  BOOST_TEST(v.limit() == 3u);
  BOOST_TEST(v.short_window.used == 3u);
  BOOST_TEST(v.retry_after_s == 12 * 3'600);
  BOOST_TEST(v.reset_unix_s == midnight_unix_s);
}

BOOST_AUTO_TEST_CASE(of_two_exhausted_quotas_the_one_that_frees_last_is_shown) {
  plan const p{per_minute(2), per_day(2)};
  notice v = charge_times(3, p);
  BOOST_TEST(v.short_exhausted);
  BOOST_TEST(v.long_exhausted);
  BOOST_TEST(v.shown == resource::long_window);
  clock.now.wall = wall_time{std::chrono::seconds{midnight_unix_s - 10}};
  v = charge(p);
  BOOST_TEST(v.shown == resource::short_window);
  BOOST_TEST(v.retry_after_s == 60);
}

BOOST_AUTO_TEST_CASE(admission_shows_the_quota_with_fewest_tokens_left) {
  plan const p{per_minute(60), per_day(30)};
  notice const v = charge(p);
  BOOST_TEST(v.shown == resource::long_window);
  BOOST_TEST(v.remaining == 29u);
}

BOOST_AUTO_TEST_CASE(on_a_tie_the_later_reset_is_shown) {
  plan const p{per_minute(60), per_day(60)};
  BOOST_TEST(charge(p).shown == resource::long_window);
  clock.now.wall = wall_time{std::chrono::seconds{midnight_unix_s - 10}};
  BOOST_TEST(charge(p).shown == resource::short_window);
}

BOOST_AUTO_TEST_CASE(day_begins_at_midnight_utc) {
  plan const p{per_minute(60), per_day(2)};
  clock.now.wall = wall_time{std::chrono::seconds{midnight_unix_s}} - 1ns;
  charge_times(2, p);
  BOOST_TEST(!charge(p).admitted());
  clock.pass(1ns);
  notice const v = charge(p);
  BOOST_TEST(v.admitted());
  BOOST_TEST(v.long_window.remaining == 1u);
  BOOST_TEST(v.long_window.more_in_s == 86'400);
}

BOOST_AUTO_TEST_CASE(wall_clock_set_back_stays_on_its_day) {
  plan const p{per_minute(60), per_day(2)};
  charge_times(2, p);
  clock.now.wall -= 48h;
  notice const v = charge(p);
  BOOST_TEST(v.decision == decision::rate_limited);
  BOOST_TEST(v.reset_unix_s == midnight_unix_s);
  BOOST_TEST(v.retry_after_s == (48 + 12) * 3'600);
}

BOOST_AUTO_TEST_CASE(wall_clock_set_forward_opens_one_new_day) {
  plan const p{per_minute(60), per_day(2)};
  charge_times(2, p);
  clock.now.wall += 24h;
  BOOST_TEST(charge(p).admitted());
  clock.now.wall -= 24h;
  BOOST_TEST(charge(p).admitted());
  BOOST_TEST(!charge(p).admitted());
}

BOOST_AUTO_TEST_CASE(wall_clock_does_not_move_the_minute) {
  charge_times(60, free);
  clock.now.wall += 1h;
  BOOST_TEST(!charge().admitted());
  clock.now.wall -= 2h;
  BOOST_TEST(!charge().admitted());
}

BOOST_AUTO_TEST_CASE(boot_clock_that_steps_back_grants_nothing) {
  charge_times(60, free);
  clock.now.boot -= 5s;
  notice const v = charge();
  BOOST_TEST(!v.admitted());
  BOOST_TEST(v.retry_after_s == 65);
}

BOOST_AUTO_TEST_CASE(plan_without_a_day_quota_counts_no_day) {
  plan const anonymous{per_minute(60)};
  notice const v = charge_times(10, anonymous);
  BOOST_TEST(!v.has_long);
  BOOST_TEST(v.shown == resource::short_window);
  BOOST_TEST(tell(a.observe(free, clock.now)).long_window.used == 0u);
}

BOOST_AUTO_TEST_CASE(plan_change_keeps_what_was_used) {
  charge_times(50, free);
  plan const pro{per_minute(300), per_day(10'000)};
  notice v = charge(pro);
  BOOST_TEST(v.short_window.remaining == 249u);
  BOOST_TEST(v.long_window.remaining == 9'949u);
  plan const less{per_minute(10), per_day(20)};
  v = charge(less);
  BOOST_TEST(v.decision == decision::rate_limited);
  BOOST_TEST(v.short_window.remaining == 0u);
  BOOST_TEST(v.long_window.remaining == 0u);
  BOOST_TEST(v.short_exhausted);
  BOOST_TEST(v.long_exhausted);
}

BOOST_AUTO_TEST_CASE(largest_quotas_fit) {
  plan const largest{per_minute(short_tokens_max), per_day(long_tokens_max)};
  notice v = charge(largest);
  BOOST_TEST(v.short_window.remaining == short_tokens_max - 1);
  BOOST_TEST(v.long_window.remaining == long_tokens_max - 1);
  plan const continuous{.short_window = per_minute(short_tokens_max),
                        .long_window = per_day(long_tokens_max),
                        .short_refill = refill::continuous};
  BOOST_TEST(charge(continuous).short_window.remaining == short_tokens_max - 2);
}

BOOST_AUTO_TEST_CASE(continuous_bucket_refills_one_token_at_a_time) {
  plan const p{.short_window = per_minute(60), .short_refill = refill::continuous};
  notice v = charge_times(60, p);
  BOOST_TEST(v.admitted());
  BOOST_TEST(v.remaining == 0u);
  BOOST_TEST(v.reset_unix_s == noon_unix_s + 60);
  BOOST_TEST(v.short_window.more_in_s == 1);
  v = charge(p);
  BOOST_TEST(v.decision == decision::rate_limited);
  BOOST_TEST(v.retry_after_s == 1);
  clock.pass(1s);
  BOOST_TEST(charge(p).admitted());
  BOOST_TEST(!charge(p).admitted());
  clock.pass(10s);
  BOOST_TEST(tell(a.observe(p, clock.now)).remaining == 10u);
}

BOOST_AUTO_TEST_CASE(change_of_refill_keeps_the_count_and_the_announced_wait) {
  plan const continuous{
      .short_window = per_minute(60), .long_window = per_day(1'000), .short_refill = refill::continuous};
  charge_times(60, free);
  clock.pass(30s);
  notice v = charge(continuous);
  BOOST_TEST(!v.admitted());
  BOOST_TEST(v.retry_after_s == 30);  // the open period is finished first
  clock.pass(30s);
  v = charge_times(40, continuous);
  BOOST_TEST(v.short_window.remaining == 20u);
  clock.pass(10s);
  v = charge(free);  // 10 of the 40 have come back
  BOOST_TEST(v.short_window.used == 31u);
  BOOST_TEST(v.short_window.more_in_s == 60);
}

BOOST_AUTO_TEST_CASE(getquota_passes_an_empty_quota_and_costs_nothing) {
  charge_times(60, free);
  notice const v = tell(a.charge_inquiry(free, clock.now));
  BOOST_TEST(v.admitted());
  BOOST_TEST(v.short_window.remaining == 0u);
  BOOST_TEST(v.long_window.used == 60u);
}

BOOST_AUTO_TEST_CASE(getquota_has_a_limit_of_its_own) {
  charge();
  for (int i = 0; i < 60; ++i) BOOST_TEST_REQUIRE(a.charge_inquiry(free, clock.now).admitted());
  clock.pass(20s);
  notice v = tell(a.charge_inquiry(free, clock.now));
  BOOST_TEST(v.decision == decision::rate_limited);
  BOOST_TEST(v.retry_after_s == 40);
  BOOST_TEST(v.remaining == 59u);  // the identity's
  BOOST_TEST(!v.short_exhausted);
  clock.pass(40s);
  v = tell(a.charge_inquiry(free, clock.now));
  BOOST_TEST(v.admitted());
}

BOOST_AUTO_TEST_CASE(forgettable_only_when_as_good_as_new) {
  BOOST_TEST(a.forgettable(free, clock.now));
  charge();
  clock.pass(60s);
  BOOST_TEST(!a.forgettable(free, clock.now));  // a token of the day is used
  plan const anonymous{per_minute(60)};
  BOOST_TEST(a.forgettable(anonymous, clock.now));
  BOOST_TEST(!a.forgettable(clock.now));
  clock.pass(12h);
  BOOST_TEST(a.forgettable(clock.now));
  BOOST_TEST(a.forgettable(free, clock.now));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(limits_account_refund, free_account)

BOOST_AUTO_TEST_CASE(refund_gives_both_tokens_back) {
  charge_times(2, free);
  verdict const charged = take();
  notice const v = tell(a.refund(charged, free, clock.pass(1s)));
  BOOST_TEST(v.decision == decision::admitted);
  BOOST_TEST(v.short_window.used == 2u);
  BOOST_TEST(v.long_window.used == 2u);
  BOOST_TEST(v.remaining == 58u);
}

BOOST_AUTO_TEST_CASE(refund_of_the_only_request_closes_the_minute) {
  verdict const charged = take();
  notice const v = tell(a.refund(charged, free, clock.pass(1s)));
  BOOST_TEST(v.short_window.more_in_s == 0);
  BOOST_TEST(a.forgettable(free, clock.now));
  BOOST_TEST(charge().short_window.more_in_s == 60);
}

BOOST_AUTO_TEST_CASE(refund_after_the_period_ended_gives_nothing_to_the_next) {
  verdict const charged = take();
  clock.pass(60s);
  charge_times(5, free);
  notice const v = tell(a.refund(charged, free, clock.now));
  BOOST_TEST(v.short_window.used == 5u);
  BOOST_TEST(v.long_window.used == 5u);  // the day is still the same one
  clock.pass(12h);
  notice const next_day = charge();
  BOOST_TEST(tell(a.refund(charged, free, clock.now)).long_window.used == next_day.long_window.used);
}

BOOST_AUTO_TEST_CASE(continuous_refund_gives_back_what_time_has_not) {
  plan const p{.short_window = per_minute(60), .short_refill = refill::continuous};
  charge_times(9, p);
  verdict const charged = take(p);
  BOOST_TEST(tell(a.refund(charged, p, clock.now)).short_window.used == 9u);
  account b;
  verdict const alone = b.charge(p, bans, clock.now);
  clock.pass(1s);
  notice const later = tell(b.charge(p, bans, clock.now));
  BOOST_TEST(later.short_window.used == 1u);
  BOOST_TEST(tell(b.refund(alone, p, clock.now)).short_window.used ==
             1u);  // the first token is back since a second has passed
}

BOOST_AUTO_TEST_CASE(of_each_ban_one_verdict_says_that_it_begins) {
  bans.strikes = 3;
  plan const p{per_minute(1)};
  std::vector<bool> told;
  auto const ask = [&] { told.push_back(take(p).begins_ban); };
  for (int i = 0; i < 2; ++i) ask();  // admitted, announced
  clock.pass(bans.grace);
  for (int i = 0; i < 5; ++i) ask();
  BOOST_TEST(told == (std::vector<bool>{false, false, false, false, true, false, false}),
             boost::test_tools::per_element());
  BOOST_TEST(!a.observe(p, clock.now).begins_ban);
}

BOOST_AUTO_TEST_SUITE_END()
