// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "petstore/limits/detail/word_tags.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"

/// The arithmetic of one quota: a function takes a 64-bit word and returns a reading or the next word. Nothing here is
/// atomic or has state, so all of it can be tested with plain numbers.
///
/// Short word, periodic:     0 | the period's end, ms on the boot clock (39 bits) | tokens used in it (24 bits)
/// Short word, continuous:   1 | theoretical arrival time, ns on the boot clock (63 bits)
/// Long word, aligned:       0 | the period's end, hours since 1970-01-01 (23 bits) | tokens used in it (40 bits)
/// Long word, by request:    1 | the period's end, s on the boot clock (31 bits) | tokens used in it (32 bits)
///
/// The word 0 is a bucket that was never used. A word keeps the format of its tag until a request is admitted after its
/// period has ended (a short word of another refill: until any request is admitted), which writes it in the format of
/// the plan. So a change of plan keeps the used tokens, and a waiting time that was announced before stays true. The
/// end of a period is stored and not its beginning, so it needs no plan to be read, and because a period restored after
/// a reboot may have begun before the epoch of the boot clock.
///
/// Only the long word of an aligned period is on the wall clock: a clock that is set back does not open it again. A
/// short period that is aligned ends at the moment of the boot clock at which the wall clock shows its end. If the wall
/// clock is set meanwhile, the period after it is longer than others rather than shorter, and ends at a boundary again.
namespace petstore::limits::detail {

using word = std::uint64_t;
using std::chrono::nanoseconds;

/// 2026-01-01T00:00:00Z. The program did not exist before, so a wall clock that shows less has not been set yet.
inline constexpr std::chrono::sys_seconds earliest_wall{std::chrono::seconds{1'767'225'600}};

inline constexpr unsigned used_in_short_bits = 24;
inline constexpr std::int64_t period_end_ms_max = (std::int64_t{1} << 39) - 1;  ///< 17.4 years of uptime

inline constexpr unsigned used_in_aligned_bits = 40;
inline constexpr unsigned used_by_request_bits = 32;
inline constexpr std::int64_t aligned_end_h_max = 2'562'047;  ///< in 2262, where 64 bits of nanoseconds end
inline constexpr std::int64_t by_request_end_s_max = (std::int64_t{1} << 31) - 1;
inline constexpr nanoseconds hour{3'600'000'000'000};

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

// --- the short window

constexpr word periodic_word(std::int64_t end_ms, std::uint64_t used) noexcept {
  return static_cast<word>(std::clamp<std::int64_t>(end_ms, 0, period_end_ms_max)) << used_in_short_bits | used;
}
constexpr word continuous_word(boot_time arrival) noexcept {
  return continuous_tag | static_cast<word>(std::max<std::int64_t>(0, arrival.time_since_epoch().count()));
}
constexpr bool is_continuous(word w) noexcept {
  return (w & continuous_tag) != 0;
}
constexpr std::int64_t period_end_ms(word w) noexcept {
  return static_cast<std::int64_t>(w >> used_in_short_bits);
}
constexpr std::uint64_t used_in_short(word w) noexcept {
  return w & ((word{1} << used_in_short_bits) - 1);
}
constexpr boot_time arrival(word w) noexcept {
  return boot_time{nanoseconds{static_cast<std::int64_t>(w & ~continuous_tag)}};
}

constexpr std::int64_t length_ms(period p) noexcept {
  return p.longest() / std::chrono::milliseconds{1};
}

/// The end of the period that a request opens, in ms on the boot clock. That of an aligned one is rounded up. The wall
/// clock may show a little less than the end of the period before, or may have been set back. So that no boundary has
/// two periods, a new one that would be too short ends at the boundary after it.
constexpr std::int64_t new_period_end_ms(period p, instant now, std::int64_t last_end_ms) noexcept {
  if (!p.is_aligned()) return boot_ms(now) + length_ms(p);
  nanoseconds const shortest = p.is_month() ? std::chrono::days{28} : p.longest();
  nanoseconds const slack = std::min<nanoseconds>(std::chrono::seconds{2}, shortest / 2);
  auto const on_boot_clock = [now](wall_time end) {
    return ((now.boot + (end - now.wall)).time_since_epoch().count() - 1) / 1'000'000 + 1;
  };
  wall_time const end = p.end_after(now.wall);
  bool const is_short = last_end_ms != 0 && boot_at(on_boot_clock(end)) < boot_at(last_end_ms) + shortest - slack;
  return on_boot_clock(is_short ? p.end_after(end) : end);
}

/// The bucket of a short window: how many tokens come in a period, and how many it holds. They differ only with a
/// burst.
struct bucket {
  limits::short_window window;
  std::uint64_t size;

  constexpr bucket(limits::short_window const& w) noexcept : window{w}, size{w.tokens()} {}
  constexpr bucket(plan const& p) noexcept : window{p.short_window}, size{p.bucket()} {}

  constexpr nanoseconds interval() const noexcept { return token_interval(window); }
  /// How long an empty bucket takes to be full.
  constexpr nanoseconds fills_in() const noexcept {
    return size == window.tokens() ? window.period().longest() : static_cast<std::int64_t>(size) * interval();
  }
};

constexpr reading read_short(word w, bucket const& b, instant now, std::uint64_t needed = 1) noexcept {
  std::uint64_t const quota = b.size;
  reading r{.quota = quota, .needed = needed};
  if (is_continuous(w)) {
    nanoseconds const owed = arrival(w) - now.boot;
    if (owed.count() <= 0) return r;
    nanoseconds const interval = b.interval();
    r.used = static_cast<std::uint64_t>((owed.count() - 1) / interval.count() + 1);
    r.full_in = owed;
    if (r.exhausted() && needed <= quota) r.frees_in = owed - static_cast<std::int64_t>(quota - needed) * interval;
    r.more_in = owed - static_cast<std::int64_t>(std::min(r.used, quota) - 1) * interval;
    return r;
  }
  nanoseconds const left = boot_at(period_end_ms(w)) - now.boot;
  if (left.count() <= 0) return r;
  r.used = used_in_short(w);
  r.more_in = r.full_in = left;
  if (r.exhausted() && needed <= quota) r.frees_in = left;
  return r;
}

/// The word after that many more tokens were taken; nullopt if there are fewer. It computes less than `read_short`: it
/// needs no division except for the interval of a continuous refill.
template <class Tokens = single>
constexpr std::optional<word> take_from_short(word w, bucket const& b, refill mode, instant now,
                                              Tokens tokens = {}) noexcept {
  if (!holds(b.size, tokens)) return std::nullopt;
  std::uint64_t const taken = count(tokens);
  if (mode == refill::periodic && !is_continuous(w)) {
    if (boot_at(period_end_ms(w)) <= now.boot)
      return periodic_word(new_period_end_ms(b.window.period(), now, period_end_ms(w)), taken);
    return used_in_short(w) + (taken - 1) < b.size ? std::optional{w + taken} : std::nullopt;
  }
  auto const as_count = static_cast<std::int64_t>(taken);
  if (mode == refill::continuous && is_continuous(w)) {
    nanoseconds const interval = b.interval();
    nanoseconds const owed = std::max(arrival(w) - now.boot, nanoseconds{0});
    if (owed > static_cast<std::int64_t>(b.size - taken) * interval) return std::nullopt;
    return continuous_word(now.boot + owed + as_count * interval);
  }
  // The word has the other format and is converted: the used tokens stay used.
  reading const r = read_short(w, b, now, taken);
  if (r.exhausted()) return std::nullopt;
  auto const used = static_cast<std::int64_t>(r.used) + as_count;
  return mode == refill::continuous ? continuous_word(now.boot + used * b.interval())
                                    : periodic_word(new_period_end_ms(b.window.period(), now, 0), r.used + taken);
}

/// The word after the tokens of `receipt` were given back. It is `w` itself if they are free again already: their
/// period is over, or (continuous) their share has drained. `window` is the one they were charged under. A period
/// whose every token was given back is closed, as if it had never been opened.
constexpr word refund_short(word w, word receipt, short_window const& window, instant now,
                            std::uint64_t tokens = 1) noexcept {
  if (receipt == 0 || is_continuous(w) != is_continuous(receipt)) return w;
  if (is_continuous(w)) {
    nanoseconds const given = static_cast<std::int64_t>(tokens) * token_interval(window);
    nanoseconds const undrained = std::min(arrival(receipt) - now.boot, given);
    return undrained.count() <= 0 || arrival(w) <= now.boot ? w : continuous_word(arrival(w) - undrained);
  }
  bool const same_period = period_end_ms(w) == period_end_ms(receipt) && boot_at(period_end_ms(w)) > now.boot;
  if (!same_period || used_in_short(w) == 0) return w;
  return used_in_short(w) <= tokens ? 0 : w - tokens;
}

/// Whether the tokens of `receipt` are not among those that `w` counts, although time has not freed them. Then they
/// were given back before, or `receipt` is of another account. False where the word cannot prove it: the kind of refill
/// has changed since, or as many tokens of others are counted. A period follows another one when that is over, so two
/// whose ends are less than a period apart are of different accounts, unless every token of the first was given back.
/// (An aligned one may be shorter, if the clock was set.) An arrival time proves nothing: each refund moves it, and the
/// receipts of later charges keep theirs. Only an account that was never charged lacks the tokens of a continuous
/// receipt for certain.
constexpr bool lacks_in_short(word w, word receipt, short_window const& window, instant now,
                              std::uint64_t tokens) noexcept {
  if (is_continuous(receipt)) {
    nanoseconds const given = static_cast<std::int64_t>(tokens) * token_interval(window);
    nanoseconds const undrained = std::min(arrival(receipt) - now.boot, given);
    return undrained.count() > 0 && w == 0;
  }
  if (is_continuous(w) || boot_at(period_end_ms(receipt)) <= now.boot) return false;
  if (period_end_ms(w) == period_end_ms(receipt)) return used_in_short(w) < tokens;
  std::int64_t const next_end =
      period_end_ms(receipt) + (window.period().is_aligned() ? 0 : length_ms(window.period()));
  return period_end_ms(w) < next_end;
}

/// The longest time until the bucket of the short window is full, in ms, rounded up.
constexpr std::int64_t longest_fill_ms(plan const& p) noexcept {
  return std::max(length_ms(p.short_window.period()), (bucket{p}.fills_in().count() + 999'999) / 1'000'000);
}

/// The longest time that a period of the long window may have left, in ms.
constexpr std::int64_t longest_left_ms(period p) noexcept {
  return length_ms(p) + (p.is_aligned() ? 0 : 1'000);  // one that a request begins ends at a full second
}

/// The longest wait that a refusal can announce.
constexpr std::int64_t longest_wait_ms(plan const& p) noexcept {
  return p.long_window ? std::max(longest_left_ms(p.long_window.period()), longest_fill_ms(p)) : longest_fill_ms(p);
}

// --- the long window

constexpr word aligned_word(std::int64_t end_h, std::uint64_t used) noexcept {
  return static_cast<word>(std::clamp<std::int64_t>(end_h, 0, aligned_end_h_max)) << used_in_aligned_bits | used;
}
constexpr word by_request_word(std::int64_t end_s, std::uint64_t used) noexcept {
  return by_request_tag |
         static_cast<word>(std::clamp<std::int64_t>(end_s, 0, by_request_end_s_max)) << used_by_request_bits | used;
}
constexpr bool is_by_request(word w) noexcept {
  return (w & by_request_tag) != 0;
}
constexpr std::uint64_t used_in_long_max(word w) noexcept {
  return is_by_request(w) ? long_tokens_by_request_max : long_tokens_max;
}
constexpr std::uint64_t used_in_long(word w) noexcept {
  return w & used_in_long_max(w);
}
constexpr std::int64_t aligned_end_h(word w) noexcept {
  return static_cast<std::int64_t>(w >> used_in_aligned_bits);
}
constexpr std::int64_t by_request_end_s(word w) noexcept {
  return static_cast<std::int64_t>((w & ~by_request_tag) >> used_by_request_bits);
}
/// The word without its count.
constexpr word long_period_of(word w) noexcept {
  return w & ~used_in_long_max(w);
}

/// The time until the period of the word ends; 0 or less after it. If the wall clock was set back, the period that was
/// reached stays open, for longer than its length.
constexpr nanoseconds long_left(word w, instant now) noexcept {
  return is_by_request(w) ? boot_time{std::chrono::seconds{by_request_end_s(w)}} - now.boot
                          : aligned_end_h(w) * hour - now.wall.time_since_epoch();
}
constexpr bool is_over(word w, instant now) noexcept {
  return long_left(w, now).count() <= 0;
}

/// The first full hour that is not earlier.
constexpr std::int64_t hour_after(wall_time t) noexcept {
  return (t.time_since_epoch() + hour - nanoseconds{1}) / hour;
}
/// The end of the aligned period that the wall clock is in. A clock that shows a time before 1970 shows 1970.
constexpr std::int64_t present_end_h(period p, instant now) noexcept {
  return p.end_after(std::max(now.wall, wall_time{})).time_since_epoch() / hour;
}
/// A period that begins now, with that many tokens used. One that begins with a request ends at a full second.
constexpr word new_long_word(period p, instant now, std::uint64_t used) noexcept {
  return p.is_aligned() ? aligned_word(present_end_h(p, now), used)
                        : by_request_word(ceil_s(now.boot.time_since_epoch() + p.longest()), used);
}

/// The aligned period that the present one of an aligned word is compared with. A plan without one says nothing of it:
/// a month is the longest.
constexpr period aligned_period(plan const& p) noexcept {
  return p.long_window && p.long_window.is_aligned() ? p.long_window.period() : period{std::chrono::months{1}};
}

/// Whether the period is too late to come from a small change of the wall clock: it was reached while the year was
/// wrong.
constexpr bool is_wrong_period(word w, plan const& p, instant now) noexcept {
  if (is_by_request(w)) return false;
  period const length = aligned_period(p);
  return aligned_end_h(w) > present_end_h(length, now) + length.longest() / std::chrono::hours{1};
}

constexpr reading read_long(word w, std::uint64_t quota, instant now, std::uint64_t needed = 1) noexcept {
  reading r{.quota = quota, .needed = needed};
  nanoseconds const left = long_left(w, now);
  r.used = left.count() <= 0 ? 0 : used_in_long(w);
  if (r.used == 0) return r;
  if (is_by_request(w)) r.quota = quota = std::min(quota, long_tokens_by_request_max);  // what its word can count
  r.more_in = r.full_in = left;
  if (r.exhausted() && needed <= quota) r.frees_in = r.full_in;
  return r;
}

/// The word after that many more tokens were taken; nullopt if there are fewer.
template <class Tokens = single>
constexpr std::optional<word> take_from_long(word w, long_window const& window, instant now,
                                             Tokens tokens = {}) noexcept {
  if (!holds(window.tokens(), tokens)) return std::nullopt;
  if (w == 0 || is_over(w, now)) return new_long_word(window.period(), now, count(tokens));
  std::uint64_t const quota = std::min(window.tokens(), used_in_long_max(w));
  return used_in_long(w) + (count(tokens) - 1) < quota ? std::optional{w + count(tokens)} : std::nullopt;
}

/// The period is kept when its last token comes back: it was reached, and a clock that was set back must not reach it
/// again.
constexpr word refund_long(word w, word receipt, instant now, std::uint64_t tokens = 1) noexcept {
  bool const same_period = receipt != 0 && long_period_of(w) == long_period_of(receipt) && !is_over(w, now);
  return same_period ? w - std::min(used_in_long(w), tokens) : w;
}

/// Like `lacks_in_short`. Another period proves nothing, since a clock may have been set.
constexpr bool lacks_in_long(word w, word receipt, instant now, std::uint64_t tokens) noexcept {
  return long_period_of(w) == long_period_of(receipt) && !is_over(w, now) && used_in_long(w) < tokens;
}

}  // namespace petstore::limits::detail
