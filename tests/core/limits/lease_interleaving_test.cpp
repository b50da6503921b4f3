// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// The text of core/src/limits/lease_protocol.hpp, in every order of its atomic operations.
#include "limits/lease_protocol.hpp"

#include "interleaving.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace {

using detail::lease_cell;

/// The lease's words, in the first cells of the explorer's memory. `Slots` says where a slot's word lies.
template <class Stepped, class Slots>
class lease_memory {
 public:
  explicit lease_memory(Stepped& m) : m_(m) {}

  word load(lease_cell c) { return m_.load(place(static_cast<std::size_t>(c))); }
  bool swap(lease_cell c, word expected, word desired) {
    return Slots::swap(m_, place(static_cast<std::size_t>(c)), expected, desired);
  }
  word read(std::size_t c) { return m_.load(place(Slots::at(c))); }
  void write(std::size_t c, word w) { m_.store(place(Slots::at(c)), w); }

 private:
  static cell place(std::size_t i) { return static_cast<cell>(i); }

  Stepped& m_;
};

struct two_slots {
  static std::size_t at(std::size_t c) { return c; }
  template <class Stepped>
  static bool swap(Stepped& m, cell c, word expected, word desired) {
    return m.swap(c, expected, desired);
  }
};

/// A mistake on purpose: both leases in one slot.
struct one_slot : two_slots {
  static std::size_t at(std::size_t c) { return c > detail::lease_slot_length ? c - detail::lease_slot_length : c; }
};

/// Another: the swap looks at the tokens and not at the number of the lease.
struct number_ignored : two_slots {
  template <class Stepped>
  static bool swap(Stepped& m, cell c, word expected, word desired) {
    word const seen = m.load(c);
    if (detail::lease_tokens(seen) != detail::lease_tokens(expected)) return false;
    bool const replaces = detail::lease_number(desired) != detail::lease_number(expected);
    word const kept = detail::lease_word(detail::lease_number(seen), detail::lease_tokens(desired));
    return m.swap(c, seen, replaces ? desired : kept);
  }
};

