// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Refunds that are mistakes, and refunds that look like mistakes and are none.
#include <random>
#include <utility>
#include <vector>

#include "clock.hpp"
#include "mistake.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/address_table.hpp"
#include "petstore/limits/limiter.hpp"
#include "petstore/limits/notice.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace limits_refund {  // the suite
namespace {

constexpr plan ten{per_minute(10), per_day(100)};
constexpr plan smooth{.short_window = per_minute(10), .short_refill = refill::continuous};

struct charged_accounts : virtual_clock {
  account a;
  account other;

  verdict charge(account& who, plan const& p = ten, cost tokens = 1) { return who.charge(p, no_bans, tokens, now); }
  std::uint64_t used(account const& who, plan const& p = ten) { return tell(who.observe(p, now)).short_window.used; }
  bool notices(account& who, verdict const& charged) {
    return is_noticed([&] { return who.refund(charged, charged.plan, now); });
  }
};

}  // namespace
}  // namespace limits_refund

BOOST_FIXTURE_TEST_SUITE(limits_refund, charged_accounts)

BOOST_AUTO_TEST_CASE(a_verdict_that_took_nothing_is_a_mistake) {
  auto const admitted = charge(a, ten, 10);
  auto const refused = charge(a);
  BOOST_TEST(refused.refused());
  BOOST_TEST(notices(a, refused));
  BOOST_TEST(notices(a, a.observe(ten, now)));
  BOOST_TEST(notices(a, a.peek(ten, 1, now)));
  BOOST_TEST(notices(a, a.charge_inquiry(ten, now)));
  BOOST_TEST(notices(a, verdict{}));
  BOOST_TEST(used(a) == 10u);
  auto const back = a.refund(admitted, ten, now);
  BOOST_TEST((back.occasion == occasion::refund));
  BOOST_TEST(notices(a, back));
}

BOOST_AUTO_TEST_CASE(a_banned_verdict_is_a_mistake_and_still_shows_the_ban) {
  a.impose_ban(now.wall + 10s, now);
  auto const banned = charge(a);
  BOOST_TEST(notices(a, banned));
  if (counts_mistakes) BOOST_TEST((a.refund(banned, ten, now).decision == decision::banned));
}

BOOST_AUTO_TEST_CASE(a_second_refund_of_the_only_charge_is_a_mistake) {
  verdict const charged = charge(a);
  a.refund(charged, ten, now);
  BOOST_TEST(notices(a, charged));
  pass(1s);
  (void)charge(a);  // opens another minute
  BOOST_TEST(notices(a, charged));
  BOOST_TEST(used(a) == 1u);
  pass(58s);
  BOOST_TEST(notices(a, charged));
}

BOOST_AUTO_TEST_CASE(a_second_refund_of_more_than_others_have_used_is_a_mistake) {
  verdict const charged = charge(a, ten, 5);
  (void)charge(a, ten, 4);
  a.refund(charged, ten, now);
  BOOST_TEST(notices(a, charged));
  BOOST_TEST(used(a) == 4u);
}

BOOST_AUTO_TEST_CASE(a_second_refund_on_the_same_day_is_a_mistake_after_the_minute) {
  verdict const charged = charge(a);
  pass(2min);
  a.refund(charged, ten, now);
  BOOST_TEST(notices(a, charged));
}

/// An arrival time does not say which charges it is of.
BOOST_AUTO_TEST_CASE(a_second_refund_under_continuous_refill_is_a_mistake_only_by_the_day) {
  verdict const charged = charge(a, smooth, 5);
  a.refund(charged, smooth, now);
  BOOST_TEST((a.refund(charged, smooth, now).occasion == occasion::refund));
  BOOST_TEST(used(a, smooth) == 0u);
  plan with_day = smooth;
  with_day.long_window = per_day(100);
  verdict const of_day = charge(other, with_day, 5);
  other.refund(of_day, with_day, now);
  BOOST_TEST(notices(other, of_day));
}

BOOST_AUTO_TEST_CASE(the_refund_of_an_earlier_charge_leaves_that_of_a_later_one_sound) {
  verdict const first = charge(a, smooth);
  verdict const second = charge(a, smooth);
  a.refund(first, smooth, now);
  pass(1ns);
  BOOST_TEST((a.refund(second, smooth, now).occasion == occasion::refund));
  BOOST_TEST(used(a, smooth) == 0u);
}

