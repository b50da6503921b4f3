// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Every order of the atomic operations of threads that do not agree on the time, on the plan, or on what is over; each
// beside a mistake on purpose, which must be seen.
#include "interleaving.hpp"
#include "limits/saving.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace {

/// `threads` makes the threads for an explorer: explored as they are, no end is wrong; with the mistake, some are.
template <class Mistake, class Threads>
void check_every_order(cells const& start, Threads threads) {
  explorer<> right(start, threads.template operator()<explorer<>>());
  BOOST_TEST(end_states_without_an_order(right) == 0u);
  using mistaken = explorer<Mistake>;
  mistaken wrong(start, threads.template operator()<mistaken>());
  BOOST_TEST(end_states_without_an_order(wrong) > 0u);
}

/// Counts the ends that are not `right`, and that there are orders in which it matters.
template <class Explorer, class Right>
std::size_t wrong_ends(Explorer e, Right right) {
  std::size_t wrong = 0;
  std::uint64_t const orders = e.explore([&](cells const& memory, auto const& told) {
    if (!right(memory, told)) ++wrong;
  });
  BOOST_TEST_MESSAGE(orders << " interleavings, " << e.states() << " states");
  BOOST_TEST(orders > 10u);
  return wrong;
}

struct clock_world : world {
  static constexpr std::uint64_t nothing = 99;  ///< what a thread is told that asks for nothing

  /// The wall clock alone is set.
  instant set_by(std::chrono::nanoseconds step) const { return {clock.now.boot, clock.now.wall + step}; }
  template <class E>
  typename E::thread lifter() const {
    return [](auto& m) {
      detail::lift_ban(m);
      return nothing;
    };
  }
  template <class E>
  typename E::thread mover(boot_time from, boot_time to) const {
    return [from, to](auto& m) {
      detail::move_ban(m, from, to);
      return nothing;
    };
  }
  template <class E>
  typename E::thread leaver(plan p = both) const {
    return [p, now = clock.now](auto& m) {
      detail::leave_wrong_period(m, p, now);
      return nothing;
    };
  }
};

constexpr plan continuous{
    .short_window = per_minute(10), .long_window = per_day(100), .short_refill = refill::continuous};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_interleaving_clocks, clock_world)

// --- periods and clocks

BOOST_AUTO_TEST_CASE(minute_and_day_end_together_at_their_last_tokens) {
  clock.now.wall = wall_time{std::chrono::seconds{midnight_unix_s}} - 1ms;
  start[cell::short_window] = detail::periodic_word(now_ms() + 1, 9);
  start[cell::long_window] = day_word(99);
  check_every_order<two_swaps>(start, [&]<class E>() -> std::vector<typename E::thread> {
    return {charger<E>(clock.now), charger<E>(clock.now), charger<E>(clock.later(1ms))};
  });
}

BOOST_AUTO_TEST_CASE(a_clock_set_back_is_read_by_two_of_three) {
  minute_left(5);
  start[cell::long_window] = day_word(99, 1);
  check_every_order<two_swaps>(start, [&]<class E>() -> std::vector<typename E::thread> {
    return {charger<E>(clock.now), charger<E>(set_by(12h)), charger<E>(set_by(-48h))};
  });
}

BOOST_AUTO_TEST_CASE(a_clock_set_back_and_forth_admits_one_day_for_each_midnight) {
  minute_left(5);
  plan const p{per_minute(10), per_day(1)};
  start[cell::long_window] = day_word(1);
  auto const threads = [&]<class E>() -> std::vector<typename E::thread> {
    return {charger<E>(set_by(12h), p), charger<E>(clock.now, p), charger<E>(set_by(13h), p)};
  };
  auto const one_is_admitted = [](cells const& memory, auto const& told) {
    return std::count(told.begin(), told.end(), as_number(decision::admitted)) == 1 &&
           detail::used_in_long(memory[cell::long_window]) == 1;
  };
  BOOST_TEST(wrong_ends(explorer<>(start, threads.operator()<explorer<>>()), one_is_admitted) == 0u);
  using blind = explorer<blind_at<cell::short_window>>;
  BOOST_TEST(wrong_ends(blind(start, threads.operator()<blind>()), one_is_admitted) > 0u);
}

