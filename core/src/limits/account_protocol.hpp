// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "penalty.hpp"
#include "petstore/limits/account.hpp"
#include "readings.hpp"

/// The operations of threads on one account, written with the atomic operations of a `Memory`. `account` runs them on
/// real words; the tests run the same code one operation at a time in every order.
///
/// A Memory has `load(cell)` (relaxed), `load_acquire(cell)`, `swap(cell, expected, desired)` for one word and
/// `swap_pair(cell, expected, desired)` for a pair that begins at that cell. Swaps are full barriers and never fail
/// spuriously.
///
/// Invariants:
///  1. The short word and the long word of an admission change in one swap: both are charged or neither.
///  2. An admission is decided by the two words that its swap replaced. A refusal is decided by two separate loads, and
///     each quota that it reports as exhausted was exhausted at its own load.
///  3. Announcement and strikes change in one swap: of any number of refusals one makes the announcement, and no strike
///     is lost or counted twice.
///  4. A ban begins with a swap of a ban pair that has ended. So one ban begins, however many refusals reach the last
///     strike at the same time.
///  5. From the swap that begins a ban until the ban is too old to count, its beginning is in the ban pair or in the
///     history: the thread that begins the next ban first stores it in the history.
///  6. A pardon removes the strikes before it changes the ban pair: a refusal that saw the old strikes fails to begin a
///     ban.
namespace petstore::limits::detail {

enum class cell : std::size_t {
  short_window,
  long_window,
  announcement_first,
  announcement_second,
  ban_until,
  ban_begun,
  inquiry,
  history,  ///< the first of `history_length`
};
inline constexpr std::size_t history_length = bans_remembered - 1;  // the latest ban is in the ban pair
inline constexpr std::size_t cell_count = static_cast<std::size_t>(cell::history) + history_length;

constexpr cell history_cell(std::size_t i) noexcept {
  return static_cast<cell>(static_cast<std::size_t>(cell::history) + i);
}

inline constexpr plan inquiry_plan{per_minute(60)};

template <class Memory>
nanoseconds ban_left(Memory& m, instant now) {
  return std::max(nanoseconds{0}, boot_at(static_cast<std::int64_t>(m.load(cell::ban_until))) - now.boot);
}

/// Two loads; the pair may be torn, which is harmless (invariant 2).
template <class Memory>
word_pair load_quotas(Memory& m) {
  word const short_word = m.load(cell::short_window);
  return {short_word, m.load(cell::long_window)};
}

constexpr verdict verdict_on(word_pair quotas, decision d, occasion o, plan const& p, instant now,
                             nanoseconds blocked_for = {}, cost tokens = 1) noexcept {
  return {.decision = d,
          .occasion = o,
          .withheld = decision::observed,
          .begins_ban = false,
          .cost = tokens,
          .plan = p,
          .at = now,
          .short_word = quotas.first,
          .long_word = quotas.second,
          .blocked_for = blocked_for};
}

// --- penalties

/// Stores the beginning of a ban in the history, in place of the oldest entry. Any number of threads may do this for
/// the same ban: it is stored once.
template <class Memory>
void remember_ban(Memory& m, word stamp) {
  for (;;) {
    cell oldest = cell::history;
    word oldest_stamp = ~word{0};
    for (std::size_t i = 0; i < history_length; ++i) {
      word const entry = m.load_acquire(history_cell(i));
      if (entry >= stamp) return;  // this ban, or a later one, before which this one was stored
      if (entry < oldest_stamp) oldest = history_cell(i), oldest_stamp = entry;
      if (entry == 0) break;  // the history is filled from the front, so the rest is empty
    }
    if (m.swap(oldest, oldest_stamp, stamp)) return;
  }
}

template <class Memory>
unsigned bans_before(Memory& m, std::int64_t now_ms) {
  unsigned count = 0;
  for (std::size_t i = 0; i < history_length; ++i) {
    word const entry = m.load_acquire(history_cell(i));
    if (entry == 0) break;
    if (counts_for_next_ban(entry, now_ms)) ++count;
  }
  return count;
}

enum class ban_state : std::uint8_t {
  none,
  holds,  ///< from before, or by another thread's last strike
  begun,  ///< by this last strike
};

/// Begins a ban, or finds a current one; none if the strikes were pardoned meanwhile.
template <class Memory>
ban_state begin_ban(Memory& m, ban_policy const& policy, instant now) {
  std::int64_t const now_ms = boot_ms(now);
  for (;;) {
    // With this order, a torn pair never combines the beginning of a ban with the end of the one before it, so a
    // current ban is noticed.
    word const begun = m.load_acquire(cell::ban_begun);
    word_pair const ban{m.load_acquire(cell::ban_until), begun};
    if (static_cast<std::int64_t>(ban.first) > now_ms) return ban_state::holds;
    penalty const seen = unpack({0, m.load_acquire(cell::announcement_second)});
    if (strikes(seen, now_ms) < policy.strikes) return ban_state::none;  // invariant 6

    if (low_time(ban.second) != 0) remember_ban(m, time_bits(low_time(ban.second)));  // invariant 5
    std::int64_t const until = now_ms + ban_length_ms(policy, bans_before(m, now_ms));
    word const pardons = ban.second & ~time_bits(time_ms_max);
    if (m.swap_pair(cell::ban_until, ban, {time_bits(until), pardons | ban_stamp(now_ms)}))
      return ban_state::begun;  // invariant 4
  }
}

/// A refusal makes an announcement, makes a strike, or does nothing. Returns whether its strike led to a current ban.
template <class Memory>
ban_state note_refusal(Memory& m, ban_policy const& policy, nanoseconds wait, instant now, bool tells) {
  for (;;) {
    word_pair const seen{m.load(cell::announcement_first), m.load(cell::announcement_second)};
    penalty const before = unpack(seen);
    penalty const after = after_refusal(before, policy, wait, now, tells);
    if (after == before) return ban_state::none;
    if (!m.swap_pair(cell::announcement_first, seen, pack(after))) continue;
    bool const struck = after.strikes_gone_at != before.strikes_gone_at;
    bool const is_last = struck && strikes(after, boot_ms(now)) >= policy.strikes;
    return is_last ? begin_ban(m, policy, now) : ban_state::none;
  }
}

// --- operations

constexpr cost cost_of(single) noexcept {
  return 1;
}
constexpr cost cost_of(cost c) noexcept {
  return c;
}
constexpr single tokens_of(single one) noexcept {
  return one;
}
constexpr std::uint64_t tokens_of(cost c) noexcept {
  return c.tokens();
}

/// Both words with that many more tokens taken; nullopt if one quota has fewer.
template <class Cost = single>
constexpr std::optional<word_pair> take(word_pair w, plan const& p, instant now, Cost c = {}) noexcept {
  auto const short_word = take_from_short(w.first, p, p.short_refill, now, tokens_of(c));
  if (!short_word) return std::nullopt;
  if (!p.long_window) return word_pair{*short_word, w.second};
  auto const long_word = take_from_long(w.second, p.long_window, now, tokens_of(c));
  if (!long_word) return std::nullopt;
  return word_pair{*short_word, *long_word};
}

/// The announcement is the time when there is a token again, whatever the request would have cost. Until then no
/// request can pass, so a client that sends one ignores the announcement. While there are tokens, but too few, a
/// cheaper request may pass, and a client that sends it obeys: such a refusal makes no announcement and no strike. That
/// of a request that can never pass announces nothing, since it is told no time.
template <class Memory>
ban_state note_if_empty(Memory& m, word_pair seen, plan const& p, ban_policy const& policy, instant now, cost c) {
  if (policy.strikes == 0) return ban_state::none;
  nanoseconds const wait = read_quotas(seen.first, seen.second, p, now).wait();
  return wait.count() > 0 ? note_refusal(m, policy, wait, now, can_ever_pass(c, p)) : ban_state::none;
}

template <class Memory>
verdict refuse(Memory& m, word_pair seen, plan const& p, ban_policy const& policy, instant now, cost c) {
  // The answer to the request with the last strike is the first to report the ban, so its Retry-After must be valid.
  if (auto const ban = note_if_empty(m, seen, p, policy, now, c); ban != ban_state::none) {
    if (nanoseconds const left = ban_left(m, now); left.count() > 0) {
      verdict v = verdict_on(seen, decision::banned, occasion::charge, p, now, left, c);
      v.begins_ban = ban == ban_state::begun;
      return v;
    }
  }
  return verdict_on(seen, decision::rate_limited, occasion::charge, p, now, {}, c);
}

template <class Memory, class Cost = single>
verdict charge(Memory& m, plan const& p, ban_policy const& policy, instant now, Cost c = {}) {
  if (nanoseconds const left = ban_left(m, now); left.count() > 0)
    return verdict_on(load_quotas(m), decision::banned, occasion::charge, p, now, left, cost_of(c));

  for (;;) {
    word_pair const seen = load_quotas(m);
    auto const next = take(seen, p, now, c);
    if (!next) return refuse(m, seen, p, policy, now, cost_of(c));
    if (m.swap_pair(cell::short_window, seen, *next))  // invariant 1
      return verdict_on(*next, decision::admitted, occasion::charge, p, now, {}, cost_of(c));
  }
}

template <class Memory>
verdict observe(Memory& m, plan const& p, instant now) {
  nanoseconds const left = ban_left(m, now);
  auto const d = left.count() > 0 ? decision::banned : decision::observed;
  return verdict_on(load_quotas(m), d, occasion::observation, p, now, left);
}

/// Returns what `charge` would decide with the current state.
template <class Memory>
verdict peek(Memory& m, plan const& p, instant now, cost c) {
  nanoseconds const left = ban_left(m, now);
  word_pair const seen = load_quotas(m);
  auto const unbanned = take(seen, p, now, c) ? decision::admitted : decision::rate_limited;
  return verdict_on(seen, left.count() > 0 ? decision::banned : unbanned, occasion::observation, p, now, left, c);
}

/// Whether a refund of the verdict is a mistake whatever the account holds. What shadow mode admitted is none: it took
/// nothing, but its caller cannot see that.
inline bool took_nothing(verdict const& v) noexcept {
  return !v.admitted() || (v.occasion != occasion::charge && v.withheld == decision::observed);
}

/// Whether the account does not count the tokens of the verdict although their period is open. Each word is a proof by
/// itself, so the pair may be torn.
inline bool lacks(word_pair seen, verdict const& charged, instant now) noexcept {
  std::uint64_t const tokens = charged.cost.tokens();
  return lacks_in_short(seen.first, charged.short_word, charged.plan.short_window, now, tokens) ||
         (charged.plan.long_window && lacks_in_long(seen.second, charged.long_word, now, tokens));
}

/// Only an admission by `charge` has taken tokens.
template <class Memory>
verdict refund(Memory& m, verdict const& charged, plan const& p, instant now,
               charged_account which = charged_account::certain) {
  if (took_nothing(charged)) {
    verdict v = observe(m, p, now);
    if (charged.admitted()) v.decision = decision::admitted;
    v.occasion = occasion::mistaken_refund;
    return v;
  }
  std::uint64_t const tokens = charged.cost.tokens();
  for (;;) {
    word_pair const seen = load_quotas(m);
    word_pair next = seen;
    if (charged.occasion == occasion::charge) {
      if (which == charged_account::certain && lacks(seen, charged, now))
        return verdict_on(seen, decision::admitted, occasion::mistaken_refund, p, now);
      next.first = refund_short(seen.first, charged.short_word, charged.plan.short_window, now, tokens);
      if (charged.plan.long_window) next.second = refund_long(seen.second, charged.long_word, now, tokens);
    }
    if (next != seen && !m.swap_pair(cell::short_window, seen, next)) continue;
    return verdict_on(next, decision::admitted, occasion::refund, p, now);
  }
}

template <class Memory>
verdict charge_inquiry(Memory& m, plan const& p, instant now) {
  nanoseconds const left = ban_left(m, now);
  word_pair const quotas = load_quotas(m);
  if (left.count() > 0) return verdict_on(quotas, decision::banned, occasion::inquiry, p, now, left);
  for (;;) {
    word const seen = m.load(cell::inquiry);
    auto const next = take_from_short(seen, inquiry_plan, inquiry_plan.short_refill, now);
    if (!next)
      return verdict_on(quotas, decision::rate_limited, occasion::inquiry, p, now,
                        read_short(seen, inquiry_plan, now).frees_in);
    if (m.swap(cell::inquiry, seen, *next)) return verdict_on(quotas, decision::admitted, occasion::inquiry, p, now);
  }
}

constexpr word ban_end(boot_time until) noexcept {
  std::int64_t const ns = until.time_since_epoch().count();
  return time_bits(ns <= 0 ? 0 : (ns - 1) / 1'000'000 + 1);
}

template <class Memory>
void impose_ban(Memory& m, boot_time ends_at) {
  word const until = ban_end(ends_at);
  for (;;) {
    word_pair const ban{m.load_acquire(cell::ban_until), m.load_acquire(cell::ban_begun)};
    if (until <= ban.first || m.swap_pair(cell::ban_until, ban, {until, ban.second})) return;
  }
}

/// An end of a ban that was saved and restored is rounded up twice, to milliseconds of either clock.
constexpr word restored_late_ms_max = 5;

/// Moves the end of a ban that ends at `ended_at` to `ends_at`; any other ban does not change.
template <class Memory>
void move_ban(Memory& m, boot_time ended_at, boot_time ends_at) {
  word const from = ban_end(ended_at);
  for (;;) {
    word_pair const ban{m.load_acquire(cell::ban_until), m.load_acquire(cell::ban_begun)};
    bool const is_it = ban.first >= from && ban.first - from <= restored_late_ms_max;
    if (!is_it || m.swap_pair(cell::ban_until, ban, {ban_end(ends_at), ban.second})) return;
  }
}

template <class Memory>
void lift_ban(Memory& m) {
  for (;;) {  // invariant 6: the strikes go first
    word_pair const seen{m.load_acquire(cell::announcement_first), m.load_acquire(cell::announcement_second)};
    if (seen == word_pair{} || m.swap_pair(cell::announcement_first, seen, {})) break;
  }
  for (;;) {
    word_pair const ban{m.load_acquire(cell::ban_until), m.load_acquire(cell::ban_begun)};
    word const pardons = (ban.second >> 40) + 1;
    if (m.swap_pair(cell::ban_until, ban, {0, pardons << 40})) break;
  }
  for (std::size_t i = history_length; i-- > 0;) {  // from the back, so that no gap opens in front of an entry
    for (;;) {
      word const entry = m.load_acquire(history_cell(i));
      if (entry == 0 || m.swap(history_cell(i), entry, 0)) break;
    }
  }
}

/// Changes a wrong period to the present one and keeps its count, so that nothing is granted; and shortens an
/// announcement that is longer than possible.
template <class Memory>
void leave_wrong_period(Memory& m, plan const& p, instant now) {
  for (;;) {
    word_pair const seen = load_quotas(m);
    if (!is_wrong_period(seen.second, p, now)) break;
    word const present = aligned_word(present_end_h(aligned_period(p), now), used_in_long(seen.second));
    if (m.swap_pair(cell::short_window, seen, {seen.first, present})) break;
  }
  std::int64_t const latest_ms = boot_ms(now) + longest_wait_ms(p);
  for (;;) {
    word_pair const seen{m.load_acquire(cell::announcement_first), m.load_acquire(cell::announcement_second)};
    penalty cut = unpack(seen);
    if (cut.announced_until <= latest_ms) break;
    cut.announced_until = latest_ms;
    if (m.swap_pair(cell::announcement_first, seen, pack(cut))) break;
  }
}

}  // namespace petstore::limits::detail
