// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "buckets.hpp"
#include "petstore/limits/lease.hpp"

/// The operations of threads on one lease, written with the atomic operations of a `Memory`, like account_protocol.hpp:
/// `lease` runs them on real words, the tests run them one operation at a time in every order.
///
/// Word:   number of the lease (40 bits) | tokens left (24 bits)
/// Slot n of two, for leases whose number is n modulo 2:
///   plan     tokens of the short window (24 bits) | of the long one (40 bits)
///   periods  of the short window (24 bits), of the long one (24 bits)
///   shorter  the short word as in an account, with every token of the lease used; its tag is the refill of the plan
///   longer   the long word as in an account, likewise
///   wall     the server's wall clock minus our boot clock, ns
///   use      end of its use, ms on the boot clock (40 bits) | number of tokens left at which to ask for more (24 bits)
///   held     when the tokens are lost, ms on the boot clock
///   refused  end of refusing without asking, ms on the boot clock (40 bits) | tokens that the server has left (24
///   bits)
///
/// A Memory has `load(cell)` and `swap(cell, expected, desired)` for the word and `read(cell)`, `write(cell, word)` for
/// slots. Swaps are full barriers, reads acquire, writes release.
///
/// Invariants:
///  1. A slot is written only while the word's number chooses the other slot; then the number is incremented. Numbers
///     are never used again.
///  2. So a thread that reads the word, then a slot, and then finds the word's number unchanged has read the terms of
///     one lease. It checks the number by a swap when it takes a token, by a load when it takes none.
///  3. Tokens change only by swaps of the word: the granted tokens are those used, those taken back, and those left.
namespace petstore::limits::detail {

enum class lease_cell : std::size_t { tokens, plan, periods, shorter, longer, wall, use, held, refused };
inline constexpr std::size_t lease_slot_length = 8;

inline constexpr unsigned lease_token_bits = 24;
inline constexpr word lease_tokens_max = (word{1} << lease_token_bits) - 1;

constexpr word lease_number(word w) noexcept {
  return w >> lease_token_bits;
}
constexpr word lease_tokens(word w) noexcept {
  return w & lease_tokens_max;
}
constexpr word lease_word(word number, word tokens) noexcept {
  return number << lease_token_bits | tokens;
}
constexpr std::size_t lease_slot_cell(word number, lease_cell c) noexcept {
  return static_cast<std::size_t>(c) + (number & 1) * lease_slot_length;
}

/// The two cells of a plan.
struct plan_words {
  word tokens;
  word periods;

