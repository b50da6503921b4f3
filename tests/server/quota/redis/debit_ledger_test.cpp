// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "debit_ledger.hpp"

#include <boost/test/unit_test.hpp>

#include "free_plan.hpp"
#include "petstore/limits/notice.hpp"
#include "support/virtual_clock.hpp"

using namespace petstore::quota;
using namespace std::chrono_literals;
namespace limits = petstore::limits;

namespace {

constexpr std::int64_t noon = petstore::tests::noon_unix_s * 1'000'000;  ///< in microseconds
constexpr std::int64_t tonight = (noon / 86'400'000'000 + 1) * 86'400'000'000;
constexpr std::int64_t tomorrow_night = tonight + 86'400'000'000;
constexpr limits::plan fast{.short_window = limits::per_minute(60'000), .short_refill = limits::refill::continuous};
constexpr limits::plan slow{.short_window = limits::per_minute(60), .short_refill = limits::refill::continuous};

/// What was admitted without the server in an open minute, and in a day.
constexpr share::spending alone(std::uint64_t tokens, std::int64_t night) {
  return {.of_short = {.end = 0, .count = tokens}, .of_long = {.end = night, .count = tokens}};
}

/// One node's debit_ledger, and a server that answers with what a case wants.
struct one_node : petstore::tests::virtual_clock {
  limits::lease lease;
  debit_ledger b;
  std::uint64_t sequence = 0;
  std::int64_t born = noon - 1;  ///< since when the server counts

  acquisition ask(debit_ledger::question const& q) { return b.ask(lease, q, ++sequence, now); }
  acquisition ask_for_tokens(limits::plan const& p = free_plan) {
    return ask({.plan = p, .waiting = 1, .wants_tokens = true});
  }
  acquisition give_back(limits::plan const& p = free_plan) { return ask({.plan = p, .gives_back = true}); }

  acquired granted(std::uint32_t tokens) const {
    acquired a{.now = now.wall.time_since_epoch() / 1us, .granted = tokens, .long_end = tonight, .long_used = tokens};
    a.short_end = noon + 60'000'000;
    a.short_used = tokens;
    a.born = born;
    return a;
  }
  void hear(acquisition const& asked, acquired const& said, bool strict = false, std::chrono::nanoseconds trip = 0ns) {
    limits::instant received = now;
    received.boot += trip;
    b.answered(lease, asked, said, strict, now, received);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(quota_redis_books, one_node)

BOOST_AUTO_TEST_CASE(a_refusal_that_nobody_announced_is_not_kept) {
  auto const asked = ask({.plan = free_plan});
  acquired used_up = granted(0);
  used_up.short_used = 60;
  hear(asked, used_up);
  BOOST_TEST((lease.charge(free_plan, 1, now).outcome == limits::lease::outcome::must_ask));

  auto const waited = ask_for_tokens();
  used_up.announced_at = used_up.now;
  used_up.announced_until = used_up.short_end;
  hear(waited, used_up);
  BOOST_TEST((lease.charge(free_plan, 1, now).outcome == limits::lease::outcome::refused));
}

BOOST_AUTO_TEST_CASE(who_will_find_a_token_here_is_not_waiting_for_one_of_the_server) {
  hear(ask_for_tokens(), granted(2));
  BOOST_TEST(ask({.plan = free_plan, .waiting = 3, .wants_tokens = true}).waiting == 1u);
  BOOST_TEST(ask_for_tokens().waiting == 0u);
}

BOOST_AUTO_TEST_CASE(tokens_that_are_too_few_for_each_waiting_request_go_back_with_the_call_for_all_it_needs) {
  hear(ask_for_tokens(), granted(5));
  BOOST_TEST((lease.charge(free_plan, 1, now).outcome == limits::lease::outcome::admitted));
  auto const a = ask({.plan = free_plan, .waiting = 12, .cheapest = 5, .dearest = 7, .wants_tokens = true});
  BOOST_TEST(lease.tokens() == 0u);
  BOOST_TEST(a.short_count == 1u);
  BOOST_TEST(a.waiting == 12u);
  BOOST_TEST(a.cheapest == 5u);
  BOOST_TEST(a.held == 0u);
  BOOST_TEST(a.held_after(7) == 6u);  // fewer than the dearest one needs may be left
  BOOST_TEST(a.held_after(20) == 8u);
}

BOOST_AUTO_TEST_CASE(while_an_answer_is_missing_they_are_kept_and_the_call_asks_for_what_lacks) {
  hear(ask_for_tokens(), granted(4));
  ask_for_tokens();
  b.lost();
  auto const a = ask({.plan = free_plan, .waiting = 12, .cheapest = 5, .dearest = 7, .wants_tokens = true});
  BOOST_TEST(lease.tokens() == 4u);
  BOOST_TEST(a.waiting == 8u);
  BOOST_TEST(a.cheapest == 1u);
  BOOST_TEST(a.held == 4u);
}

BOOST_AUTO_TEST_CASE(a_refusal_for_too_few_tokens_is_kept_for_requests_that_cost_as_much) {
  for (bool const is_of_the_day : {false, true}) {
    auto const p = limits::plan::of(limits::per_minute(60), limits::per_day(is_of_the_day ? 56 : 1'000)).value();
    auto const asked = ask({.plan = p, .waiting = 10, .cheapest = 10, .dearest = 10, .wants_tokens = true});
    acquired too_few = granted(0);
    too_few.short_used = too_few.long_used = is_of_the_day ? 50 : 54;
    hear(asked, too_few);
    BOOST_TEST((lease.charge(p, 7, now).outcome == limits::lease::outcome::refused));
    BOOST_TEST((lease.charge(p, 6, now).outcome == limits::lease::outcome::must_ask));
  }
}

BOOST_AUTO_TEST_CASE(under_continuous_refill_such_a_refusal_is_kept_until_one_more_token_is_there) {
  limits::plan const smooth{.short_window = limits::per_minute(60), .short_refill = limits::refill::continuous};
  auto const asked = ask({.plan = smooth, .waiting = 10, .cheapest = 10, .dearest = 10, .wants_tokens = true});
  acquired too_few = granted(0);
  too_few.short_end = 0;
  too_few.full_at = too_few.now + 53'500'000;  // 6.5 tokens are left
  hear(asked, too_few);
  BOOST_TEST((lease.charge(smooth, 7, now).outcome == limits::lease::outcome::refused));
  BOOST_TEST((lease.charge(smooth, 6, now).outcome == limits::lease::outcome::must_ask));
  BOOST_TEST((lease.charge(smooth, 7, now + 499ms).outcome == limits::lease::outcome::refused));
  BOOST_TEST((lease.charge(smooth, 7, now + 501ms).outcome == limits::lease::outcome::must_ask));
}

BOOST_AUTO_TEST_CASE(tokens_go_back_at_the_price_of_their_plan) {
  acquired got = granted(900);
  got.short_end = 0;
  got.full_at = got.now + 58'700'000;
  hear(ask_for_tokens(fast), got);
  auto const asked = ask_for_tokens(slow);
  BOOST_TEST(asked.plan.short_window.tokens() == 60u);
  BOOST_TEST(asked.returned_ns == 900 * 1'000'000);
  BOOST_TEST(ask_for_tokens(slow).returned_ns == 0);
}

BOOST_AUTO_TEST_CASE(what_a_call_gives_back_that_has_not_run_is_still_held) {
  hear(ask_for_tokens(), granted(10));
  pass(1s);
  auto const asked = give_back();
  BOOST_TEST(asked.short_count == 0u);
  BOOST_TEST(lease.tokens() == 0u);
  b.not_run(lease, asked);
  BOOST_TEST(lease.tokens() == 10u);
  BOOST_TEST((lease.charge_held(1, now).outcome == limits::lease::outcome::admitted));
  auto const again = give_back();
  BOOST_TEST(again.short_count == 10u);  // an answer is missing: they are claimed until one comes
  BOOST_TEST(again.long_count == 10u);
  BOOST_TEST(lease.tokens() == 9u);
  hear(again, granted(0));
  BOOST_TEST(give_back().short_count == 1u);
}

BOOST_AUTO_TEST_CASE(under_continuous_refill_too) {
  acquired got = granted(20);
  got.full_at = got.now + 30'000'000;
  got.short_end = 0;
  hear(ask_for_tokens(slow), got);
  auto const asked = give_back(slow);
  BOOST_TEST(asked.returned_ns == 20'000'000'000);
  b.not_run(lease, asked);
  BOOST_TEST(lease.tokens() == 20u);
  hear(give_back(slow), got);  // a claim, and nothing returned
  BOOST_TEST(lease.tokens() == 40u);
}

BOOST_AUTO_TEST_CASE(while_an_answer_is_missing_tokens_are_claimed_and_kept) {
  hear(ask_for_tokens(), granted(10));
  ask_for_tokens();
  b.lost();
  pass(2s);
  auto const asked = give_back();
  BOOST_TEST(asked.short_count == 10u);
  BOOST_TEST(lease.tokens() == 10u);
}

BOOST_AUTO_TEST_CASE(what_was_spent_alone_is_claimed_once_however_often_it_is_said) {
  hear(ask_for_tokens(), granted(1));
  pass(10min);
  auto const first = ask({.plan = free_plan, .spent_alone = alone(30, tonight)});
  BOOST_TEST(first.generation == first.sequence);
  BOOST_TEST(first.long_count == 30u);
  b.lost();
  pass(3min);
  auto const second = ask({.plan = free_plan, .spent_alone = alone(5, tonight)});
  BOOST_TEST(second.generation == first.generation);  // it may have run: the claim takes the place of that one
  BOOST_TEST(second.long_count == 35u);
}

/// The server works and answers too late: what it was told of this node is counted already.
BOOST_AUTO_TEST_CASE(while_calls_may_run_without_an_answer_nothing_that_they_claim_is_claimed_once_more) {
  hear(ask_for_tokens(), granted(1));
  (void)lease.charge(free_plan, 1, now);
  std::uint64_t spent = 0;
  for (int minute = 0; minute < 10; ++minute) {
    pass(1min);
    auto const asked = ask({.plan = free_plan, .spent_alone = alone(30, tonight)});
    spent += 30;
    BOOST_TEST(asked.generation == 1u);
    BOOST_TEST(asked.long_count == 1 + spent);
    b.lost();
  }
  pass(debit_ledger::unheard_life + 1s);  // the server may have forgotten this node, and none of the calls may have run
  auto const later = ask({.plan = free_plan});
  BOOST_TEST(later.generation == later.sequence);
  BOOST_TEST(later.long_count == spent);
}

BOOST_AUTO_TEST_CASE(calls_that_have_not_run_prolong_no_generation) {
  hear(ask_for_tokens(), granted(1));
  pass(1min);
  b.not_run(lease, ask({.plan = free_plan, .spent_alone = alone(30, tonight)}));
  pass(90s);
  auto const later = ask({.plan = free_plan});
  BOOST_TEST(later.generation == later.sequence);
  BOOST_TEST(later.long_count == 30u);
}

BOOST_AUTO_TEST_CASE(what_was_spent_alone_after_midnight_is_claimed_of_the_new_day_without_an_answer) {
  hear(ask_for_tokens(), granted(1));
  pass(12h - 3min);
  auto const evening = ask_for_tokens();
  hear(evening, granted(1));
  pass(1min);
  ask({.plan = free_plan});
  b.lost();
  pass(3min);
  auto const morning = ask({.plan = free_plan, .spent_alone = alone(2, tomorrow_night)});
  BOOST_TEST(morning.long_end == tomorrow_night);
  BOOST_TEST(morning.long_count == 2u);
}

BOOST_AUTO_TEST_CASE(what_was_spent_alone_after_midnight_is_not_claimed_of_the_day_before) {
  hear(ask_for_tokens(), granted(1));
  auto const asked = ask({.plan = free_plan, .spent_alone = alone(5, tomorrow_night)});
  BOOST_TEST(asked.long_end == tonight);
  BOOST_TEST(asked.long_count == 1u);
  BOOST_TEST(asked.short_count == 6u);
}

/// The usual outage: a node holds tokens of the day when it begins, so its generation goes on.
BOOST_AUTO_TEST_CASE(what_was_spent_alone_after_midnight_is_claimed_however_short_the_outage_was) {
  pass(12h - 10s);
  acquired evening = granted(10);
  evening.short_end = evening.now + 60'000'000;
  hear(ask_for_tokens(), evening);
  BOOST_TEST((lease.charge(free_plan, 1, now).outcome == limits::lease::outcome::admitted));
  pass(20s);
  auto const asked =
      ask({.plan = free_plan, .waiting = 1, .wants_tokens = true, .spent_alone = alone(7, tomorrow_night)});
  BOOST_TEST(asked.generation == 1u);
  BOOST_TEST(asked.long_end == tomorrow_night);
  BOOST_TEST(asked.long_count == 7u);
  acquired morning = granted(3);
  morning.short_end = evening.short_end, morning.long_end = tomorrow_night;
  hear(asked, morning);
  BOOST_TEST(lease.tokens() == 3u);  // those of the evening were of the day before
  BOOST_TEST(!b.is_unsettled());
  BOOST_TEST(ask_for_tokens().long_count == 10u);
}

/// By the answer, another day has begun; a moment before, the node could not be sure.
BOOST_AUTO_TEST_CASE(what_was_spent_alone_in_the_first_second_of_a_day_is_claimed_by_another_call) {
  pass(12h - 10s);
  hear(ask_for_tokens(), granted(10));
  pass(10s + 500ms);
  auto const asked = ask({.plan = free_plan, .spent_alone = alone(7, tomorrow_night)});
  BOOST_TEST(asked.long_end == tonight);
  acquired morning = granted(0);
  morning.long_end = tomorrow_night;
  hear(asked, morning);
  BOOST_TEST(b.is_unsettled());
  auto const next = ask({.plan = free_plan});
  BOOST_TEST(next.long_end == tomorrow_night);
  BOOST_TEST(next.long_count == 7u);
}

/// This node's clock is ahead, so it counted in a day that the server begins later.
BOOST_AUTO_TEST_CASE(what_was_spent_alone_in_a_day_that_the_server_has_not_begun_is_claimed_when_it_has) {
  pass(12h - 10s);
  hear(ask_for_tokens(), granted(10));
  pass(5s);
  auto const early = ask({.plan = free_plan, .spent_alone = alone(7, tomorrow_night)});
  BOOST_TEST(early.long_end == tonight);
  hear(early, granted(0));
  BOOST_TEST(!b.is_unsettled());
  pass(10s);
  auto const next = ask({.plan = free_plan});
  BOOST_TEST(next.long_end == tomorrow_night);
  BOOST_TEST(next.long_count == 7u);
}

/// Another server has taken over, whose clock is behind: the day before is still open there.
BOOST_AUTO_TEST_CASE(what_was_taken_of_a_day_that_is_open_again_is_claimed_again) {
  pass(12h - 10s);
  acquired before = granted(10);
  before.short_end = before.now + 60'000'000;
  hear(ask_for_tokens(), before);
  BOOST_TEST((lease.charge(free_plan, 1, now).outcome == limits::lease::outcome::admitted));
  pass(12s);
  auto const asked = ask({.plan = free_plan, .spent_alone = alone(7, tomorrow_night)});
  BOOST_TEST(asked.long_end == tomorrow_night);
  acquired evening = granted(0);
  evening.now = tonight - 5'000'000, evening.short_end = before.short_end;
  hear(asked, evening);
  BOOST_TEST(b.is_unsettled());
  auto const again = ask({.plan = free_plan});
  BOOST_TEST(again.long_end == tonight);
  BOOST_TEST(again.long_count == 1u);
  pass(7s);
  auto const next = ask({.plan = free_plan});
  BOOST_TEST(next.long_end == tomorrow_night);
  BOOST_TEST(next.long_count == 7u);
}

/// The server opens such a period with a grant, or with a claim of it.
BOOST_AUTO_TEST_CASE(what_was_spent_alone_in_an_aligned_hour_that_is_not_open_is_claimed_by_another_call) {
  constexpr limits::plan hourly{limits::window{60, limits::period{std::chrono::hours{1}}.aligned()}};
  std::int64_t const end = noon + 3'600'000'000;
  pass(1h - 10s);
  acquired got = granted(1);
  got.short_end = end;
  hear(ask_for_tokens(hourly), got);
  pass(10s + 500ms);
  auto const asked = ask({.plan = hourly, .spent_alone = {.of_short = {end + 3'600'000'000, 5}, .of_long = {}}});
  acquired nothing_open = granted(0);
  nothing_open.short_end = 0, nothing_open.short_used = 0;
  hear(asked, nothing_open);
  BOOST_TEST(b.is_unsettled());
  auto const next = ask({.plan = hourly});
  BOOST_TEST(next.short_end == end + 3'600'000'000);
  BOOST_TEST(next.short_count == 5u);
}

BOOST_AUTO_TEST_CASE(what_was_spent_alone_before_midnight_is_no_debt_of_the_day_after) {
  hear(ask_for_tokens(), granted(1));
  pass(11h);
  auto const evening = ask({.plan = free_plan, .spent_alone = alone(30, tonight)});
  BOOST_TEST(evening.long_end == tonight);
  BOOST_TEST(evening.long_count == 30u);
  b.lost();
  pass(70min);
  auto const morning = ask({.plan = free_plan, .spent_alone = alone(2, tomorrow_night)});
  BOOST_TEST(morning.long_end == tomorrow_night);
  BOOST_TEST(morning.long_count == 2u);
}

BOOST_AUTO_TEST_CASE(what_midnight_takes_from_a_node_comes_back_to_the_minute) {
  hear(ask_for_tokens(), granted(10));
  auto const asked = ask_for_tokens();
  BOOST_TEST(asked.short_count == 10u);
  acquired next_day = granted(5);
  next_day.long_end = tomorrow_night;
  hear(asked, next_day);
  BOOST_TEST(lease.tokens() == 5u);  // the others were debited from the day before
  auto const after = ask_for_tokens();
  BOOST_TEST(after.short_count == 5u);
  BOOST_TEST(after.long_count == 5u);
}

BOOST_AUTO_TEST_CASE(who_has_no_quota_a_day_keeps_its_tokens_at_midnight) {
  constexpr limits::plan by_minute{limits::per_minute(60)};
  hear(ask_for_tokens(by_minute), granted(10));
  acquired next_day = granted(5);
  next_day.long_end = tomorrow_night;
  hear(ask_for_tokens(by_minute), next_day);
  BOOST_TEST(lease.tokens() == 15u);
  BOOST_TEST(ask_for_tokens(by_minute).short_count == 15u);
}

BOOST_AUTO_TEST_CASE(what_earlier_generations_took_of_the_day_is_claimed_of_a_server_that_lost_it) {
  auto const ask_for = [&](std::uint32_t waiting) {
    return ask({.plan = free_plan, .waiting = waiting, .wants_tokens = true});
  };
  hear(ask_for(10), granted(10));  // all of them are used, as far as the server knows
  pass(3min);
  auto const second = ask_for(5);
  BOOST_TEST(second.long_count == 0u);
  BOOST_TEST(second.earlier_long_end == tonight);
  BOOST_TEST(second.earlier_long_count == 10u);
  BOOST_TEST(second.born == born);
  hear(second, granted(5));
  pass(3min);
  auto const third = ask_for_tokens();
  BOOST_TEST(third.long_count == 0u);
  BOOST_TEST(third.earlier_long_count == 15u);
  born += 1;  // it has lost everything, and counts what this call says of it
  hear(third, granted(1));
  auto const after = ask_for_tokens();
  BOOST_TEST(after.long_count == 15u);  // the minute of that one is over, and it goes back
  BOOST_TEST(after.earlier_long_count == 0u);
  BOOST_TEST(after.born == born);
}

BOOST_AUTO_TEST_CASE(tokens_of_a_minute_that_is_over_go_back_to_the_day_with_the_next_call) {
  hear(ask_for_tokens(), granted(10));
  (void)lease.charge(free_plan, 1, now);
  pass(3h);
  auto const next = ask_for_tokens();
  BOOST_TEST(next.generation == 1u);  // the server remembers a node that holds tokens of the day
  BOOST_TEST(next.long_count == 1u);
  BOOST_TEST(next.held == 0u);
  BOOST_TEST(lease.tokens() == 0u);
}

BOOST_AUTO_TEST_CASE(a_lease_lasts_until_its_minute_ends) {
  hear(ask_for_tokens(), granted(10));
  pass(59s);
  BOOST_TEST((lease.charge(free_plan, 1, now).outcome == limits::lease::outcome::admitted));
  BOOST_TEST(!b.has_idle(lease, now));
  pass(1s);
  BOOST_TEST((lease.charge(free_plan, 1, now).outcome == limits::lease::outcome::must_ask));
  BOOST_TEST(!b.has_idle(lease, now));
}

BOOST_AUTO_TEST_CASE(beside_nodes_that_hear_no_recalls_a_lease_lasts_a_second) {
  auto const asked = ask({.plan = free_plan, .waiting = 1, .wants_tokens = true, .short_leases = true});
  BOOST_TEST(asked.want == 1u);
  hear(asked, granted(10));
  BOOST_TEST(!b.has_idle(lease, now));
  pass(debit_ledger::lease_life);
  BOOST_TEST((lease.charge(free_plan, 1, now).outcome == limits::lease::outcome::must_ask));
  BOOST_TEST(b.has_idle(lease, now));
}

BOOST_AUTO_TEST_CASE(a_lease_has_a_few_tokens_or_what_a_second_needs) {
  auto const ask_when_one_is_left = [&](std::chrono::nanoseconds after) {
    while (lease.tokens() > 1) (void)lease.charge(free_plan, 1, now);
    pass(std::chrono::duration_cast<std::chrono::microseconds>(after));
    auto const asked = ask({.plan = free_plan, .wants_tokens = true});
    hear(asked, granted(asked.want));
    return lease.tokens();
  };
  auto const first = ask_for_tokens();
  BOOST_TEST(first.want == debit_ledger::lease_min + 1);
  hear(first, granted(first.want));
  BOOST_TEST(ask_when_one_is_left(10s) == debit_ledger::lease_min);
  BOOST_TEST(ask_when_one_is_left(500ms) == 30u);
  BOOST_TEST(ask_when_one_is_left(1ms) == debit_ledger::growth_max * 30u);
  BOOST_TEST(ask_when_one_is_left(1s) == 119u);
}

BOOST_AUTO_TEST_CASE(a_recall_takes_what_is_not_used_and_says_what_is_kept) {
  hear(ask({.plan = free_plan, .waiting = 2, .wants_tokens = true}), granted(10));
  (void)lease.charge(free_plan, 1, now);
  (void)lease.charge(free_plan, 1, now);
  BOOST_TEST(b.may_hold(lease));
  auto const answer = give_back();
  BOOST_TEST(answer.want == 0u);
  BOOST_TEST(answer.held == 0u);
  BOOST_TEST(answer.short_count == 2u);
  hear(answer, granted(0));
  BOOST_TEST(!b.may_hold(lease));
}

BOOST_AUTO_TEST_CASE(a_refund_that_the_server_does_not_know_of_goes_back_by_itself) {
  auto const asked = ask_for_tokens();
  hear(asked, granted(1));
  auto const charged = lease.charge(free_plan, 1, now).verdict;
  lease.refund(charged, now);
  BOOST_TEST(b.needs_watching(lease));
  BOOST_TEST(!b.has_idle(lease, now));
  pass(debit_ledger::lease_life);
  BOOST_TEST(b.has_idle(lease, now));
}

BOOST_AUTO_TEST_CASE(while_tokens_are_recalled_nobody_is_refused) {
  acquired used_up = granted(0);
  used_up.short_used = 60;
  used_up.announced_at = used_up.now;
  used_up.announced_until = used_up.short_end;
  used_up.holders = holders::recalled;
  hear(ask_for_tokens(), used_up);
  BOOST_TEST((lease.charge_after_asking(free_plan, 1, now).outcome == limits::lease::outcome::must_ask));
  used_up.holders = holders::silent;
  hear(ask_for_tokens(), used_up);
  BOOST_TEST((lease.charge(free_plan, 1, now).outcome == limits::lease::outcome::refused));
  pass(debit_ledger::unsettled_refusal_max);
  BOOST_TEST((lease.charge(free_plan, 1, now).outcome == limits::lease::outcome::must_ask));
}

BOOST_AUTO_TEST_CASE(what_was_taken_of_a_period_that_runs_has_to_be_claimed_again) {
  constexpr auto always = limits::boot_time::min();
  BOOST_TEST(!b.must_claim_again(always, now));
  hear(ask_for_tokens(), granted(10));
  BOOST_TEST(b.must_claim_again(always, now));
  BOOST_TEST(b.must_claim_again(now.boot, now));
  pass(1s);
  BOOST_TEST(!b.must_claim_again(now.boot, now));  // the server was last heard before
  pass(2min);
  BOOST_TEST(b.must_claim_again(always, now));  // of the day
  pass(12h);
  BOOST_TEST(!b.must_claim_again(always, now));
}

BOOST_AUTO_TEST_CASE(a_minute_without_a_day_is_claimed_again_while_it_runs) {
  constexpr limits::plan by_minute{limits::per_minute(60)};
  constexpr auto always = limits::boot_time::min();
  hear(ask_for_tokens(by_minute), granted(10));
  pass(59s);
  BOOST_TEST(b.must_claim_again(always, now));
  pass(2s);
  BOOST_TEST(!b.must_claim_again(always, now));
}

/// Else whoever is first to tell the server again would be granted what the others have not claimed yet.
BOOST_AUTO_TEST_CASE(a_refusal_outlasts_the_time_in_which_other_nodes_claim_again) {
  acquired used_up = granted(0);
  used_up.short_used = 60;
  used_up.announced_at = used_up.now;
  used_up.announced_until = used_up.short_end;
  hear(ask_for_tokens(), used_up);
  pass(10s);
  BOOST_TEST(b.must_claim_again(limits::boot_time::min(), now));
  born += 1;
  acquired const knows_little = granted(0);
  hear(ask({.plan = free_plan}), knows_little);
  BOOST_TEST((lease.charge(free_plan, 1, now).outcome == limits::lease::outcome::refused));
  pass(debit_ledger::claims_wait);
  BOOST_TEST((lease.charge(free_plan, 1, now).outcome == limits::lease::outcome::must_ask));
}

BOOST_AUTO_TEST_CASE(a_strict_token_outlasts_the_longest_way) {
  hear(ask_for_tokens(), granted(1), true, 300ms);
  pass(300ms);
  BOOST_TEST((lease.charge(free_plan, 1, now).outcome == limits::lease::outcome::admitted));
}

BOOST_AUTO_TEST_CASE(a_lease_of_a_second_ends_with_it) {
  constexpr limits::plan fleeting{limits::per_second(20), limits::per_hour(1'000)};
  acquired got = granted(10);
  got.short_end = got.now + 1'000'000;
  got.long_end = got.now + 3'600'000'000;
  hear(ask_for_tokens(fleeting), got);
  pass(998ms);
  BOOST_TEST((lease.charge(fleeting, 1, now).outcome == limits::lease::outcome::admitted));
  BOOST_TEST((lease.charge_held(1, now).outcome == limits::lease::outcome::admitted));
  pass(2ms);
  BOOST_TEST((lease.charge(fleeting, 1, now).outcome == limits::lease::outcome::must_ask));
  BOOST_TEST((lease.charge_held(1, now).outcome == limits::lease::outcome::must_ask));
  auto const next = ask_for_tokens(fleeting);
  BOOST_TEST(next.long_end == got.long_end);
  BOOST_TEST(next.long_count == 2u);  // the others go back to the hour
}

BOOST_AUTO_TEST_CASE(a_lease_ends_with_the_long_period_that_a_request_began) {
  constexpr limits::plan hourly{limits::per_minute(60), limits::per_hour(1'000)};
  acquired got = granted(10);
  got.long_end = got.now + 30'000'000;  // before the minute
  hear(ask_for_tokens(hourly), got);
  pass(29s);
  BOOST_TEST((lease.charge(hourly, 1, now).outcome == limits::lease::outcome::admitted));
  pass(1s);
  BOOST_TEST((lease.charge(hourly, 1, now).outcome == limits::lease::outcome::must_ask));
  BOOST_TEST((lease.charge_held(1, now).outcome == limits::lease::outcome::must_ask));
}

/// The answers take another time each, and the node's clock is no whole number of seconds behind the server's.
BOOST_AUTO_TEST_CASE(clients_are_told_one_end_of_a_period_however_long_the_answers_take) {
  pass(345'678'901ns);
  constexpr limits::plan plans[] = {{limits::per_minute(600), limits::per_hour(10'000)},
                                    {limits::per_hour(600), limits::window{10'000, std::chrono::days{7}}},
                                    {limits::per_hour(600), limits::per_month(10'000)},
                                    {.short_window = limits::window{600, std::chrono::hours{6}}}};
  for (auto const& p : plans) {
    debit_ledger ledger;
    limits::lease own;
    acquired got = granted(1);
    got.short_end = noon + p.short_window.period().longest() / 1us - 17'000'001;  // shortly before a full second
    got.long_end = (got.now / 1'000'000 + 3'000) * 1'000'000;
    limits::notice first;
    for (int i = 0; i < 40; ++i) {
      pass(i % 7 * 1ms + 1s);
      got.now = now.wall.time_since_epoch() / 1us;
      auto const asked = ledger.ask(own, {.plan = p, .waiting = 1, .wants_tokens = true}, ++sequence, now);
      limits::instant received = now;
      received.boot += i % 5 * 3'137us;
      ledger.answered(own, asked, got, false, now, received);
      auto const told = limits::tell(own.charge(p, 1, received).verdict);
      if (i == 0) first = told;
      BOOST_TEST(told.short_window.reset_unix_s == first.short_window.reset_unix_s);
      BOOST_TEST(told.long_window.reset_unix_s == first.long_window.reset_unix_s);
      BOOST_TEST(told.short_window.reset_unix_s * 1'000'000 >= got.short_end);
      BOOST_TEST((!p.long_window || told.long_window.reset_unix_s * 1'000'000 >= got.long_end));
      BOOST_TEST((!p.long_window || told.long_window.reset_unix_s * 1'000'000 <= got.long_end + 1'000'000));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_end_that_clients_are_told_follows_a_clock_of_another_rate) {
  constexpr limits::plan hourly{limits::per_hour(600)};
  std::int64_t const end = noon + 3'600'000'000;
  std::int64_t told = 0;
  for (std::int64_t minute = 0; minute < 59; ++minute) {
    acquired got = granted(1);
    got.now = noon + minute * 60'030'000;  // the server's clock gains a second in 33 minutes
    got.short_end = end;
    hear(ask_for_tokens(hourly), got);
    auto const wait = limits::tell(lease.charge(hourly, 1, now).verdict).short_window.more_in_s;
    told = wait * 1'000'000 + got.now - end;
    BOOST_TEST(told >= -50'000);
    BOOST_TEST(told <= 1'050'000);
    pass(1min);
  }
}

/// The plan has days now, and the hour that a request began ends at no full hour.
BOOST_AUTO_TEST_CASE(a_period_of_an_earlier_plan_keeps_its_end) {
  acquired got = granted(1);
  got.long_end = got.now + 1'234'000'000;
  hear(ask_for_tokens(), got);
  auto const told = limits::tell(lease.charge(free_plan, 1, now).verdict);
  BOOST_TEST(told.long_window.used == 1u);
  BOOST_TEST(told.long_window.reset_unix_s == got.long_end / 1'000'000);
  pass(1'234s);
  BOOST_TEST((lease.charge_held(1, now).outcome == limits::lease::outcome::must_ask));
}

BOOST_AUTO_TEST_CASE(what_was_spent_alone_in_a_period_that_a_request_began_is_claimed_by_a_new_generation) {
  constexpr limits::plan hourly{limits::per_hour(60), limits::window{1'000, std::chrono::days{7}}};
  acquired got = granted(1);
  got.short_end = noon + 3'600'000'000, got.long_end = noon + 7 * 86'400'000'000;
  auto const first = ask_for_tokens(hourly);
  hear(first, got);
  pass(10min);
  auto const second = ask({.plan = hourly, .spent_alone = alone(30, 0)});
  BOOST_TEST(second.generation == second.sequence);
  BOOST_TEST(second.short_end == got.short_end);
  BOOST_TEST(second.short_count == 30u);
  BOOST_TEST(second.long_end == got.long_end);
  BOOST_TEST(second.long_count == 30u);
  BOOST_TEST(second.earlier_short_end == got.short_end);
  BOOST_TEST(second.earlier_short_count == 1u);
  b.lost();
  pass(3min);
  auto const third = ask({.plan = hourly, .spent_alone = alone(5, 0)});
  BOOST_TEST(third.generation == second.generation);
  BOOST_TEST(third.short_count == 35u);
  BOOST_TEST(third.long_count == 35u);
  hear(third, got);
  BOOST_TEST(ask_for_tokens(hourly).short_count == 36u);
}

BOOST_AUTO_TEST_CASE(what_was_spent_alone_in_an_aligned_hour_is_claimed_of_that_hour) {
  constexpr limits::plan hourly{limits::window{60, limits::period{std::chrono::hours{1}}.aligned()}};
  acquired got = granted(1);
  got.short_end = noon + 3'600'000'000;
  hear(ask_for_tokens(hourly), got);
  pass(1min);
  std::int64_t const next_end = got.short_end + 3'600'000'000;
  auto const in = [](std::int64_t end, std::uint64_t tokens) {
    return share::spending{.of_short = {end, tokens}, .of_long = {}};
  };
  BOOST_TEST(ask({.plan = hourly, .spent_alone = in(got.short_end, 7)}).short_count == 8u);
  b.lost();
  pass(1h);
  auto const later = ask({.plan = hourly, .spent_alone = in(next_end, 5)});
  BOOST_TEST(later.short_end == next_end);
  BOOST_TEST(later.short_count == 5u);
}

/// Else these would be lost for the hour, although other nodes may need them.
BOOST_AUTO_TEST_CASE(a_node_that_holds_tokens_of_an_hour_goes_on_with_its_generation) {
  constexpr limits::plan hourly{limits::per_hour(60)};
  acquired got = granted(10);
  got.short_end = noon + 3'600'000'000;
  hear(ask_for_tokens(hourly), got);
  (void)lease.charge(hourly, 1, now);
  pass(20min);
  auto const answer = give_back(hourly);
  BOOST_TEST(answer.generation == 1u);
  BOOST_TEST(answer.short_count == 1u);
}

BOOST_AUTO_TEST_CASE(what_earlier_generations_took_of_an_hour_is_claimed_of_a_server_that_lost_it) {
  constexpr limits::plan hourly{limits::per_hour(60)};
  std::int64_t const end = noon + 3'600'000'000;
  auto const take = [&](std::uint32_t tokens) {
    auto const asked = ask({.plan = hourly, .waiting = tokens, .wants_tokens = true});
    acquired got = granted(tokens);
    got.short_end = end;
    hear(asked, got);
    return asked;
  };
  take(10);
  pass(3min);
  BOOST_TEST(take(5).earlier_short_count == 10u);
  BOOST_TEST(b.must_claim_again(limits::boot_time::min(), now));
  pass(3min);
  born += 1;
  auto const third = take(1);
  BOOST_TEST(third.short_count == 0u);
  BOOST_TEST(third.earlier_short_end == end);
  BOOST_TEST(third.earlier_short_count == 15u);
  auto const after = ask({.plan = hourly});
  BOOST_TEST(after.short_count == 16u);
  BOOST_TEST(after.earlier_short_count == 0u);
  pass(1h);
  BOOST_TEST(!b.must_claim_again(limits::boot_time::min(), now));
}

BOOST_AUTO_TEST_CASE(a_period_of_a_week_is_claimed_again_until_it_ends) {
  constexpr limits::plan weekly{limits::per_minute(60), limits::window{1'000, std::chrono::days{7}}};
  acquired got = granted(10);
  got.long_end = noon + 7 * 86'400'000'000;
  hear(ask_for_tokens(weekly), got);
  pass(24h * 7 - 1s);
  BOOST_TEST(b.must_claim_again(limits::boot_time::min(), now));
  pass(1s);
  BOOST_TEST(!b.must_claim_again(limits::boot_time::min(), now));
}

BOOST_AUTO_TEST_CASE(a_refusal_of_a_used_up_hour_is_kept_and_told) {
  constexpr limits::plan hourly{limits::per_second(10), limits::per_hour(100)};
  acquired used_up = granted(0);
  used_up.short_end = 0, used_up.short_used = 0;
  used_up.long_end = noon + 1'800'000'000, used_up.long_used = 100;
  used_up.announced_at = used_up.now, used_up.announced_until = used_up.long_end;
  hear(ask_for_tokens(hourly), used_up);
  auto const refused = lease.charge(hourly, 1, now);
  BOOST_TEST((refused.outcome == limits::lease::outcome::refused));
  BOOST_TEST(limits::tell(refused.verdict).retry_after_s == 1'800);
  pass(59s);
  BOOST_TEST((lease.charge(hourly, 1, now).outcome == limits::lease::outcome::refused));
  pass(1s);
  BOOST_TEST((lease.charge(hourly, 1, now).outcome == limits::lease::outcome::must_ask));
}

BOOST_AUTO_TEST_SUITE_END()
