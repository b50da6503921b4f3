// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "clock.hpp"
#include "explorer.hpp"
#include "limits/account_protocol.hpp"

/// What the cases that explore every order have in common: a state to begin with, threads, the judgement, and mistakes
/// made on purpose.
namespace petstore::limits {

using namespace std::chrono_literals;

inline constexpr plan both{per_minute(10), per_day(100)};

struct world {
  virtual_clock clock;
  cells start;

  std::int64_t now_ms() const { return detail::boot_ms(clock.now); }
  /// The long word of today, or of so many days later.
  detail::word day_word(std::uint64_t used, int later = 0) const {
    return detail::aligned_word(detail::present_end_h(both.long_window.period(), clock.now) + 24 * later, used);
  }

  void minute_left(std::uint64_t tokens) {
    start[cell::short_window] = detail::periodic_word(now_ms() + 30'000, both.short_window.tokens() - tokens);
  }
  void day_left(std::uint64_t tokens) { start[cell::long_window] = day_word(both.long_window.tokens() - tokens); }

  template <class Explorer>
  typename Explorer::thread charger(instant now, plan p = both, ban_policy policy = no_bans) const {
    return [=](auto& m) { return static_cast<std::uint64_t>(detail::charge(m, p, policy, now).decision); };
  }
  template <class Explorer>
  typename Explorer::thread heavy_charger(cost c, instant now, plan p = both, ban_policy policy = no_bans) const {
    return [=](auto& m) { return static_cast<std::uint64_t>(detail::charge(m, p, policy, now, c).decision); };
  }
  template <class Explorer>
  typename Explorer::thread refunder(word short_word, word day_word, cost c = 1) const {
    verdict charged;
    charged.cost = c;
    charged.decision = decision::admitted;
    charged.occasion = occasion::charge;
    charged.plan = both;
    charged.short_word = short_word;
    charged.long_word = day_word;
    return [=, now = clock.now](auto& m) {
      detail::refund(m, charged, both, now);
      return std::uint64_t{0};
    };
  }
};

template <class T>
std::uint64_t as_number(T t) {
  return static_cast<std::uint64_t>(t);
}

/// What was told and what remains must be what some order without threads gives. Returns how many end states are not.
template <class Pairs>
std::size_t end_states_without_an_order(explorer<Pairs>& e) {
  auto const allowed = e.sequential();
  std::size_t wrong = 0;
  std::uint64_t const orders = e.explore([&](cells const& memory, auto const& told) {
    bool const explained = std::any_of(allowed.begin(), allowed.end(),
                                       [&](auto const& one) { return one.first == memory && one.second == told; });
    if (!explained) ++wrong;
  });
  BOOST_TEST_MESSAGE(orders << " interleavings, " << e.states() << " states");
  BOOST_TEST(orders > 10u);
  return wrong;
}

/// A mistake on purpose: each word is swapped on its own.
struct two_swaps {
  template <class Memory>
  static bool swap(Memory& m, cell first, word_pair expected, word_pair desired) {
    return m.swap(first, expected.first, desired.first) && m.swap(second_of(first), expected.second, desired.second);
  }
};

/// Another: a pair that begins at this cell is stored without looking whether it is still what was read.
template <cell Blind>
struct blind_at {
  template <class Memory>
  static bool swap(Memory& m, cell first, word_pair expected, word_pair desired) {
    if (first != Blind) return one_swap::swap(m, first, expected, desired);
    return m.operation([&] {
      m.put(first, desired);
      return word{1};
    }) != 0;
  }
};

struct ban_world : world {
  plan p{per_minute(60), per_day(1)};
  ban_policy policy{.strikes = 3, .base = 60s, .max = 1h};

  /// Refused, announced a second ago, one strike short of a ban.
  ban_world() {
    start[cell::long_window] = day_word(1);
    put({.announced_at = now_ms() - 1'000,
         .announced_until = now_ms() + 43'200'000,
         .strikes_gone_at = now_ms() + 2'000});
  }
  void put(detail::penalty const& state) {
    word_pair const packed = detail::pack(state);
    start[cell::announcement_first] = packed.first;
    start[cell::announcement_second] = packed.second;
  }
  static std::int64_t strikes_in(cells const& memory, std::int64_t at_ms) {
    return detail::strikes(detail::unpack({memory[cell::announcement_first], memory[cell::announcement_second]}),
                           at_ms);
  }
  static std::size_t history_in(cells const& memory) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < detail::history_length; ++i)
      if (memory[detail::history_cell(i)] != 0) ++count;
    return count;
  }
};

}  // namespace petstore::limits
