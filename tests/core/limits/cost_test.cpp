// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/cost.hpp"

#include <string>

#include "clock.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/headers.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace {

struct one_account : virtual_clock {
  account a;
  plan p{per_minute(10), per_day(25)};

  verdict charge(cost c, ban_policy const& policy = no_bans) { return a.charge(p, policy, c, now); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_cost, one_account)

BOOST_AUTO_TEST_CASE(a_number_from_elsewhere_is_a_cost_only_within_the_range) {
  BOOST_TEST(!cost::of(0).has_value());
  BOOST_TEST(!cost::of(std::uint64_t{short_tokens_max} + 1).has_value());
  BOOST_TEST(!cost::of(static_cast<std::uint64_t>(-1)).has_value());
  BOOST_TEST(!cost::of(-1).has_value());
  BOOST_TEST(cost::of(1)->tokens() == 1u);
  BOOST_TEST(cost::of(short_tokens_max)->tokens() == short_tokens_max);
}

namespace {

template <class Number>
concept may_be_a_cost = requires(Number n) {
  cost::of(n);
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_fraction_from_elsewhere_is_no_cost) {
  static_assert(may_be_a_cost<int> && may_be_a_cost<std::uint64_t>);
  static_assert(!may_be_a_cost<double>);
}

BOOST_AUTO_TEST_CASE(who_waits_as_long_as_a_refusal_says_is_admitted_and_a_moment_earlier_is_not) {
  for (refill const r : {refill::periodic, refill::continuous}) {
    account one;
    p.short_refill = r;
    (void)one.charge(p, no_bans, 7, now);
    pass(1'234'567us);
    auto const wait = one.charge(p, no_bans, 5, now).retry_after();
    BOOST_TEST_REQUIRE(wait.has_value());
    BOOST_TEST(one.peek(p, 5, now + (*wait - 1ns)).refused());
    BOOST_TEST(one.peek(p, 5, now + *wait).admitted());
  }
}

BOOST_AUTO_TEST_CASE(nobody_is_to_wait_for_what_was_admitted_or_never_will_be) {
  BOOST_TEST(!charge(10).retry_after().has_value());
  BOOST_TEST(!a.observe(p, now).retry_after().has_value());
  BOOST_TEST(!charge(11).retry_after().has_value());
  BOOST_TEST((charge(1).retry_after() == 60s));
}

BOOST_AUTO_TEST_CASE(who_is_banned_waits_for_the_end_of_the_ban_and_for_tokens) {
  charge(10);
  a.impose_ban(now.wall + 10s, now);
  BOOST_TEST((charge(1).retry_after() == 60s));
  a.impose_ban(now.wall + 10min, now);
  BOOST_TEST((charge(1).retry_after() == 10min));
}

BOOST_AUTO_TEST_CASE(an_inquiry_waits_for_its_own_limit_alone) {
  charge(10);
  pass(20s);
  for (int i = 0; i < 60; ++i) BOOST_TEST(!a.charge_inquiry(p, now).retry_after().has_value());
  pass(1s);
  BOOST_TEST((a.charge_inquiry(p, now).retry_after() == 59s));
}

BOOST_AUTO_TEST_CASE(a_charge_takes_as_many_of_each_quota_or_nothing) {
  BOOST_TEST(charge(7).admitted());
  notice const refused = tell(charge(4));
  BOOST_TEST(refused.decision == decision::rate_limited);
  BOOST_TEST(refused.short_window.remaining == 3u);
  BOOST_TEST(refused.long_window.remaining == 18u);
  BOOST_TEST(refused.short_exhausted);
  BOOST_TEST(!refused.long_exhausted);
  BOOST_TEST(refused.retry_after_s == 60);
  BOOST_TEST(charge(3).admitted());
  BOOST_TEST(tell(a.observe(p, now)).short_window.remaining == 0u);
}

BOOST_AUTO_TEST_CASE(a_day_with_too_few_tokens_refuses_what_the_minute_would_admit) {
  BOOST_TEST(charge(10).admitted());
  pass(61s);
  BOOST_TEST(charge(10).admitted());
  pass(61s);
  notice const refused = tell(charge(6));
  BOOST_TEST(refused.refused());
  BOOST_TEST(refused.long_exhausted);
  BOOST_TEST(refused.retry_after_s == 12 * 3'600 - 122);
  BOOST_TEST(charge(5).admitted());
}

BOOST_AUTO_TEST_CASE(under_continuous_refill_a_heavy_charge_waits_for_as_many_tokens) {
  p = {.short_window = per_minute(60), .short_refill = refill::continuous};
  BOOST_TEST(charge(60).admitted());
  BOOST_TEST(tell(charge(5)).retry_after_s == 5);
  BOOST_TEST(tell(charge(1)).retry_after_s == 1);
  pass(5s);
  BOOST_TEST(charge(5).admitted());
  BOOST_TEST(charge(1).refused());
}

BOOST_AUTO_TEST_CASE(what_a_quota_never_holds_is_refused_without_a_time_to_retry) {
  verdict const v = charge(11);
  BOOST_TEST(v.refused());
  BOOST_TEST(!v.can_ever_pass());
  BOOST_TEST(tell(v).retry_after_s == 0);
  std::string fields;
  append_headers(fields, v, rate_limit_fields::draft11);
  BOOST_TEST(fields.find("Retry-After") == std::string::npos);
  BOOST_TEST(charge(10).can_ever_pass());

  p = {per_minute(100), per_day(50)};
  BOOST_TEST(!charge(51).can_ever_pass());
}

BOOST_AUTO_TEST_CASE(what_can_never_pass_is_shown_the_same_whatever_is_left) {
  charge(10);
  notice const n = tell(charge(short_tokens_max));
  BOOST_TEST(n.retry_after_s == 0);
  BOOST_TEST(n.short_window.remaining == 0u);
}

BOOST_AUTO_TEST_CASE(a_refund_gives_back_what_was_taken) {
  verdict const first = charge(6);
  verdict const second = charge(3);
  a.refund(first, p, now);
  BOOST_TEST(tell(a.observe(p, now)).short_window.remaining == 7u);
  a.refund(second, p, now);
  BOOST_TEST(tell(a.observe(p, now)).short_window.remaining == 10u);
  BOOST_TEST(tell(a.observe(p, now)).long_window.remaining == 25u);
}

BOOST_AUTO_TEST_CASE(a_refund_after_midnight_gives_the_new_day_nothing) {
  verdict const yesterday = charge(6);
  pass(12h);
  charge(2);
  a.refund(yesterday, p, now);
  BOOST_TEST(tell(a.observe(p, now)).long_window.remaining == 23u);
  BOOST_TEST(tell(a.observe(p, now)).short_window.remaining == 8u);
}

BOOST_AUTO_TEST_CASE(a_late_refund_under_continuous_refill_gives_only_what_time_has_not) {
  p = {.short_window = per_minute(60), .short_refill = refill::continuous};
  verdict const v = charge(10);
  pass(4s);
  a.refund(v, p, now);
  BOOST_TEST(tell(a.observe(p, now)).short_window.remaining == 60u);
  BOOST_TEST(charge(60).admitted());
  BOOST_TEST(charge(1).refused());
}

BOOST_AUTO_TEST_CASE(peek_says_what_charge_would_and_takes_nothing) {
  charge(8);
  BOOST_TEST(a.peek(p, 2, now).admitted());
  verdict const foreseen = a.peek(p, 3, now);
  BOOST_TEST(foreseen.refused());
  BOOST_TEST(tell(foreseen).retry_after_s == tell(charge(3)).retry_after_s);
  BOOST_TEST(tell(a.observe(p, now)).short_window.remaining == 2u);
}

BOOST_AUTO_TEST_CASE(who_asks_for_too_much_while_tokens_are_left_is_never_struck) {
  ban_policy const strict{.strikes = 1, .grace = 0ms};
  charge(8);
  for (int i = 0; i < 50; ++i) {
    pass(100ms);
    BOOST_TEST_REQUIRE(charge(5, strict).decision == decision::rate_limited);
  }
  BOOST_TEST(charge(2, strict).admitted());
}

BOOST_AUTO_TEST_CASE(who_asks_on_after_the_last_token_is_struck_whatever_it_asks_for) {
  ban_policy const strict{.strikes = 2, .grace = 0ms};
  charge(10);
  BOOST_TEST(charge(5, strict).decision == decision::rate_limited);  // announces
  BOOST_TEST(charge(1, strict).decision == decision::rate_limited);
  BOOST_TEST(charge(11, strict).decision == decision::banned);
}

BOOST_AUTO_TEST_CASE(a_change_of_plan_keeps_what_heavy_charges_used) {
  charge(9);
  p.short_window = per_minute(8);
  BOOST_TEST(charge(1).refused());
  p.short_window = per_minute(20);
  BOOST_TEST(charge(11).admitted());
  BOOST_TEST(charge(1).refused());
}

BOOST_AUTO_TEST_CASE(the_largest_cost_fills_the_largest_quota_once) {
  for (refill const r : {refill::periodic, refill::continuous}) {
    account fresh;
    plan const largest{
        .short_window = per_minute(short_tokens_max), .long_window = per_day(long_tokens_max), .short_refill = r};
    BOOST_TEST(fresh.charge(largest, no_bans, *cost::of(short_tokens_max), now).admitted());
    BOOST_TEST(fresh.charge(largest, no_bans, *cost::of(short_tokens_max), now).refused());
    BOOST_TEST(fresh.charge(largest, no_bans, 1, now).refused());
  }
}

BOOST_AUTO_TEST_SUITE_END()