BOOST_AUTO_TEST_CASE(a_wrong_day_is_left_while_it_is_charged) {
  minute_left(5);
  start[cell::long_window] = day_word(98, 26'000);
  check_every_order<blind_at<cell::short_window>>(start, [&]<class E>() -> std::vector<typename E::thread> {
    return {leaver<E>(), charger<E>(clock.now), charger<E>(clock.now)};
  });
  // One thread may still read the clock as it was.
  check_every_order<blind_at<cell::short_window>>(start, [&]<class E>() -> std::vector<typename E::thread> {
    return {leaver<E>(), charger<E>(clock.now), charger<E>(set_by(26'000 * 24h))};
  });
}

BOOST_AUTO_TEST_CASE(leaving_a_wrong_day_grants_nothing) {
  minute_left(5);
  start[cell::long_window] = day_word(99, 26'000);
  auto const threads = [&]<class E>() -> std::vector<typename E::thread> {
    return {leaver<E>(), charger<E>(clock.now), charger<E>(clock.now)};
  };
  auto const one_is_admitted = [](cells const& memory, auto const& told) {
    return std::count(told.begin(), told.end(), as_number(decision::admitted)) == 1 &&
           detail::used_in_long(memory[cell::long_window]) == 100;
  };
  BOOST_TEST(wrong_ends(explorer<>(start, threads.operator()<explorer<>>()), one_is_admitted) == 0u);
  using blind = explorer<blind_at<cell::short_window>>;
  BOOST_TEST(wrong_ends(blind(start, threads.operator()<blind>()), one_is_admitted) > 0u);
}

// --- plans

BOOST_AUTO_TEST_CASE(a_plan_grows_and_shrinks_under_three_charges) {
  minute_left(1), day_left(50);
  plan larger = both;
  larger.short_window = per_minute(12);
  plan smaller = both;
  smaller.short_window = per_minute(5);
  check_every_order<two_swaps>(start, [&]<class E>() -> std::vector<typename E::thread> {
    return {charger<E>(clock.now), charger<E>(clock.now, larger), charger<E>(clock.now, smaller)};
  });
}

BOOST_AUTO_TEST_CASE(a_plan_loses_its_day_quota_under_three_charges) {
  minute_left(2), day_left(1);
  plan const no_day{per_minute(10)};
  check_every_order<two_swaps>(start, [&]<class E>() -> std::vector<typename E::thread> {
    return {charger<E>(clock.now), charger<E>(clock.now, no_day), charger<E>(clock.now)};
  });
}

BOOST_AUTO_TEST_CASE(the_refill_changes_at_the_last_token_while_the_period_ends) {
  minute_left(1), day_left(50);
  check_every_order<two_swaps>(start, [&]<class E>() -> std::vector<typename E::thread> {
    return {charger<E>(clock.now, continuous), charger<E>(clock.now), charger<E>(clock.later(30s), continuous)};
  });
}

// --- refunds

BOOST_AUTO_TEST_CASE(two_refunds_of_two_tokens_and_a_charge) {
  minute_left(0), day_left(0);
  check_every_order<blind_at<cell::short_window>>(start, [&]<class E>() -> std::vector<typename E::thread> {
    auto const refund = refunder<E>(start[cell::short_window], start[cell::long_window]);
    return {refund, refund, charger<E>(clock.now)};
  });
}

BOOST_AUTO_TEST_CASE(a_refund_crosses_midnight) {
  minute_left(5), day_left(1);
  check_every_order<blind_at<cell::short_window>>(start, [&]<class E>() -> std::vector<typename E::thread> {
    return {refunder<E>(start[cell::short_window], start[cell::long_window]), charger<E>(set_by(12h)),
            charger<E>(clock.now)};
  });
}

BOOST_AUTO_TEST_CASE(a_refund_meets_a_day_that_is_left) {
  minute_left(5);
  start[cell::long_window] = day_word(99, 26'000);
  check_every_order<blind_at<cell::short_window>>(start, [&]<class E>() -> std::vector<typename E::thread> {
    return {refunder<E>(start[cell::short_window], start[cell::long_window]), leaver<E>(), charger<E>(clock.now)};
  });
}

BOOST_AUTO_TEST_CASE(a_continuous_refund_and_two_charges_at_the_last_token) {
  start[cell::short_window] = detail::continuous_word(clock.now.boot + 57s);
  day_left(50);
  check_every_order<two_swaps>(start, [&]<class E>() -> std::vector<typename E::thread> {
    return {refunder<E>(start[cell::short_window], start[cell::long_window]), charger<E>(clock.now, continuous),
            charger<E>(clock.later(1ms), continuous)};
  });
}

BOOST_AUTO_TEST_CASE(a_refund_meets_a_change_of_refill) {
  minute_left(1), day_left(50);
  check_every_order<blind_at<cell::short_window>>(start, [&]<class E>() -> std::vector<typename E::thread> {
    return {refunder<E>(start[cell::short_window], start[cell::long_window]), charger<E>(clock.now, continuous),
            charger<E>(clock.now)};
  });
}

// --- bans that move

BOOST_AUTO_TEST_CASE(a_ban_that_moves_is_not_lifted_in_vain) {
  auto const until = clock.now.boot + 10min;
  start[cell::ban_until] = detail::ban_end(until);
  auto const threads = [&]<class E>() -> std::vector<typename E::thread> {
    return {mover<E>(until, until + 1h), lifter<E>()};
  };
  auto const is_lifted = [](cells const& memory, auto const&) { return memory[cell::ban_until] == 0; };
  BOOST_TEST(wrong_ends(explorer<>(start, threads.operator()<explorer<>>()), is_lifted) == 0u);
  using blind = explorer<blind_at<cell::ban_until>>;
  BOOST_TEST(wrong_ends(blind(start, threads.operator()<blind>()), is_lifted) > 0u);
}

BOOST_AUTO_TEST_CASE(a_ban_is_moved_imposed_anew_and_lifted) {
  auto const until = clock.now.boot + 10min;
  start[cell::ban_until] = detail::ban_end(until);
  check_every_order<blind_at<cell::ban_until>>(start, [&]<class E>() -> std::vector<typename E::thread> {
    auto const impose = [until](auto& m) {
      detail::impose_ban(m, until + 30min);
      return nothing;
    };
    return {mover<E>(until, until - 5min), impose, lifter<E>()};
  });
}

BOOST_FIXTURE_TEST_CASE(a_ban_that_comes_back_and_one_for_strikes_are_one, ban_world) {
  auto const ended = clock.now.boot - 100s;
  start[cell::ban_until] = detail::ban_end(ended);
  auto const threads = [&]<class E>() -> std::vector<typename E::thread> {
    auto const move = [ended](auto& m) {
      detail::move_ban(m, ended, ended + 10min);
      return std::uint64_t{99};
    };
    return {charger<E>(clock.now, p, policy), move, charger<E>(clock.later(1ms), p, policy)};
  };
  auto const one_begins = [](cells const& memory, auto const& told) {
    bool const one_told = told[0] == as_number(decision::banned) || told[2] == as_number(decision::banned);
    return memory.bans_written == 1 && one_told;
  };
  BOOST_TEST(wrong_ends(explorer<>(start, threads.operator()<explorer<>>()), one_begins) == 0u);
  using blind = explorer<blind_at<cell::ban_until>>;
  BOOST_TEST(wrong_ends(blind(start, threads.operator()<blind>()), one_begins) > 0u);
}

BOOST_FIXTURE_TEST_CASE(an_announcement_that_takes_the_place_of_a_wrong_one_is_not_lost_while_that_is_cut, ban_world) {
  put({.announced_at = now_ms() - 1'000,
       .announced_until = now_ms() + 70LL * 365 * 86'400'000,
       .strikes_gone_at = now_ms() + 2'000});
  auto const threads = [&]<class E>() -> std::vector<typename E::thread> {
    auto const leave = [plan_ = p, now = clock.now](auto& m) {
      detail::leave_wrong_period(m, plan_, now);
      return std::uint64_t{99};
    };
    return {charger<E>(clock.now, p, policy), leave, charger<E>(clock.now, p, policy)};
  };
  auto const is_made = [&](cells const& memory, auto const&) {
    auto const end = detail::unpack({memory[cell::announcement_first], memory[cell::announcement_second]});
    return end.announced_at == now_ms() && end.announced_until == now_ms() + 43'200'000 &&
           end.strikes_gone_at == now_ms() + 2'000;
  };
  BOOST_TEST(wrong_ends(explorer<>(start, threads.operator()<explorer<>>()), is_made) == 0u);
  using blind = explorer<blind_at<cell::announcement_first>>;
  BOOST_TEST(wrong_ends(blind(start, threads.operator()<blind>()), is_made) > 0u);
}

// --- saving while others charge

namespace {

/// A mistake on purpose: who saves trusts the first look at the announcement.
template <class Memory>
class trusting {
 public:
  explicit trusting(Memory& m) : memory_(m) {}

  word load(cell c) { return memory_.load(c); }
  word load_acquire(cell c) {
    if (c != cell::announcement_first) return memory_.load_acquire(c);
    if (!first_) first_ = memory_.load_acquire(c);
    return *first_;
  }

 private:
  Memory& memory_;
  std::optional<word> first_;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_is_saved_of_an_announcement_was_told_once, ban_world) {
  put({.announced_at = now_ms() - 2'000, .announced_until = now_ms() - 1'000, .strikes_gone_at = now_ms() + 500});
  instant const other = clock.later(70s);
  auto const wait_ms = 12 * 3'600'000;
  // An end of another announcement, or of one half of each, would not be a wait until midnight from when it was made.
  auto const told_length = [&](saved_account const& saved) {
    return static_cast<std::uint64_t>(saved.announced_until_unix_ms - saved.announced_at_unix_ms);
  };
  auto const refuse = charger<explorer<>>(clock.now, p, policy);
  auto const refuse_later = charger<explorer<>>(other, p, policy);
  auto const is_whole = [&](cells const&, auto const& told) {
    return told[0] == 0 || told[0] == wait_ms || told[0] == wait_ms - 70'000;
  };
  auto const save = [&](auto& m) { return told_length(detail::save(m, p, clock.now)); };
  auto const save_trusting = [&](auto& m) {
    trusting t(m);
    return told_length(detail::save(t, p, clock.now));
  };
  BOOST_TEST(wrong_ends(explorer<>(start, {save, refuse, refuse_later}), is_whole) == 0u);
  BOOST_TEST(wrong_ends(explorer<>(start, {save_trusting, refuse, refuse_later}), is_whole) > 0u);
}

BOOST_AUTO_TEST_CASE(what_is_saved_forgets_no_charge_that_was_there) {
  minute_left(5), day_left(5);
  auto const save = [now = clock.now](auto& m) {
    saved_account const saved = detail::save(m, both, now);
    return std::uint64_t{saved.short_used} * 1'000 + saved.long_used;
  };
  // After two charges are done, a save counts them; one that comes meanwhile may be in it or not, in either quota.
  auto const charge_then_save = [&, now = clock.now](auto& m) {
    for (int i = 0; i < 2; ++i) detail::charge(m, both, no_bans, now);
    return save(m);
  };
  auto const counts_them = [](cells const&, auto const& told) {
    auto const minute = told[0] / 1'000;
    auto const day = told[0] % 1'000;
    return minute >= 7 && minute <= 8 && day >= 97 && day <= 98;
  };
  auto const charge = charger<explorer<>>(clock.now);
  BOOST_TEST(wrong_ends(explorer<>(start, {charge_then_save, charge}), counts_them) == 0u);
  using blind = explorer<blind_at<cell::short_window>>;
  BOOST_TEST(wrong_ends(blind(start, {charge_then_save, charger<blind>(clock.now)}), counts_them) > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