  friend constexpr bool operator==(plan_words const&, plan_words const&) = default;
};

constexpr plan_words pack_plan(plan const& p) noexcept {
  return {word{p.short_window.tokens()} << 40 | p.long_window.tokens(),
          word{p.short_window.period().bits()} << 24 | p.long_window.period().bits()};
}
template <class Memory>
plan_words read_plan(Memory& m, word number) {
  return {m.read(lease_slot_cell(number, lease_cell::plan)), m.read(lease_slot_cell(number, lease_cell::periods))};
}
constexpr bool is_of_plan(plan_words packed, word short_word, plan const& p) noexcept {
  return packed == pack_plan(p) && is_continuous(short_word) == (p.short_refill == refill::continuous);
}
/// `pack_plan` made the words, so they are valid, unless they are read while the slot is replaced. Then another plan
/// takes their place, and invariant 2 discards it.
constexpr period unpack_period(word bits) noexcept {
  return period::of_bits(static_cast<std::uint32_t>(bits & 0xffffff)).value_or(period{std::chrono::seconds{1}});
}
constexpr plan unpack_plan(plan_words packed, word short_word) noexcept {
  window const shorter{static_cast<std::int64_t>(packed.tokens >> 40), unpack_period(packed.periods >> 24)};
  window const longer{static_cast<std::int64_t>(packed.tokens & long_tokens_max), unpack_period(packed.periods)};
  return {.short_window = short_window::of(shorter).value_or(short_window{per_minute(1)}),
          .long_window = long_window::of(longer).value_or(long_window{}),
          .short_refill = is_continuous(short_word) ? refill::continuous : refill::periodic};
}

constexpr word floor_ms(boot_time t) noexcept {
  return static_cast<word>(
      std::clamp<std::int64_t>(t.time_since_epoch().count() / 1'000'000, 0, (std::int64_t{1} << 40) - 1));
}
constexpr word ceil_ms(boot_time t) noexcept {
  return floor_ms(t + nanoseconds{999'999});
}
constexpr bool is_before(instant now, word ms) noexcept {
  return now.boot < boot_at(static_cast<std::int64_t>(ms));
}

/// The words with `left` tokens of the lease counted as unused.
constexpr word short_with_left(word short_word, word left, short_window const& window) noexcept {
  if (!is_continuous(short_word)) return short_word - std::min(left, used_in_short(short_word));
  // The words may be of two plans, if they are read while the slot is replaced: the product must not overflow.
  auto const counted = static_cast<std::int64_t>(std::min<word>(left, window.tokens()));
  return continuous_word(arrival(short_word) - counted * token_interval(window));
}
constexpr word long_with_left(word long_word, word left) noexcept {
  return long_word - std::min(left, used_in_long(long_word));
}

template <class Memory>
verdict lease_verdict(Memory& m, word number, word left, decision d, occasion o, instant now, cost tokens = 1) {
  plan_words const packed = read_plan(m, number);
  word const short_word = m.read(lease_slot_cell(number, lease_cell::shorter));
  word const long_word = m.read(lease_slot_cell(number, lease_cell::longer));
  nanoseconds const wall_minus_boot{static_cast<std::int64_t>(m.read(lease_slot_cell(number, lease_cell::wall)))};
  verdict v;
  v.decision = d;
  v.occasion = o;
  v.cost = tokens;
  v.plan = unpack_plan(packed, short_word);
  v.at = instant::of(now.boot, wall_minus_boot);
  v.short_word = short_with_left(short_word, left, v.plan.short_window);
  v.long_word = v.plan.long_window ? long_with_left(long_word, left) : 0;
  return v;
}

/// Whether the server was asked for this charge.
enum class asked : std::uint8_t { before, just_now };

template <class Memory>
lease::decision lease_charge(Memory& m, plan const& p, cost tokens, instant now, asked when) {
  word const needed = tokens.tokens();
  for (;;) {
    word const w = m.load(lease_cell::tokens);
    word const number = lease_number(w);
    word const left = lease_tokens(w);
    if (number == 0) return {};
    bool const same_plan = is_of_plan(read_plan(m, number), m.read(lease_slot_cell(number, lease_cell::shorter)), p);
    if (same_plan && left >= needed) {
      word const use = m.read(lease_slot_cell(number, lease_cell::use));
      if (is_before(now, use >> lease_token_bits)) {
        verdict const v = lease_verdict(m, number, left - needed, decision::admitted, occasion::charge, now, tokens);
        if (!m.swap(lease_cell::tokens, w, w - needed)) continue;  // invariant 2
        bool const ask_ahead = left - needed <= lease_tokens(use) && lease_tokens(use) != 0;
        return {.outcome = lease::outcome::admitted, .ask_ahead = ask_ahead, .verdict = v};
      }
    } else if (same_plan) {
      word const refused = m.read(lease_slot_cell(number, lease_cell::refused));
      word const until = refused >> lease_token_bits;
      word const obtainable = left + lease_tokens(refused);
      if (until != 0 && needed > obtainable && (when == asked::just_now || is_before(now, until))) {
        verdict v = lease_verdict(m, number, left, decision::rate_limited, occasion::charge, now, tokens);
        if (m.load(lease_cell::tokens) != w) continue;  // invariant 2
        // It may be kept for longer than the words say.
        v.blocked_for = std::max(nanoseconds{0}, boot_at(static_cast<std::int64_t>(until)) - now.boot);
        return {.outcome = lease::outcome::refused, .is_empty = obtainable == 0, .verdict = v};
      }
    }
    if (m.load(lease_cell::tokens) == w) return {};
  }
}

template <class Memory>
lease::decision lease_charge_held(Memory& m, cost tokens, instant now) {
  word const needed = tokens.tokens();
  for (;;) {
    word const w = m.load(lease_cell::tokens);
    word const number = lease_number(w);
    word const left = lease_tokens(w);
    if (number == 0 || left < needed) return {};
    bool const held = is_before(now, m.read(lease_slot_cell(number, lease_cell::held)));
    verdict const v = lease_verdict(m, number, left - needed, decision::admitted, occasion::charge, now, tokens);
    if (!held) {
      if (m.load(lease_cell::tokens) == w) return {};
    } else if (m.swap(lease_cell::tokens, w, w - needed)) {
      return {.outcome = lease::outcome::admitted, .verdict = v};
    }
  }
}

/// What an observation counts the tokens of the lease as.
enum class held_tokens : std::uint8_t { unused, used };

template <class Memory>
lease::decision lease_observe(Memory& m, plan const& p, instant now, held_tokens counted) {
  for (;;) {
    word const w = m.load(lease_cell::tokens);
    word const number = lease_number(w);
    if (number == 0) {
      verdict v;
      v.plan = p;
      v.at = now;
      return {.outcome = lease::outcome::must_ask, .verdict = v};
    }
    word const use = m.read(lease_slot_cell(number, lease_cell::use));
    word const left = counted == held_tokens::used ? 0 : lease_tokens(w);
    verdict v = lease_verdict(m, number, left, decision::observed, occasion::observation, now);
    bool const same_plan = v.plan == p;
    v.plan = p;
    if (m.load(lease_cell::tokens) != w) continue;
    bool const is_fresh = same_plan && is_before(now, use >> lease_token_bits);
    return {.outcome = is_fresh ? lease::outcome::admitted : lease::outcome::must_ask, .verdict = v};
  }
}

/// Whether a refund of the verdict is a mistake whatever the lease holds. What was admitted without tokens, since the
/// server is gone and the policy is to admit, is none: its caller cannot see that it took nothing.
inline bool leased_nothing(verdict const& v) noexcept {
  return !v.admitted() || (v.occasion != occasion::charge && v.occasion != occasion::observation);
}

/// How many tokens of `charged` go back into a lease whose state is `known`: all that are of its periods, which a
/// change of plan leaves open. Under continuous refill those of its plan that time has not given back yet, neither by
/// the receipt nor by the present state; one that has come back in part goes back whole, as one that the lease has held
/// meanwhile.
constexpr word lease_returnable(verdict const& charged, verdict const& known, bool is_held, instant now) noexcept {
  bool const continuous = is_continuous(known.short_word);
  bool const is_same_kind = charged.occasion == occasion::charge && (!continuous || charged.plan == known.plan) &&
                            is_continuous(charged.short_word) == continuous &&
                            long_period_of(charged.long_word) == long_period_of(known.long_word);
  if (!is_same_kind) return 0;
  word const tokens = charged.cost.tokens();
  if (!continuous) return is_held && period_end_ms(charged.short_word) == period_end_ms(known.short_word) ? tokens : 0;
  nanoseconds const owed = std::min(arrival(charged.short_word), arrival(known.short_word)) - now.boot;
  if (owed.count() <= 0) return 0;
  nanoseconds const interval = token_interval(known.plan.short_window);
  return std::min(tokens, static_cast<word>((owed.count() - 1) / interval.count() + 1));
}

template <class Memory>
lease::decision lease_refund(Memory& m, verdict const& charged, instant now) {
  if (leased_nothing(charged)) {
    verdict v = lease_observe(m, charged.plan, now, held_tokens::unused).verdict;
    v.occasion = occasion::mistaken_refund;
    return {.outcome = lease::outcome::refused, .verdict = v};
  }
  for (;;) {
    word const w = m.load(lease_cell::tokens);
    word const number = lease_number(w);
    word const left = lease_tokens(w);
    if (number == 0) {  // admitted without the server; no terms are known yet
      verdict v = charged;
      v.occasion = occasion::refund;
      return {.outcome = lease::outcome::refused, .verdict = v};
    }
    verdict now_left = lease_verdict(m, number, left, decision::admitted, occasion::refund, now);
    bool const is_held = is_before(now, m.read(lease_slot_cell(number, lease_cell::held)));
    word const returned = lease_returnable(charged, now_left, is_held, now);
    if (returned == 0 || left + returned > lease_tokens_max) {
      if (m.load(lease_cell::tokens) != w) continue;
      return {.outcome = lease::outcome::refused, .verdict = now_left};
    }
    now_left = lease_verdict(m, number, left + returned, decision::admitted, occasion::refund, now);
    if (m.swap(lease_cell::tokens, w, w + returned)) return {.outcome = lease::outcome::admitted, .verdict = now_left};
  }
}

constexpr word short_word_of(lease_terms const& t) noexcept {
  if (t.plan.short_refill == refill::continuous) return continuous_word(t.short_end);
  if (t.short_end <= boot_time{}) return 0;
  // More than the quota may be in use, after a loss of data or a change of plan.
  std::uint64_t const used = std::min<std::uint64_t>(t.short_used, short_tokens_max);
  return periodic_word(static_cast<std::int64_t>(ceil_ms(t.short_end)), used);
}
constexpr word long_word_of(lease_terms const& t) noexcept {
  if (t.long_end_wall != wall_time{})
    return aligned_word(t.long_end_wall.time_since_epoch() / hour, std::min(t.long_used, long_tokens_max));
  if (t.long_end <= boot_time{}) return 0;
  return by_request_word(ceil_s(t.long_end.time_since_epoch()), std::min(t.long_used, long_tokens_by_request_max));
}

template <class Memory>
std::uint32_t lease_install(Memory& m, lease_terms const& t, word granted, bool keep) {
  word w = m.load(lease_cell::tokens);
  word const number = lease_number(w) + 1;
  auto const put = [&](lease_cell c, word value) { m.write(lease_slot_cell(number, c), value); };  // invariant 1
  plan_words const packed = pack_plan(t.plan);
  put(lease_cell::plan, packed.tokens);
  put(lease_cell::periods, packed.periods);
  put(lease_cell::shorter, short_word_of(t));
  put(lease_cell::longer, long_word_of(t));
  put(lease_cell::wall, static_cast<word>(t.wall_minus_boot.count()));
  put(lease_cell::held, floor_ms(t.held_until));
  put(lease_cell::refused, ceil_ms(t.refused_until) << lease_token_bits | std::min<word>(t.rest, lease_tokens_max));
  for (;;) {
    word const left = lease_tokens(w);
    word const tokens = std::min(granted + (keep ? left : 0), lease_tokens_max);
    // A single token is never requested in advance: the caller that requested it uses it.
    word const ask_at = tokens > 1 ? std::min<word>(t.ask_at, tokens / 2) : 0;
    put(lease_cell::use, floor_ms(t.use_until) << lease_token_bits | ask_at);
    if (m.swap(lease_cell::tokens, w, lease_word(number, tokens)))
      return static_cast<std::uint32_t>(left + granted - tokens);
    w = m.load(lease_cell::tokens);
  }
}

template <class Memory>
std::uint32_t lease_take_back(Memory& m) {
  for (;;) {
    word const w = m.load(lease_cell::tokens);
    if (lease_tokens(w) == 0) return 0;
    if (m.swap(lease_cell::tokens, w, lease_word(lease_number(w), 0)))
      return static_cast<std::uint32_t>(lease_tokens(w));
  }
}

template <class Memory>
void lease_put_back(Memory& m, word tokens) {
  for (;;) {
    word const w = m.load(lease_cell::tokens);
    word const left = std::min(lease_tokens(w) + tokens, lease_tokens_max);
    if (m.swap(lease_cell::tokens, w, lease_word(lease_number(w), left))) return;
  }
}

}  // namespace petstore::limits::detail