/// Random lives in which each charge is given back at most once.
BOOST_AUTO_TEST_CASE(no_honest_refund_is_a_mistake) {
  std::vector<plan> plans{ten, smooth};
  for (std::uint32_t const burst : {1u, 7u, 600u})
    for (std::optional<window> const longer : {std::optional<window>{}, std::optional{per_day(300)}})
      plans.push_back(*plan::of(per_minute(60), longer, refill::continuous, burst));
  plans.push_back(*plan::of(per_minute(1'000), {}, refill::continuous));
  plans.push_back(*plan::of(per_minute(60)));
  constexpr std::int64_t steps_ns[] = {0, 1, 999'999, 1'000'000, 50'000'000, 1'000'000'000, 7'000'000'000};
  for (unsigned seed = 0; seed < 100; ++seed) {
    for (auto const& p : plans) {
      std::mt19937 random(seed);
      account payer;
      std::vector<verdict> out;
      for (int step = 0; step < 300; ++step) {
        if (random() % 4 == 0) pass(std::chrono::nanoseconds{steps_ns[random() % std::size(steps_ns)]});
        if (random() % 500 == 0) pass(6h);
        if (out.empty() || random() % 2 == 0) {
          verdict const charged = charge(payer, p, cost::of(1 + random() % 4).value());
          if (charged.admitted()) out.push_back(charged);
          continue;
        }
        std::swap(out[random() % out.size()], out.back());
        BOOST_TEST_REQUIRE((payer.refund(std::as_const(out.back()), p, now).occasion == occasion::refund));
        out.pop_back();
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_variable_that_was_given_back_is_marked) {
  (void)charge(a, ten, 5);
  verdict charged = charge(a);
  a.refund(charged, ten, now);
  BOOST_TEST(used(a) == 5u);
  BOOST_TEST(notices(a, charged));  // although the account counts as many tokens of others
  BOOST_TEST(used(a) == 5u);
}

/// The limit of what can be noticed, as the documentation has it.
BOOST_AUTO_TEST_CASE(a_copy_that_was_given_back_is_not_noticed_while_others_have_used_as_much) {
  (void)charge(a, ten, 5);
  verdict const charged = charge(a);
  a.refund(charged, ten, now);
  BOOST_TEST((a.refund(charged, ten, now).occasion == occasion::refund));
  BOOST_TEST(used(a) == 4u);
}

BOOST_AUTO_TEST_CASE(a_verdict_of_another_account_is_a_mistake) {
  for (auto const& p : {ten, smooth}) {
    account payer, never_charged, charged_later;
    verdict const charged = charge(payer, p, 3);
    BOOST_TEST(notices(never_charged, charged));
    pass(1s);
    (void)charge(charged_later, p);
    if (p.short_refill == refill::periodic) BOOST_TEST(notices(charged_later, charged));
    if (p.short_refill == refill::periodic) BOOST_TEST(used(charged_later, p) == 1u);
    pass(2min);
  }
}

BOOST_AUTO_TEST_CASE(what_is_over_is_no_mistake) {
  verdict const charged = charge(a);
  pass(60s);
  BOOST_TEST((a.refund(charged, ten, now).occasion == occasion::refund));
  verdict const yesterday = charge(a);
  pass(24h);
  BOOST_TEST((a.refund(yesterday, ten, now).occasion == occasion::refund));
}

BOOST_AUTO_TEST_CASE(a_clock_that_was_read_before_the_next_minute_began_is_no_mistake) {
  instant const early = later(59s);
  verdict const charged = charge(a);
  pass(60s);
  (void)charge(a);
  BOOST_TEST((a.refund(charged, ten, early).occasion == occasion::refund));
  BOOST_TEST(used(a) == 1u);
}

BOOST_AUTO_TEST_CASE(a_change_of_plan_is_no_mistake) {
  verdict const charged = charge(a, ten, 3);
  (void)charge(a, {per_minute(1)});
  BOOST_TEST((a.refund(charged, {per_minute(1)}, now).occasion == occasion::refund));
  verdict const again = charge(a, ten, 3);
  (void)charge(a, smooth);
  BOOST_TEST((a.refund(again, smooth, now).occasion == occasion::refund));
}

// --- limiters

BOOST_AUTO_TEST_CASE(a_limiter_counts_mistakes) {
  limiter<int> l({.plan = ten});
  limiter<int> another({.plan = ten});
  verdict const foreign = another.charge(1, now);
  BOOST_TEST(is_noticed([&] { return l.refund(1, foreign, now); }));
  pass(1s);
  verdict charged = l.charge(1, now);
  BOOST_TEST(is_noticed([&] { return l.refund(1, foreign, now); }));
  BOOST_TEST(is_noticed([&] { return l.refund(2, std::as_const(charged), now); }));
  l.refund(1, charged, now);
  BOOST_TEST(is_noticed([&] { return l.refund(1, charged, now); }));
  BOOST_TEST(l.figures().mistaken_refunds == (counts_mistakes ? 4u : 0u));
  BOOST_TEST(l.figures().identities == 1u);
}

BOOST_AUTO_TEST_CASE(what_shadow_mode_admitted_is_no_mistake) {
  limiter<int> l({.plan = {per_minute(1)}, .enforcement = enforcement::shadow});
  (void)l.charge(1, now);
  verdict withheld = l.charge(1, now);
  l.refund(1, withheld, now);
  BOOST_TEST(l.figures().mistaken_refunds == 0u);
  BOOST_TEST(tell(l.peek(1, 1, now)).short_window.remaining == 0u);
}

BOOST_AUTO_TEST_CASE(a_refund_to_an_identity_that_shared_an_account_is_no_mistake) {
  limiter<int> l({.plan = ten, .identities_max = 1});
  verdict const first = l.charge(1, now);
  verdict const shared = l.charge(2, now);
  BOOST_TEST(l.figures().shared == 1u);
  l.refund(1, first, now);
  pass(2ms);
  (void)l.charge(2, now);  // has an account of its own now
  BOOST_TEST(l.figures().evicted == 1u);
  l.refund(2, shared, now);
  BOOST_TEST(l.figures().mistaken_refunds == 0u);
}

BOOST_AUTO_TEST_CASE(an_address_table_notices_mistakes_until_it_was_full) {
  address_table t(1, 1);
  address who;
  who.bytes[7] = 1;
  address next;
  next.bytes[7] = 2;
  verdict const charged = t.charge(who, ten, no_bans, now);
  t.refund(who, charged, ten, now);
  BOOST_TEST(is_noticed([&] { return t.refund(who, charged, ten, now); }));
  (void)t.charge(next, ten, no_bans, now);
  BOOST_TEST((t.refund(who, charged, ten, now).occasion == occasion::refund));
}

BOOST_AUTO_TEST_SUITE_END()
