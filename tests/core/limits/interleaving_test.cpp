// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// The text of core/src/limits/account_protocol.hpp, in every order of its atomic operations.
#include "limits/account_protocol.hpp"

#include "interleaving.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace {

/// A mistake on purpose: the minute's token is taken first and given back when the day has none.
template <class Memory>
std::uint64_t charge_with_give_back(Memory& m, plan const& p, instant now) {
  for (;;) {
    word const minute = m.load(cell::short_window);
    auto const next = detail::take_from_short(minute, p, p.short_refill, now);
    if (!next) return static_cast<std::uint64_t>(decision::rate_limited);
    if (m.swap(cell::short_window, minute, *next)) break;
  }
  for (;;) {
    word const day = m.load(cell::long_window);
    auto const next = detail::take_from_long(day, p.long_window, now);
    if (!next) break;
    if (m.swap(cell::long_window, day, *next)) return static_cast<std::uint64_t>(decision::admitted);
  }
  for (;;) {
    word const minute = m.load(cell::short_window);
    if (m.swap(cell::short_window, minute, minute - 1)) return static_cast<std::uint64_t>(decision::rate_limited);
  }
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_interleaving, world)

BOOST_AUTO_TEST_CASE(two_charges_at_the_last_token_of_the_minute) {
  minute_left(1), day_left(50);
  explorer<> e(start, {charger<explorer<>>(clock.now), charger<explorer<>>(clock.later(1ms))});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_AUTO_TEST_CASE(two_charges_at_the_last_token_of_the_day) {
  minute_left(5), day_left(1);
  explorer<> e(start, {charger<explorer<>>(clock.now), charger<explorer<>>(clock.later(1ms))});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_AUTO_TEST_CASE(three_charges_at_the_last_two_tokens) {
  minute_left(2), day_left(2);
  auto const one = charger<explorer<>>(clock.now);
  explorer<> e(start, {one, one, one});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_AUTO_TEST_CASE(three_charges_where_each_quota_runs_out_at_another_token) {
  minute_left(2), day_left(1);
  auto const one = charger<explorer<>>(clock.now);
  explorer<> e(start, {one, one, one});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_AUTO_TEST_CASE(the_first_requests_open_one_period) {
  explorer<> e(start, {charger<explorer<>>(clock.now), charger<explorer<>>(clock.later(3ms)),
                       charger<explorer<>>(clock.later(7ms))});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_AUTO_TEST_CASE(a_period_ends_between_two_clock_readings) {
  minute_left(0), day_left(50);
  instant const old_period = clock.later(30s - 1ms);
  explorer<> e(start, {charger<explorer<>>(old_period), charger<explorer<>>(clock.later(30s)),
                       charger<explorer<>>(clock.later(30s + 1ms))});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_AUTO_TEST_CASE(midnight_falls_between_two_clock_readings) {
  minute_left(5), day_left(0);
  explorer<> e(start, {charger<explorer<>>(clock.now), charger<explorer<>>(clock.later(12h)),
                       charger<explorer<>>(clock.later(12h))});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_AUTO_TEST_CASE(charge_and_refund_of_the_last_token) {
  minute_left(0), day_left(0);
  auto const refund = refunder<explorer<>>(start[cell::short_window], start[cell::long_window]);
  explorer<> e(start, {charger<explorer<>>(clock.now), refund, charger<explorer<>>(clock.now)});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_AUTO_TEST_CASE(two_refunds_and_a_charge_that_ends_the_period) {
  start[cell::short_window] = detail::periodic_word(now_ms(), 2);
  day_left(10);
  auto const refund = refunder<explorer<>>(start[cell::short_window], start[cell::long_window]);
  explorer<> e(start, {refund, refund, charger<explorer<>>(clock.now)});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_AUTO_TEST_CASE(continuous_charges_at_the_last_token) {
  plan const p{.short_window = per_minute(10), .long_window = per_day(100), .short_refill = refill::continuous};
  start[cell::short_window] = detail::continuous_word(clock.now.boot + 51s);
  day_left(50);
  explorer<> e(start, {charger<explorer<>>(clock.now, p), charger<explorer<>>(clock.later(1ms), p)});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_AUTO_TEST_CASE(a_change_of_refill_under_way) {
  plan const p{.short_window = per_minute(10), .long_window = per_day(100), .short_refill = refill::continuous};
  minute_left(2), day_left(50);
  explorer<> e(start, {charger<explorer<>>(clock.now, p), charger<explorer<>>(clock.now, both),
                       charger<explorer<>>(clock.now, p)});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_AUTO_TEST_CASE(getquota_at_its_last_token) {
  start[cell::inquiry] = detail::periodic_word(now_ms() + 1'000, 59);
  auto const inquire = [now = clock.now](auto& m) { return as_number(detail::charge_inquiry(m, both, now).decision); };
  explorer<> e(start, {inquire, inquire, inquire});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

// --- mistakes on purpose must be seen

BOOST_AUTO_TEST_CASE(two_separate_swaps_are_caught) {
  minute_left(5), day_left(5);
  using wrong = explorer<two_swaps>;
  wrong e(start, {charger<wrong>(clock.now), charger<wrong>(clock.now)});
  BOOST_TEST(end_states_without_an_order(e) > 0u);
}

/// Why charging one quota after the other does not do: whoever holds the last token of the minute while the day
/// refuses it makes another be refused although both quotas had a token for that one.
BOOST_AUTO_TEST_CASE(giving_back_is_caught) {
  minute_left(1), day_left(0);
  start[cell::short_window] = detail::periodic_word(now_ms() + 60'000, 9);
  clock.now.wall = wall_time{std::chrono::seconds{midnight_unix_s}} - 1ms;
  auto const give_back = [](instant now) { return [now](auto& m) { return charge_with_give_back(m, both, now); }; };
  instant const next_day = clock.later(1ms);
  explorer<> wrong(start, {give_back(clock.now), give_back(next_day)});
  BOOST_TEST(end_states_without_an_order(wrong) > 0u);
  explorer<> right(start, {charger<explorer<>>(clock.now), charger<explorer<>>(next_day)});
  BOOST_TEST(end_states_without_an_order(right) == 0u);
}

// --- penalties

namespace {

/// The ban that two refusals at the last strike begin, with one ban of the day before.
template <class Pairs>
std::size_t wrong_ban_beginnings(ban_world& w) {
  using any = explorer<Pairs>;
  w.start[cell::ban_until] = static_cast<word>(w.now_ms() - 100'000);
  w.start[cell::ban_begun] = detail::ban_stamp(w.now_ms() - 160'000);
  any e(w.start, {w.charger<any>(w.clock.now, w.p, w.policy), w.charger<any>(w.clock.later(2ms), w.p, w.policy)});
  std::size_t wrong = 0;
  std::uint64_t const orders = e.explore([&](cells const& memory, auto const& told) {
    auto const begun = detail::ban_begun_ms(memory[cell::ban_begun]);
    auto const length = static_cast<std::int64_t>(memory[cell::ban_until]) - begun;
    bool const one_told = told[0] == as_number(decision::banned) || told[1] == as_number(decision::banned);
    // One begins; the earlier ban is remembered once and doubles it.
    if (memory.bans_written != 1 || length != 120'000 || ban_world::history_in(memory) != 1 || !one_told) ++wrong;
  });
  BOOST_TEST_MESSAGE(orders << " interleavings, " << e.states() << " states");
  BOOST_TEST(orders > 1'000u);
  return wrong;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(one_ban_begins_however_many_make_the_last_strike, ban_world) {
  BOOST_TEST(wrong_ban_beginnings<one_swap>(*this) == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_ban_begun_blindly_is_caught, ban_world) {
  BOOST_TEST(wrong_ban_beginnings<blind_at<cell::ban_until>>(*this) > 0u);
}

BOOST_FIXTURE_TEST_CASE(a_ban_knows_of_the_one_whose_thread_was_held_up, ban_world) {
  start[cell::ban_until] = static_cast<word>(now_ms() - 100'000);
  start[cell::ban_begun] = detail::ban_stamp(now_ms() - 160'000);
  policy.strikes = 1;
  // The second thread's clock is past the end of the ban that the first is about to begin.
  explorer<> e(start, {charger<explorer<>>(clock.now, p, policy), charger<explorer<>>(clock.later(200s), p, policy)});
  std::size_t both_began = 0;
  std::size_t wrong = 0;
  e.explore([&](cells const& memory, auto const&) {
    auto const length =
        static_cast<std::int64_t>(memory[cell::ban_until]) - detail::ban_begun_ms(memory[cell::ban_begun]);
    if (memory.bans_written == 2) ++both_began;
    std::size_t const before = memory.bans_written;
    if (before == 0 || length != (before == 2 ? 240'000 : 120'000) || history_in(memory) != before) ++wrong;
  });
  BOOST_TEST(both_began > 0u);
  BOOST_TEST(wrong == 0u);
}

BOOST_FIXTURE_TEST_CASE(three_last_strikes_begin_one_ban, ban_world) {
  auto const one = charger<explorer<>>(clock.now, p, policy);
  explorer<> e(start, {one, one, one});
  std::size_t wrong = 0;
  e.explore([&](cells const& memory, auto const& told) {
    bool const ban = memory.bans_written == 1 && memory[cell::ban_until] == static_cast<word>(now_ms() + 60'000) &&
                     history_in(memory) == 0;
    auto const strikes = strikes_in(memory, now_ms());
    auto const banned = std::count(told.begin(), told.end(), as_number(decision::banned));
    if (!ban || strikes < 3 || strikes > 5 || banned < 1) ++wrong;
  });
  BOOST_TEST(wrong == 0u);
  BOOST_TEST_MESSAGE(e.states() << " states");
}

BOOST_FIXTURE_TEST_CASE(of_three_refusals_one_announces_and_none_is_struck, ban_world) {
  put({});
  explorer<> e(start, {charger<explorer<>>(clock.now, p, policy), charger<explorer<>>(clock.later(1ms), p, policy),
                       charger<explorer<>>(clock.later(2ms), p, policy)});
  std::size_t wrong = 0;
  e.explore([&](cells const& memory, auto const&) {
    auto const state = detail::unpack({memory[cell::announcement_first], memory[cell::announcement_second]});
    bool const announced = state.announced_at >= now_ms() && state.announced_at <= now_ms() + 2;
    if (!announced || state.strikes_gone_at != 0 || memory[cell::ban_until] != 0) ++wrong;
  });
  BOOST_TEST(wrong == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_pardon_is_not_undone_by_a_strike_from_before, ban_world) {
  auto const lift = [](auto& m) {
    detail::lift_ban(m);
    return std::uint64_t{0};
  };
  explorer<> e(start, {charger<explorer<>>(clock.now, p, policy), lift});
  std::size_t wrong = 0;
  std::uint64_t const orders = e.explore([&](cells const& memory, auto const&) {
    // Before the pardon or after it: either way no ban holds, and at most the one strike that came after is left.
    if (memory[cell::ban_until] != 0 || strikes_in(memory, now_ms()) > 1 || history_in(memory) != 0) ++wrong;
  });
  BOOST_TEST(wrong == 0u);
  BOOST_TEST(orders > 100u);
}

BOOST_FIXTURE_TEST_CASE(an_operators_ban_and_a_strikes_ban_leave_the_longer_one, ban_world) {
  auto const until = clock.now.boot + 10min;
  auto const impose = [=](auto& m) {
    detail::impose_ban(m, until);
    return std::uint64_t{0};
  };
  explorer<> e(start, {charger<explorer<>>(clock.now, p, policy), impose});
  std::size_t wrong = 0;
  e.explore([&](cells const& memory, auto const&) {
    if (memory[cell::ban_until] != static_cast<word>(now_ms() + 600'000)) ++wrong;
  });
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
