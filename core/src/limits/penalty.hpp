// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "buckets.hpp"
#include "petstore/limits/detail/ban_rules.hpp"

/// The arithmetic of announcements, strikes and bans, from words to words. All times are ms on the boot clock, 40 bits
/// (34.8 years of uptime), 0 = never.
///
/// Announcement, first word:   announced at (40 bits) | until, upper 24 bits
/// Announcement, second word:  until, lower 16 bits | 8 unused | strikes gone at (40 bits)
/// Ban, first word:            the ban's end
/// Ban, second word:           operator's pardons (24 bits) | stamp of the latest ban for strikes (40 bits)
/// History:                    stamps of the bans before that one
///
/// A stamp is the time at which a ban began plus `ban_memory_ms`, so that a ban from before the last reboot has one.
/// One strike is forgotten each second, so the time when the last one is forgotten gives their number.
namespace petstore::limits::detail {

inline constexpr std::int64_t time_ms_max = (std::int64_t{1} << 40) - 1;
inline constexpr std::int64_t strike_lasts_ms = strike_lasts.count();
inline constexpr std::int64_t ban_memory_ms = ban_memory.count();

constexpr word time_bits(std::int64_t ms) noexcept {
  return static_cast<word>(std::clamp<std::int64_t>(ms, 0, time_ms_max));
}
constexpr std::int64_t low_time(word w) noexcept {
  return static_cast<std::int64_t>(w & time_bits(time_ms_max));
}

/// A duration of a policy. An account takes any, and stores no longer one than this.
constexpr std::int64_t bounded_ms(std::chrono::milliseconds d) noexcept {
  return std::clamp<std::int64_t>(d.count(), 0, time_ms_max);
}

struct penalty {
  std::int64_t announced_at = 0;
  std::int64_t announced_until = 0;
  std::int64_t strikes_gone_at = 0;

  friend constexpr bool operator==(penalty const&, penalty const&) = default;
};

struct word_pair {
  word first = 0;
  word second = 0;

  friend constexpr bool operator==(word_pair const&, word_pair const&) = default;
};

constexpr word_pair pack(penalty const& p) noexcept {
  word const until = time_bits(p.announced_until);
  return {time_bits(p.announced_at) << 24 | until >> 16, (until & 0xffff) << 48 | time_bits(p.strikes_gone_at)};
}
constexpr penalty unpack(word_pair w) noexcept {
  return {.announced_at = static_cast<std::int64_t>(w.first >> 24),
          .announced_until = static_cast<std::int64_t>((w.first & 0xffffff) << 16 | w.second >> 48),
          .strikes_gone_at = low_time(w.second)};
}

constexpr std::int64_t strikes(penalty const& p, std::int64_t now_ms) noexcept {
  std::int64_t const left = p.strikes_gone_at - now_ms;
  return left <= 0 ? 0 : (left - 1) / strike_lasts_ms + 1;
}

/// By how much the end of a wait may differ from the announced one, and be the same: the wall clock may have been set
/// by less than what counts as set.
constexpr std::int64_t same_wait_ms = 2'000;

/// The penalty after a refusal. `wait` is the exact waiting time, not rounded to the second: a client with several
/// processes that obey the answers they got never makes a strike. A wait with another end than the announced one is
/// a new announcement: there were tokens meanwhile, of another plan or of another day. A client whose request can never
/// pass is told no time (`tells` is false), so nothing is announced to it.
constexpr penalty after_refusal(penalty p, ban_policy const& policy, nanoseconds wait, instant now,
                                bool tells) noexcept {
  std::int64_t const now_ms = boot_ms(now);
  if (now_ms < p.announced_at) return p;  // of a thread that was held up
  std::int64_t const until_ms = std::min((now.boot + wait).time_since_epoch().count() / 1'000'000, time_ms_max);
  auto const [earlier, later] = std::minmax({until_ms, p.announced_until});
  bool const is_announced = now_ms < p.announced_until && later - earlier <= same_wait_ms;
  if (is_announced) {
    bool const is_strike = now_ms >= p.announced_at + bounded_ms(policy.grace);
    if (is_strike) p.strikes_gone_at = std::max(p.strikes_gone_at, now_ms) + strike_lasts_ms;
  } else if (tells) {
    p.announced_at = now_ms;
    p.announced_until = until_ms;
  }
  return p;
}

constexpr std::int64_t ban_length_ms(ban_policy const& policy, unsigned begun_before) noexcept {
  std::int64_t const longest = bounded_ms(policy.max);
  std::int64_t length = bounded_ms(policy.base);
  for (unsigned i = 0; i < begun_before && length < longest; ++i) length *= 2;
  return std::min(length, longest);
}

constexpr word ban_stamp(std::int64_t begun_ms) noexcept {
  return time_bits(begun_ms + ban_memory_ms);
}
constexpr std::int64_t ban_begun_ms(word stamp) noexcept {
  return low_time(stamp) - ban_memory_ms;
}
constexpr bool counts_for_next_ban(word stamp, std::int64_t now_ms) noexcept {
  return low_time(stamp) != 0 && now_ms < low_time(stamp);
}

}  // namespace petstore::limits::detail