constexpr plan pro{per_minute(300), per_day(10'000)};

/// What a thread was told: which lease's terms, and whether it was admitted. `torn`: a mixture.
constexpr std::uint64_t asks = 0;
constexpr std::uint64_t torn = 99;
constexpr std::uint64_t admitted_by = 100;  ///< and the number of the lease
constexpr std::uint64_t refused_by = 200;

struct lease_world {
  virtual_clock clock;

  /// Every number of the terms of the lease `n` is another.
  lease_terms terms(std::int64_t n) const {
    lease_terms t;
    t.plan = pro;
    t.short_used = static_cast<std::uint64_t>(100 * n);
    t.short_end = clock.now.boot + n * 10s;
    t.long_end_wall = wall_time{std::chrono::days{20'000 + n}};
    t.long_used = static_cast<std::uint64_t>(1'000 * n);
    t.wall_minus_boot = n * 1h;
    t.use_until = t.held_until = clock.now.boot + 1s;
    t.refused_until = clock.now.boot + 1s;
    return t;
  }

  std::uint64_t lease_of(verdict const& v) const {
    auto const day = detail::aligned_end_h(v.long_word) / 24 - 20'000;
    bool const is_one = detail::period_end_ms(v.short_word) == detail::boot_ms(clock.later(day * 10s)) &&
                        v.at.wall_minus_boot() == day * 1h;
    // Tokens that are left are not used: as many in both words.
    bool const same_left = 100 * static_cast<std::uint64_t>(day) - detail::used_in_short(v.short_word) ==
                           1'000 * static_cast<std::uint64_t>(day) - detail::used_in_long(v.long_word);
    return is_one && same_left ? static_cast<std::uint64_t>(day) : torn;
  }
  std::uint64_t told(lease::decision const& d) const {
    if (d.outcome == lease::outcome::must_ask) return asks;
    std::uint64_t const number = lease_of(d.verdict);
    if (number == torn) return torn;
    return (d.outcome == lease::outcome::admitted ? admitted_by : refused_by) + number;
  }

  template <class Slots>
  explorer<>::thread charger(cost tokens = 1) const {
    return [this, tokens](auto& m) {
      lease_memory<std::decay_t<decltype(m)>, Slots> words(m);
      return told(detail::lease_charge(words, pro, tokens, clock.now, detail::asked::before));
    };
  }
  /// The leases after the first: 2, 3 and so on.
  template <class Slots>
  explorer<>::thread installer(std::int64_t last, word granted, bool keep = true) const {
    return [=, this](auto& m) {
      lease_memory<std::decay_t<decltype(m)>, Slots> words(m);
      std::uint64_t dropped = 0;
      for (std::int64_t n = 2; n <= last; ++n) dropped += detail::lease_install(words, terms(n), granted, keep);
      return dropped;
    };
  }
  template <class Slots>
  explorer<>::thread taker() const {
    return [](auto& m) {
      lease_memory<std::decay_t<decltype(m)>, Slots> words(m);
      return std::uint64_t{detail::lease_take_back(words)};
    };
  }

  /// Begins with the first lease and so many tokens. (Its terms are 0-based in `terms`, so the first is number 1.)
  template <class Slots>
  cells begun_with(word granted) const {
    std::vector<word> results;
    cells memory;
    // One operation after the other, as the explorer does it.
    for (bool done = false; !done;) {
      stepped_memory<one_swap> stepped(memory, results);
      lease_memory<stepped_memory<one_swap>, Slots> words(stepped);
      try {
        detail::lease_install(words, terms(1), granted, false);
        done = true;
      } catch (stepped_memory<one_swap>::stop const&) {
      }
    }
    return memory;
  }
  static word tokens_in(cells const& memory) { return detail::lease_tokens(memory.words[0]); }
};

std::uint64_t count_admitted(explorer<>::outcomes const& told, std::size_t threads) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < threads; ++i) count += told[i] >= admitted_by && told[i] < refused_by ? 1u : 0u;
  return count;
}

/// Some that charge while new leases are installed. Returns how many end states are wrong.
template <class Slots>
std::size_t wrong_ends(lease_world const& w, std::size_t chargers, word first, std::int64_t last_lease,
                       bool keep = true) {
  constexpr word granted = 1;
  std::vector<explorer<>::thread> threads(chargers, w.charger<Slots>());
  threads.push_back(w.installer<Slots>(last_lease, granted, keep));
  explorer<> e(w.begun_with<Slots>(first), threads);
  word const in_all = first + granted * static_cast<word>(last_lease - 1);
  std::size_t wrong = 0;
  auto const orders = e.explore([&](cells const& memory, auto const& told) {
    bool const is_torn = std::find(told.begin(), told.end() - 1, torn) != told.end() - 1;
    bool const adds_up = count_admitted(told, chargers) + w.tokens_in(memory) + told[chargers] == in_all;
    if (is_torn || !adds_up) ++wrong;
  });
  BOOST_TEST_MESSAGE(orders << " interleavings, " << e.states() << " states");
  BOOST_TEST(orders > 1'000u);
  return wrong;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(lease_interleaving, lease_world)

BOOST_AUTO_TEST_CASE(a_charge_sees_one_lease_while_it_is_replaced_again_and_again) {
  BOOST_TEST(wrong_ends<two_slots>(*this, 1, 2, 4) == 0u);
}

BOOST_AUTO_TEST_CASE(a_refusal_and_the_first_tokens_after_it_are_of_one_lease) {
  BOOST_TEST(wrong_ends<two_slots>(*this, 1, 0, 4) == 0u);
}

BOOST_AUTO_TEST_CASE(a_charge_sees_one_lease_when_as_many_tokens_come_as_go) {
  BOOST_TEST(wrong_ends<two_slots>(*this, 1, 1, 4, false) == 0u);
}

BOOST_AUTO_TEST_CASE(two_charges_and_a_new_lease_add_up) {
  BOOST_TEST(wrong_ends<two_slots>(*this, 2, 1, 2) == 0u);
}

BOOST_AUTO_TEST_CASE(the_last_token_is_taken_once) {
  explorer<> e(begun_with<two_slots>(1), {charger<two_slots>(), charger<two_slots>()});
  std::size_t wrong = 0;
  e.explore([&](cells const& memory, auto const& told) {
    if (count_admitted(told, 2) != 1 || tokens_in(memory) != 0) ++wrong;
  });
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(of_two_requests_that_need_the_same_tokens_one_gets_them_all) {
  explorer<> e(begun_with<two_slots>(3), {charger<two_slots>(2), charger<two_slots>(2)});
  std::size_t wrong = 0;
  e.explore([&](cells const& memory, auto const& told) {
    if (count_admitted(told, 2) != 1 || tokens_in(memory) != 1) ++wrong;
  });
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(tokens_are_used_or_taken_back_and_not_both) {
  explorer<> e(begun_with<two_slots>(2), {charger<two_slots>(), charger<two_slots>(), taker<two_slots>()});
  std::size_t wrong = 0;
  e.explore([&](cells const& memory, auto const& told) {
    if (count_admitted(told, 2) + told[2] != 2 || tokens_in(memory) != 0) ++wrong;
  });
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(what_may_not_stay_is_counted_as_dropped) {
  explorer<> e(begun_with<two_slots>(3), {charger<two_slots>(), installer<two_slots>(2, 5, false)});
  std::size_t wrong = 0;
  e.explore([&](cells const& memory, auto const& told) {
    if (count_admitted(told, 1) + told[1] + tokens_in(memory) != 8) ++wrong;
  });
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(a_single_slot_is_seen_to_be_wrong) {
  BOOST_TEST(wrong_ends<one_slot>(*this, 1, 2, 2) > 0u);
}

BOOST_AUTO_TEST_CASE(a_swap_that_ignores_the_number_is_seen_to_be_wrong) {
  BOOST_TEST(wrong_ends<number_ignored>(*this, 1, 1, 3, false) > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
