// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/lease.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include "clock.hpp"
#include "petstore/limits/account.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace petstore::limits {

inline std::ostream& operator<<(std::ostream& out, lease::outcome o) {
  static constexpr char const* names[] = {"admitted", "refused", "must_ask"};
  return out << names[static_cast<std::size_t>(o)];
}

}  // namespace petstore::limits

namespace {

constexpr plan free_plan{per_minute(60), per_day(1'000)};

using outcome = lease::outcome;

struct leased : virtual_clock {
  lease l;

  /// The server has granted ten tokens, so it has counted 30 of the minute, 400 of the day; the period ends in 40 s.
  lease_terms terms(plan const& p = free_plan) const {
    lease_terms t;
    t.plan = p;
    t.short_used = 30;
    t.short_end = now.boot + 40s;
    t.long_end_wall = now.wall + 12h;
    t.long_used = 400;
    t.wall_minus_boot = now.wall_minus_boot();
    t.use_until = now.boot + 1s;
    t.held_until = now.boot + 39'990ms;
    return t;
  }
  lease_terms exhausted() const {
    lease_terms t = terms();
    t.short_used = 60;
    t.refused_until = now.boot + 39'990ms;
    return t;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_lease, leased)

BOOST_AUTO_TEST_CASE(without_an_answer_of_the_server_it_must_be_asked) {
  BOOST_TEST(l.charge(free_plan, 1, now).outcome == outcome::must_ask);
  BOOST_TEST(l.charge_held(1, now).outcome == outcome::must_ask);
  notice const n = tell(l.observe(free_plan, now).verdict);
  BOOST_TEST(n.short_window.remaining == 60u);
  BOOST_TEST(n.long_window.remaining == 1'000u);
}

BOOST_AUTO_TEST_CASE(remaining_is_what_the_server_said_and_the_tokens_held) {
  l.install(terms(), 10, false);
  for (std::uint64_t used = 1; used <= 10; ++used) {
    auto const d = l.charge(free_plan, 1, now);
    BOOST_REQUIRE(d.outcome == outcome::admitted);
    notice const n = tell(d.verdict);
    BOOST_TEST(n.short_window.used == 20 + used);
    BOOST_TEST(n.long_window.used == 390 + used);
    BOOST_TEST(n.reset_unix_s == noon_unix_s + 40);
  }
  BOOST_TEST(l.charge(free_plan, 1, now).outcome == outcome::must_ask);
}

BOOST_AUTO_TEST_CASE(for_the_server_the_tokens_held_are_used) {
  l.install(terms(), 10, false);
  (void)l.charge(free_plan, 1, now);
  auto const d = l.observe_debited(free_plan, now);
  BOOST_TEST(d.outcome == outcome::admitted);
  BOOST_TEST(tell(d.verdict).short_window.used == 30u);
  BOOST_TEST(tell(d.verdict).long_window.used == 400u);
  BOOST_TEST(tell(l.observe(free_plan, now).verdict).short_window.used == 21u);
}

BOOST_AUTO_TEST_CASE(at_half_it_is_time_to_ask_ahead) {
  l.install(terms(), 10, false);
  for (int i = 1; i <= 10; ++i) BOOST_TEST(l.charge(free_plan, 1, now).ask_ahead == (i >= 5));
}

BOOST_AUTO_TEST_CASE(a_single_token_is_not_asked_for_ahead) {
  l.install(terms(), 1, false);
  BOOST_TEST(!l.charge(free_plan, 1, now).ask_ahead);
}

BOOST_AUTO_TEST_CASE(tokens_are_not_used_after_the_lease) {
  l.install(terms(), 10, false);
  BOOST_TEST(l.charge(free_plan, 1, later(1s - 1ms)).outcome == outcome::admitted);
  BOOST_TEST(l.charge(free_plan, 1, later(1s)).outcome == outcome::must_ask);
  BOOST_TEST(l.lies_idle(later(1s)));
  BOOST_TEST(!l.lies_idle(later(1s - 1ms)));
}

BOOST_AUTO_TEST_CASE(without_the_server_held_tokens_are_used_until_their_period_ends) {
  l.install(terms(), 10, false);
  BOOST_TEST(l.charge_held(1, later(39s)).outcome == outcome::admitted);
  BOOST_TEST(l.charge_held(1, later(39'990ms)).outcome == outcome::must_ask);
}

BOOST_AUTO_TEST_CASE(a_refusal_is_kept_until_the_server_may_say_otherwise) {
  l.install(exhausted(), 0, false);
  auto const d = l.charge(free_plan, 1, later(39'989ms));
  BOOST_TEST(d.outcome == outcome::refused);
  notice const n = tell(d.verdict);
  BOOST_TEST(n.short_exhausted);
  BOOST_TEST(n.retry_after_s == 1);
  BOOST_TEST(l.charge(free_plan, 1, later(39'990ms)).outcome == outcome::must_ask);
  BOOST_TEST(tell(l.charge(free_plan, 1, now).verdict).retry_after_s == 40);
}

/// Tokens come one by one, and each would be a call.
BOOST_AUTO_TEST_CASE(a_refusal_says_how_long_it_is_kept_if_there_are_tokens_before) {
  constexpr plan fast{.short_window = per_minute(60'000), .short_refill = refill::continuous};
  lease_terms t = terms(fast);
  t.short_end = now.boot + 60s;
  t.refused_until = now.boot + 100ms;
  l.install(t, 0, false);
  auto const wait = [](lease::decision const& d) { return d.verdict.retry_after().value_or(0ns).count(); };
  BOOST_TEST(wait(l.charge(fast, 1, now)) == 100'000'000);
  BOOST_TEST(wait(l.charge(fast, 1, later(70ms))) == 30'000'000);
  BOOST_TEST(wait(l.charge_after_asking(fast, 1, later(100ms))) == 1);
}

/// More than the quota is in use after a server has lost data and nodes have claimed again what they took.
BOOST_AUTO_TEST_CASE(a_count_above_the_largest_quota_does_not_change_the_end_of_the_minute) {
  constexpr plan largest{per_minute(short_tokens_max), per_day(long_tokens_max)};
  lease_terms t = terms(largest);
  t.short_used = std::uint64_t{short_tokens_max} + 100'000'000;
  t.long_used = long_tokens_max + 100'000'000;
  l.install(t, 0, false);
  notice const n = tell(l.observe(largest, now).verdict);
  BOOST_TEST(n.short_window.remaining == 0u);
  BOOST_TEST(n.short_window.more_in_s == 40);
  BOOST_TEST(n.long_window.remaining == 0u);
  BOOST_TEST(n.long_window.more_in_s == 12 * 3'600);
}

BOOST_AUTO_TEST_CASE(who_has_just_asked_is_refused_however_late_the_answer) {
  l.install(exhausted(), 0, false);
  BOOST_TEST(l.charge_after_asking(free_plan, 1, later(39'995ms)).outcome == outcome::refused);
}

BOOST_AUTO_TEST_CASE(another_plan_must_be_asked_for) {
  l.install(terms(), 10, false);
  plan more = free_plan;
  more.short_window = per_minute(61);
  BOOST_TEST(l.charge(more, 1, now).outcome == outcome::must_ask);
  plan smooth = free_plan;
  smooth.short_refill = refill::continuous;
  BOOST_TEST(l.charge(smooth, 1, now).outcome == outcome::must_ask);
  l.install(exhausted(), 0, false);
  BOOST_TEST(l.charge(more, 1, now).outcome == outcome::must_ask);
}

BOOST_AUTO_TEST_CASE(a_refund_puts_the_token_back_within_its_period) {
  l.install(terms(), 10, false);
  auto const charged = l.charge(free_plan, 1, now).verdict;
  auto const back = l.refund(charged, now);
  BOOST_TEST(back.outcome == outcome::admitted);
  BOOST_TEST(tell(back.verdict).short_window.used == 20u);
  BOOST_TEST(l.tokens() == 10u);
  BOOST_TEST(l.refund(back.verdict, now).outcome == outcome::refused);
  BOOST_TEST(l.tokens() == 10u);
}

BOOST_AUTO_TEST_CASE(a_request_takes_all_that_it_costs_or_nothing) {
  l.install(terms(), 10, false);
  auto const first = l.charge(free_plan, 7, now);
  BOOST_TEST(first.outcome == outcome::admitted);
  BOOST_TEST(first.verdict.cost.tokens() == 7u);
  BOOST_TEST(tell(first.verdict).remaining == 33u);
  BOOST_TEST(l.charge(free_plan, 4, now).outcome == outcome::must_ask);
  BOOST_TEST(l.charge_held(4, now).outcome == outcome::must_ask);
  BOOST_TEST(l.tokens() == 3u);
  BOOST_TEST(l.charge_held(3, now).outcome == outcome::admitted);
  BOOST_TEST(l.tokens() == 0u);
}

BOOST_AUTO_TEST_CASE(a_refund_puts_all_tokens_back) {
  l.install(terms(), 10, false);
  auto const charged = l.charge(free_plan, 7, now).verdict;
  BOOST_TEST(l.refund(charged, now).outcome == outcome::admitted);
  BOOST_TEST(l.tokens() == 10u);
}

BOOST_AUTO_TEST_CASE(a_refusal_refuses_what_costs_more_than_is_left_and_nothing_else) {
  lease_terms t = terms();
  t.short_used = 56;
  t.rest = 4;
  t.refused_until = now.boot + 39'990ms;
  l.install(t, 2, false);
  BOOST_TEST(l.charge(free_plan, 3, now).outcome == outcome::must_ask);
  BOOST_TEST(l.charge(free_plan, 6, now).outcome == outcome::must_ask);
  auto const refused = l.charge(free_plan, 7, now);
  BOOST_TEST(refused.outcome == outcome::refused);
  BOOST_TEST(!refused.is_empty);
  BOOST_TEST(tell(refused.verdict).remaining == 6u);
  BOOST_TEST(tell(refused.verdict).retry_after_s == 40);
  BOOST_TEST(l.charge(free_plan, 2, now).outcome == outcome::admitted);
  BOOST_TEST(l.charge(free_plan, 5, now).outcome == outcome::refused);
}

BOOST_AUTO_TEST_CASE(a_refusal_while_nobody_has_a_token_says_so) {
  l.install(exhausted(), 1, false);
  BOOST_TEST(!l.charge(free_plan, 2, now).is_empty);
  BOOST_TEST(l.charge(free_plan, 1, now).outcome == outcome::admitted);
  BOOST_TEST(l.charge(free_plan, 2, now).is_empty);
  BOOST_TEST(l.charge(free_plan, 1, now).is_empty);
}

BOOST_AUTO_TEST_CASE(a_refund_into_an_exhausted_quota_is_used_next) {
  l.install(terms(), 1, false);
  auto const charged = l.charge(free_plan, 1, now).verdict;
  l.install(exhausted(), 0, true);
  BOOST_TEST(l.charge(free_plan, 1, now).outcome == outcome::refused);
  BOOST_TEST(l.refund(charged, now).outcome == outcome::admitted);
  BOOST_TEST(l.charge(free_plan, 1, now).outcome == outcome::admitted);
}

BOOST_AUTO_TEST_CASE(a_refund_of_a_refusal_puts_nothing_back) {
  l.install(exhausted(), 0, false);
  auto const refused = l.charge(free_plan, 1, now).verdict;
  auto const back = l.refund(refused, now);
  BOOST_TEST(back.outcome == outcome::refused);
  BOOST_TEST((back.verdict.occasion == occasion::mistaken_refund));
  BOOST_TEST(l.tokens() == 0u);
}

BOOST_AUTO_TEST_CASE(a_refund_of_another_period_puts_nothing_back) {
  l.install(terms(), 10, false);
  auto const charged = l.charge(free_plan, 1, now).verdict;
  lease_terms next = terms();
  next.short_end = now.boot + 100s;
  l.install(next, 10, false);
  BOOST_TEST(l.refund(charged, now).outcome == outcome::refused);
  BOOST_TEST(l.tokens() == 10u);
}

BOOST_AUTO_TEST_CASE(a_refund_after_a_change_of_plan_goes_into_the_same_periods) {
  constexpr plan pro{per_minute(300), per_day(10'000)};
  l.install(terms(), 10, false);
  auto const charged = l.charge(free_plan, 1, now).verdict;
  l.install(terms(pro), 5, false);
  BOOST_TEST(l.refund(charged, now).outcome == outcome::admitted);
  BOOST_TEST(l.tokens() == 6u);
  l.install(terms(plan{per_minute(60)}), 5, false);  // has no day to give it back to
  BOOST_TEST(l.refund(charged, now).outcome == outcome::refused);
}

BOOST_AUTO_TEST_CASE(a_refund_of_what_was_admitted_without_the_server_shows_what_was_told) {
  account alone;
  verdict const charged = alone.charge(free_plan, {}, now);
  auto const back = l.refund(charged, now);
  BOOST_TEST(back.outcome == outcome::refused);
  BOOST_TEST((back.verdict.occasion == occasion::refund));
  BOOST_TEST(tell(back.verdict).reset_unix_s == tell(charged).reset_unix_s);
}

BOOST_AUTO_TEST_CASE(tokens_that_were_taken_back_can_be_put_back) {
  l.install(terms(), 10, false);
  BOOST_TEST(l.charge(free_plan, 1, now).outcome == outcome::admitted);
  l.put_back(l.take_back());
  BOOST_TEST(l.tokens() == 9u);
  BOOST_TEST(l.charge(free_plan, 1, now).outcome == outcome::admitted);
}

BOOST_AUTO_TEST_CASE(tokens_stay_when_they_may_and_are_counted_when_not) {
  l.install(terms(), 10, false);
  BOOST_TEST(l.install(terms(), 5, true) == 0u);
  BOOST_TEST(l.tokens() == 15u);
  BOOST_TEST(l.install(terms(), 7, false) == 15u);
  BOOST_TEST(l.tokens() == 7u);
  BOOST_TEST(l.take_back() == 7u);
  BOOST_TEST(l.tokens() == 0u);
}

BOOST_AUTO_TEST_CASE(under_continuous_refill_held_tokens_bring_the_full_bucket_nearer) {
  plan const smooth{.short_window = per_minute(60), .short_refill = refill::continuous};
  lease_terms t = terms(smooth);
  t.short_end = now.boot + 20s;  // twenty tokens are used, ten of them held here
  l.install(t, 10, false);
  notice const n = tell(l.charge(smooth, 1, now).verdict);
  BOOST_TEST(n.short_window.used == 11u);
  BOOST_TEST(n.reset_unix_s == noon_unix_s + 11);
}

BOOST_AUTO_TEST_CASE(under_continuous_refill_a_refund_puts_back_what_time_has_not_given_back) {
  constexpr plan smooth{.short_window = per_minute(60), .short_refill = refill::continuous};
  lease_terms t = terms(smooth);
  t.short_end = now.boot + 10s;  // the ten tokens that are held here are the only ones in use
  t.held_until = t.use_until;
  l.install(t, 10, false);
  verdict const first = l.charge(smooth, 1, now).verdict;  // the bucket is full again after a second
  verdict const second = l.charge(smooth, 7, now).verdict;
  BOOST_TEST(l.tokens() == 2u);

  auto const back = l.refund(second, later(900ms));
  BOOST_TEST(back.outcome == outcome::admitted);
  BOOST_TEST(l.tokens() == 9u);
  BOOST_TEST(tell(back.verdict).short_window.remaining == 59u);
  BOOST_TEST(l.refund(first, later(950ms)).outcome == outcome::admitted);
  BOOST_TEST(tell(l.observe(smooth, later(950ms)).verdict).short_window.remaining == 60u);
  BOOST_TEST(l.refund(second, later(950ms)).outcome == outcome::refused);  // the bucket is full
  BOOST_TEST(l.tokens() == 10u);
}

BOOST_AUTO_TEST_CASE(under_continuous_refill_a_refund_does_not_put_back_what_time_has_given_back) {
  constexpr plan smooth{.short_window = per_minute(60), .short_refill = refill::continuous};
  lease_terms t = terms(smooth);
  t.short_end = now.boot + 5s;
  l.install(t, 5, false);
  verdict const charged = l.charge(smooth, 5, now).verdict;
  t.short_end = now.boot + 60s;  // others have used up the bucket since
  t.use_until = t.held_until = now.boot + 4s;
  l.install(t, 0, true);
  BOOST_TEST(l.refund(charged, later(5s)).outcome == outcome::refused);
  BOOST_TEST(l.tokens() == 0u);
  // What is left of it after the lease goes back to the server.
  BOOST_TEST(l.refund(charged, later(4s - 1ms)).outcome == outcome::admitted);
  BOOST_TEST(l.tokens() == 2u);
  BOOST_TEST(l.charge(smooth, 1, later(4s)).outcome == outcome::must_ask);
  BOOST_TEST(l.lies_idle(later(4s)));
}

BOOST_AUTO_TEST_CASE(the_largest_numbers_fit) {
  plan const largest{per_minute(short_tokens_max), per_day(long_tokens_max)};
  lease_terms t = terms(largest);
  t.short_used = short_tokens_max;
  t.long_used = long_tokens_max;
  l.install(t, short_tokens_max, false);
  notice const n = tell(l.charge(largest, 1, now).verdict);
  BOOST_TEST(n.short_window.remaining == short_tokens_max - 1u);
  BOOST_TEST(n.long_window.remaining == short_tokens_max - 1u);
}

BOOST_AUTO_TEST_CASE(threads_use_as_many_tokens_as_were_granted) {
  std::atomic<std::uint64_t> admitted{0};
  std::uint64_t granted = 0, dropped = 0;
  {
    std::atomic<bool> done{false};
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&] {
        while (!done) {
          auto const d = l.charge(free_plan, 1, now);
          if (d.outcome != outcome::admitted) continue;
          ++admitted;
          // Both counts are of one lease: they differ by what they differ by on the server.
          notice const n = tell(d.verdict);
          if (n.long_window.used - n.short_window.used != 370u) std::terminate();
        }
      });
    for (int i = 0; i < 20'000; ++i) {
      granted += 3;
      dropped += l.install(terms(), 3, i % 2 == 0);
    }
    done = true;
  }
  BOOST_TEST(admitted + dropped + l.tokens() == granted);
}

BOOST_AUTO_TEST_SUITE_END()
