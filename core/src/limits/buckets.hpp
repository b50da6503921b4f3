// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"

/// The arithmetic of one quota: a function takes a 64-bit word and returns a reading or the next word. Nothing here is
/// atomic or has state, so all of it can be tested with plain numbers.
///
/// Minute word, periodic:    0 | the period's end, ms on the boot clock (39 bits) | tokens used in it (24 bits)
/// Minute word, continuous:  1 | theoretical arrival time, ns on the boot clock (63 bits)
/// Day word:                 day since 1970-01-01 (24 bits) | tokens used on it (40 bits)
///
/// The word 0 is a bucket that was never used. A minute word keeps the format of its tag until a request is admitted,
/// which rewrites it in the format of the plan. So a change of refill keeps the used tokens, and a waiting time that
/// was announced before stays true. The end of a period is stored and not its beginning, because a period restored
/// after a reboot may have begun before the epoch of the boot clock.
namespace petstore::limits::detail {

using word = std::uint64_t;
using std::chrono::nanoseconds;

inline constexpr nanoseconds minute_length{60'000'000'000};
inline constexpr nanoseconds day_length{86'400'000'000'000};
inline constexpr std::int64_t minute_length_ms = 60'000;

/// 2026-01-01T00:00:00Z. The program did not exist before, so a wall clock that shows less has not been set yet.
inline constexpr std::chrono::sys_seconds earliest_wall{std::chrono::seconds{1'767'225'600}};

inline constexpr unsigned used_in_minute_bits = 24;
inline constexpr unsigned used_in_day_bits = 40;
inline constexpr word continuous_tag = word{1} << 63;
inline constexpr std::int64_t period_end_ms_max = (std::int64_t{1} << 39) - 1;  ///< 17.4 years of uptime
inline constexpr std::int64_t day_max = (std::int64_t{1} << 24) - 1;

constexpr std::int64_t boot_ms(instant now) noexcept {
  return std::max<std::int64_t>(0, now.boot.time_since_epoch().count() / 1'000'000);
}
/// A stored time of the boot clock, in ms.
constexpr boot_time boot_at(std::int64_t ms) noexcept {
  return boot_time{nanoseconds{ms * 1'000'000}};
}
constexpr std::int64_t ceil_s(nanoseconds t) noexcept {
  return t.count() <= 0 ? 0 : (t.count() - 1) / 1'000'000'000 + 1;
}

/// The number of tokens that are taken or given back together. Nearly always it is one, which is then a constant at
/// compile time.
using single = std::integral_constant<std::uint64_t, 1>;
template <class Tokens>
constexpr std::uint64_t count(Tokens tokens) noexcept {
  return tokens;
}
/// Whether a quota can hold that many tokens. Every quota holds one.
template <class Tokens>
constexpr bool holds(std::uint64_t quota, Tokens tokens) noexcept {
  return std::is_same_v<Tokens, single> || count(tokens) <= quota;
}

/// The state of one quota word at one instant, for a request that needs that many tokens.
struct reading {
  std::uint64_t quota = 0;
  std::uint64_t needed = 1;
  std::uint64_t used = 0;   ///< may exceed the quota after a change of plan
  nanoseconds frees_in{0};  ///< until it has the tokens; 0 if it has them, or never will
  nanoseconds more_in{0};   ///< until more tokens come; 0 if it is full
  nanoseconds full_in{0};   ///< until it is full

  /// Whether there are fewer tokens than needed.
  constexpr bool exhausted() const noexcept { return used + needed > quota; }
  constexpr std::uint64_t remaining() const noexcept { return used >= quota ? 0 : quota - used; }
};

// --- the minute

constexpr word periodic_word(std::int64_t end_ms, std::uint64_t used) noexcept {
  return static_cast<word>(std::clamp<std::int64_t>(end_ms, 0, period_end_ms_max)) << used_in_minute_bits | used;
}
constexpr word continuous_word(boot_time arrival) noexcept {
  return continuous_tag | static_cast<word>(std::max<std::int64_t>(0, arrival.time_since_epoch().count()));
}
constexpr bool is_continuous(word w) noexcept {
  return (w & continuous_tag) != 0;
}
constexpr std::int64_t period_end_ms(word w) noexcept {
  return static_cast<std::int64_t>(w >> used_in_minute_bits);
}
constexpr std::uint64_t used_in_minute(word w) noexcept {
  return w & ((word{1} << used_in_minute_bits) - 1);
}
constexpr boot_time arrival(word w) noexcept {
  return boot_time{nanoseconds{static_cast<std::int64_t>(w & ~continuous_tag)}};
}

constexpr std::uint64_t minute_quota(plan const& p) noexcept {
  return p.per_minute;
}

/// Rounded up, so that rounding never admits more than the quota: at 60, 300 and 1,000 a minute it is exact, at the
/// largest quota it is 0.02 % too long.
constexpr nanoseconds token_interval(std::uint64_t quota) noexcept {
  auto const q = static_cast<std::int64_t>(quota);
  return nanoseconds{(minute_length.count() + q - 1) / q};
}

/// The bucket of a minute: how many tokens come in a minute, and how many it holds. They differ only with a burst.
struct minute_bucket {
  std::uint64_t per_minute;
  std::uint64_t size;

  constexpr minute_bucket(std::uint64_t quota) noexcept : per_minute{quota}, size{quota} {}
  constexpr minute_bucket(plan const& p) noexcept : per_minute{p.per_minute}, size{p.minute_bucket()} {}

  /// How long an empty bucket takes to be full.
  constexpr nanoseconds fills_in() const noexcept {
    return size == per_minute ? minute_length : static_cast<std::int64_t>(size) * token_interval(per_minute);
  }
};

constexpr reading read_minute(word w, minute_bucket const& b, instant now, std::uint64_t needed = 1) noexcept {
  std::uint64_t const quota = b.size;
  reading r{.quota = quota, .needed = needed};
  if (is_continuous(w)) {
    nanoseconds const owed = arrival(w) - now.boot;
    if (owed.count() <= 0) return r;
    nanoseconds const interval = token_interval(b.per_minute);
    r.used = static_cast<std::uint64_t>((owed.count() - 1) / interval.count() + 1);
    r.full_in = owed;
    if (r.exhausted() && needed <= quota) r.frees_in = owed - static_cast<std::int64_t>(quota - needed) * interval;
    r.more_in = owed - static_cast<std::int64_t>(std::min(r.used, quota) - 1) * interval;
    return r;
  }
  nanoseconds const left = boot_at(period_end_ms(w)) - now.boot;
  if (left.count() <= 0) return r;
  r.used = used_in_minute(w);
  r.more_in = r.full_in = left;
  if (r.exhausted() && needed <= quota) r.frees_in = left;
  return r;
}

/// The word after that many more tokens were taken; nullopt if there are fewer. It computes less than `read_minute`: it
/// needs no division except for the interval of a continuous refill.
template <class Tokens = single>
constexpr std::optional<word> take_from_minute(word w, minute_bucket const& b, refill mode, instant now,
                                               Tokens tokens = {}) noexcept {
  if (!holds(b.size, tokens)) return std::nullopt;
  std::uint64_t const taken = count(tokens);
  if (mode == refill::periodic && !is_continuous(w)) {
    if (boot_at(period_end_ms(w)) <= now.boot) return periodic_word(boot_ms(now) + minute_length_ms, taken);
    return used_in_minute(w) + (taken - 1) < b.per_minute ? std::optional{w + taken} : std::nullopt;
  }
  auto const as_count = static_cast<std::int64_t>(taken);
  if (mode == refill::continuous && is_continuous(w)) {
    nanoseconds const interval = token_interval(b.per_minute);
    nanoseconds const owed = std::max(arrival(w) - now.boot, nanoseconds{0});
    if (owed > static_cast<std::int64_t>(b.size - taken) * interval) return std::nullopt;
    return continuous_word(now.boot + owed + as_count * interval);
  }
  // The word has the other format and is converted: the used tokens stay used.
  reading const r = read_minute(w, b, now, taken);
  if (r.exhausted()) return std::nullopt;
  auto const used = static_cast<std::int64_t>(r.used) + as_count;
  return mode == refill::continuous ? continuous_word(now.boot + used * token_interval(b.per_minute))
                                    : periodic_word(boot_ms(now) + minute_length_ms, r.used + taken);
}

/// The word after the tokens of `receipt` were given back. It is `w` itself if they are free again already: their
/// period is over, or (continuous) their share has drained. `quota` is the quota they were charged under. A period
/// whose every token was given back is closed, as if it had never been opened.
constexpr word refund_minute(word w, word receipt, std::uint64_t quota, instant now,
                             std::uint64_t tokens = 1) noexcept {
  if (receipt == 0 || is_continuous(w) != is_continuous(receipt)) return w;
  if (is_continuous(w)) {
    nanoseconds const given = static_cast<std::int64_t>(tokens) * token_interval(quota);
    nanoseconds const undrained = std::min(arrival(receipt) - now.boot, given);
    return undrained.count() <= 0 || arrival(w) <= now.boot ? w : continuous_word(arrival(w) - undrained);
  }
  bool const same_period = period_end_ms(w) == period_end_ms(receipt) && boot_at(period_end_ms(w)) > now.boot;
  if (!same_period || used_in_minute(w) == 0) return w;
  return used_in_minute(w) <= tokens ? 0 : w - tokens;
}

/// Whether the tokens of `receipt` are not among those that `w` counts, although time has not freed them. Then they
/// were given back before, or `receipt` is of another account. False where the word cannot prove it: the kind of refill
/// has changed since, or as many tokens of others are counted. A period follows another one when that is over, so two
/// whose ends are less than a minute apart are of different accounts, unless every token of the first was given back.
/// An arrival time proves nothing: each refund moves it, and the receipts of later charges keep theirs. Only an account
/// that was never charged lacks the tokens of a continuous receipt for certain.
constexpr bool lacks_in_minute(word w, word receipt, std::uint64_t quota, instant now, std::uint64_t tokens) noexcept {
  if (is_continuous(receipt)) {
    nanoseconds const given = static_cast<std::int64_t>(tokens) * token_interval(quota);
    nanoseconds const undrained = std::min(arrival(receipt) - now.boot, given);
    return undrained.count() > 0 && w == 0;
  }
  if (is_continuous(w) || boot_at(period_end_ms(receipt)) <= now.boot) return false;
  if (period_end_ms(w) == period_end_ms(receipt)) return used_in_minute(w) < tokens;
  return period_end_ms(w) < period_end_ms(receipt) + minute_length_ms;
}

/// The longest time until the minute's bucket is full, in ms, rounded up.
constexpr std::int64_t longest_fill_ms(plan const& p) noexcept {
  return std::max(minute_length_ms, (minute_bucket{p}.fills_in().count() + 999'999) / 1'000'000);
}

/// The longest wait that a refusal can announce.
constexpr std::int64_t longest_wait_ms(plan const& p) noexcept {
  return p.per_day != 0 ? std::max(day_length.count() / 1'000'000, longest_fill_ms(p)) : longest_fill_ms(p);
}

// --- the day

constexpr word day_word(std::int64_t day, std::uint64_t used) noexcept {
  return static_cast<word>(std::clamp<std::int64_t>(day, 0, day_max)) << used_in_day_bits | used;
}
constexpr std::int64_t day_of(word w) noexcept {
  return static_cast<std::int64_t>(w >> used_in_day_bits);
}
constexpr std::uint64_t used_on_day(word w) noexcept {
  return w & ((word{1} << used_in_day_bits) - 1);
}
constexpr std::int64_t wall_day(instant now) noexcept {
  return std::clamp<std::int64_t>(now.wall.time_since_epoch() / day_length, 0, day_max);
}
/// The time since the day of the word began: negative after the wall clock was set back to before it.
constexpr nanoseconds into_day(word w, instant now) noexcept {
  return now.wall.time_since_epoch() - day_of(w) * day_length;
}
/// If the wall clock was set back, the day that was reached stays open.
constexpr bool is_over(word w, instant now) noexcept {
  return into_day(w, now) >= day_length;
}

/// Whether the day is too late to come from a small change of the wall clock: it was reached while the year was wrong.
constexpr bool is_wrong_day(word w, instant now) noexcept {
  return day_of(w) > wall_day(now) + 1;
}

constexpr reading read_day(word w, std::uint64_t quota, instant now, std::uint64_t needed = 1) noexcept {
  reading r{.quota = quota, .needed = needed};
  r.used = is_over(w, now) ? 0 : used_on_day(w);
  if (r.used == 0) return r;
  r.more_in = r.full_in = day_length - into_day(w, now);
  if (r.exhausted() && needed <= quota) r.frees_in = r.full_in;
  return r;
}

/// The word after that many more tokens were taken; nullopt if there are fewer.
template <class Tokens = single>
constexpr std::optional<word> take_from_day(word w, std::uint64_t quota, instant now, Tokens tokens = {}) noexcept {
  if (!holds(quota, tokens)) return std::nullopt;
  if (is_over(w, now)) return day_word(wall_day(now), count(tokens));
  return used_on_day(w) + (count(tokens) - 1) < quota ? std::optional{w + count(tokens)} : std::nullopt;
}

/// The day is kept when its last token comes back: it was reached, and a clock that was set back must not reach it
/// again.
constexpr word refund_day(word w, word receipt, instant now, std::uint64_t tokens = 1) noexcept {
  bool const same_day = receipt != 0 && day_of(w) == day_of(receipt) && !is_over(w, now);
  return same_day ? w - std::min(used_on_day(w), tokens) : w;
}

/// Like `lacks_in_minute`. Another day proves nothing, since a clock may have been set.
constexpr bool lacks_on_day(word w, word receipt, instant now, std::uint64_t tokens) noexcept {
  return day_of(w) == day_of(receipt) && !is_over(w, now) && used_on_day(w) < tokens;
}

}  // namespace petstore::limits::detail
