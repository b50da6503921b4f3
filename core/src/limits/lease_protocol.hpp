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
///   plan     a minute (24 bits) | a day (40 bits)
///   minute   as in an account, with every token of the lease used; its tag is the refill of the plan
///   day      as in an account, likewise
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

enum class lease_cell : std::size_t { tokens, plan, minute, day, wall, use, held, refused };
inline constexpr std::size_t lease_slot_length = 7;

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

constexpr word plan_word(plan const& p) noexcept {
  return minute_quota(p) << 40 | std::uint64_t{p.per_day};
}
constexpr bool is_of_plan(word packed, word minute, plan const& p) noexcept {
  return packed == plan_word(p) && is_continuous(minute) == (p.minute_refill == refill::continuous);
}
constexpr plan unpack_plan(word packed, word minute) noexcept {
  return {.per_minute = tokens_per_minute::of(packed >> 40)
                            .value_or(tokens_per_minute{1}),  // `plan_word` made it, so it is in the range
          .per_day = *tokens_per_day::of(packed & per_day_max),
          .minute_refill = is_continuous(minute) ? refill::continuous : refill::periodic};
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
constexpr word minute_with_left(word minute, word left, word packed_plan) noexcept {
  if (!is_continuous(minute)) return minute - std::min(left, used_in_minute(minute));
  return continuous_word(arrival(minute) - static_cast<std::int64_t>(left) * token_interval(packed_plan >> 40));
}
constexpr word day_with_left(word day, word left) noexcept {
  return day - std::min(left, used_on_day(day));
}

template <class Memory>
verdict lease_verdict(Memory& m, word number, word left, decision d, occasion o, instant now, cost tokens = 1) {
  word const packed = m.read(lease_slot_cell(number, lease_cell::plan));
  word const minute = m.read(lease_slot_cell(number, lease_cell::minute));
  word const day = m.read(lease_slot_cell(number, lease_cell::day));
  nanoseconds const wall_minus_boot{static_cast<std::int64_t>(m.read(lease_slot_cell(number, lease_cell::wall)))};
  verdict v;
  v.decision = d;
  v.occasion = o;
  v.cost = tokens;
  v.plan = unpack_plan(packed, minute);
  v.at = instant::of(now.boot, wall_minus_boot);
  v.minute_word = minute_with_left(minute, left, packed);
  v.day_word = v.plan.per_day == 0 ? 0 : day_with_left(day, left);
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
    bool const same_plan = is_of_plan(m.read(lease_slot_cell(number, lease_cell::plan)),
                                      m.read(lease_slot_cell(number, lease_cell::minute)), p);
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

template <class Memory>
lease::decision lease_refund(Memory& m, verdict const& charged, instant now) {
  if (leased_nothing(charged)) {
    verdict v = lease_observe(m, charged.plan, now, held_tokens::unused).verdict;
    v.occasion = occasion::mistaken_refund;
    return {.outcome = lease::outcome::refused, .verdict = v};
  }
  word const returned = charged.cost.tokens();
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
    bool const is_periodic = !is_continuous(now_left.minute_word) && !is_continuous(charged.minute_word);
    bool const is_same = is_periodic && period_end_ms(now_left.minute_word) == period_end_ms(charged.minute_word) &&
                         day_of(now_left.day_word) == day_of(charged.day_word) && now_left.plan == charged.plan &&
                         is_before(now, m.read(lease_slot_cell(number, lease_cell::held)));
    if (charged.occasion != occasion::charge || !is_same || left + returned > lease_tokens_max) {
      if (m.load(lease_cell::tokens) != w) continue;
      return {.outcome = lease::outcome::refused, .verdict = now_left};
    }
    now_left = lease_verdict(m, number, left + returned, decision::admitted, occasion::refund, now);
    if (m.swap(lease_cell::tokens, w, w + returned)) return {.outcome = lease::outcome::admitted, .verdict = now_left};
  }
}

constexpr word minute_of(lease_terms const& t) noexcept {
  if (t.plan.minute_refill == refill::continuous) return continuous_word(t.minute_end);
  if (t.minute_end <= boot_time{}) return 0;
  // More than the quota may be in use, after a loss of data or a change of plan.
  std::uint64_t const used = std::min<std::uint64_t>(t.minute_used, per_minute_max);
  return periodic_word(static_cast<std::int64_t>(ceil_ms(t.minute_end)), used);
}

template <class Memory>
std::uint32_t lease_install(Memory& m, lease_terms const& t, word granted, bool keep) {
  word w = m.load(lease_cell::tokens);
  word const number = lease_number(w) + 1;
  auto const put = [&](lease_cell c, word value) { m.write(lease_slot_cell(number, c), value); };  // invariant 1
  put(lease_cell::plan, plan_word(t.plan));
  put(lease_cell::minute, minute_of(t));
  put(lease_cell::day, day_word(t.day, std::min(t.day_used, per_day_max)));
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
