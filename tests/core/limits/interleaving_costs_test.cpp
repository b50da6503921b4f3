// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Charges that take more than a token, in every order of their atomic operations.
#include "interleaving.hpp"
#include "limits/account_protocol.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace {

using every_order = explorer<>;

/// A mistake on purpose: tokens are taken one after the other.
template <class Memory>
std::uint64_t charge_token_by_token(Memory& m, plan const& p, instant now, int tokens) {
  for (int i = 0; i < tokens; ++i)
    if (!detail::charge(m, p, no_bans, now).admitted()) return as_number(decision::rate_limited);
  return as_number(decision::admitted);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_interleaving_costs, world)

BOOST_AUTO_TEST_CASE(a_heavy_and_two_light_charges_at_the_last_tokens_of_the_minute) {
  minute_left(3), day_left(50);
  auto const light = charger<every_order>(clock.now);
  every_order e(start, {heavy_charger<every_order>(3, clock.now), light, light});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_AUTO_TEST_CASE(two_heavy_charges_where_each_quota_has_room_for_another) {
  minute_left(5), day_left(4);
  every_order e(start, {heavy_charger<every_order>(3, clock.now), heavy_charger<every_order>(2, clock.later(1ms)),
                        heavy_charger<every_order>(4, clock.now)});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_AUTO_TEST_CASE(a_heavy_charge_opens_the_period_or_a_light_one_does) {
  every_order e(start, {heavy_charger<every_order>(9, clock.now), charger<every_order>(clock.later(3ms)),
                        heavy_charger<every_order>(2, clock.later(7ms))});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_AUTO_TEST_CASE(heavy_charges_around_midnight) {
  minute_left(10), day_left(2);
  every_order e(start, {heavy_charger<every_order>(3, clock.now), heavy_charger<every_order>(2, clock.later(12h)),
                        charger<every_order>(clock.now)});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_AUTO_TEST_CASE(a_heavy_refund_beside_charges_and_a_second_refund_that_finds_less) {
  minute_left(6), day_left(96);  // 4 are used
  auto const refund = refunder<every_order>(start[cell::short_window], start[cell::long_window], 3);
  every_order e(start, {refund, refund, heavy_charger<every_order>(8, clock.now)});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_AUTO_TEST_CASE(continuous_heavy_charges_at_the_last_tokens) {
  plan const p{.short_window = per_minute(10), .long_window = per_day(100), .short_refill = refill::continuous};
  start[cell::short_window] = detail::continuous_word(clock.now.boot + 35s);  // 6 in use
  day_left(50);
  every_order e(start, {heavy_charger<every_order>(3, clock.now, p), heavy_charger<every_order>(2, clock.later(1s), p),
                        charger<every_order>(clock.now, p)});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_AUTO_TEST_CASE(a_change_of_refill_under_heavy_charges) {
  plan const p{.short_window = per_minute(10), .long_window = per_day(100), .short_refill = refill::continuous};
  minute_left(5), day_left(50);
  every_order e(start, {heavy_charger<every_order>(3, clock.now, p), heavy_charger<every_order>(2, clock.now, both),
                        heavy_charger<every_order>(2, clock.now, p)});
  BOOST_TEST(end_states_without_an_order(e) == 0u);
}

BOOST_FIXTURE_TEST_CASE(heavy_and_light_refusals_begin_one_ban, ban_world) {
  every_order e(start, {heavy_charger<every_order>(1, clock.now, p, policy), charger<every_order>(clock.now, p, policy),
                        heavy_charger<every_order>(1, clock.later(1ms), p, policy)});
  e.explore([](cells const& memory, auto const&) { BOOST_TEST_REQUIRE(memory.bans_written == 1u); });
}

BOOST_AUTO_TEST_CASE(tokens_taken_one_after_the_other_would_be_seen) {
  minute_left(3), day_left(50);
  auto const wrong = [now = clock.now](auto& m) { return charge_token_by_token(m, both, now, 2); };
  every_order e(start, {wrong, wrong});
  auto const takes_all_or_nothing = [](cells const& memory, auto const& told) {
    auto const admitted = static_cast<std::uint64_t>(std::ranges::count(told, as_number(decision::admitted)));
    return detail::used_in_short(memory[cell::short_window]) == 7 + 2 * admitted;
  };
  std::size_t wrong_ends = 0;
  e.explore([&](cells const& memory, auto const& told) {
    if (!takes_all_or_nothing(memory, told)) ++wrong_ends;
  });
  BOOST_TEST(wrong_ends > 0u);

  every_order right(start, {heavy_charger<every_order>(2, clock.now), heavy_charger<every_order>(2, clock.now)});
  right.explore([&](cells const& memory, auto const& told) { BOOST_TEST_REQUIRE(takes_all_or_nothing(memory, told)); });
}

BOOST_AUTO_TEST_CASE(two_swaps_for_a_heavy_charge_would_be_seen) {
  minute_left(5), day_left(5);
  explorer<two_swaps> e(
      start, {heavy_charger<explorer<two_swaps>>(3, clock.now), heavy_charger<explorer<two_swaps>>(2, clock.now),
              charger<explorer<two_swaps>>(clock.now)});
  BOOST_TEST(end_states_without_an_order(e) > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
