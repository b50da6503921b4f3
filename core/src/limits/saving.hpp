// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>

#include "account_protocol.hpp"

/// Saves an account while other threads go on charging it: times of the boot clock become times of the wall clock.
/// Written over a Memory, like the rest of the protocol.
namespace petstore::limits::detail {

/// Converts ms on one clock to ms on the other.
class translation {
 public:
  explicit translation(instant now) noexcept
      : unix_minus_boot_ms_(std::chrono::round<std::chrono::milliseconds>(now.wall_minus_boot()).count()) {}

  /// 0 is "never" in a saved account, so 1970 begins a millisecond later there.
  std::int64_t to_unix(std::int64_t boot) const noexcept {
    return std::max<std::int64_t>(1, boot + unix_minus_boot_ms_);
  }
  /// Accepts any number that a disk may hold.
  std::int64_t to_boot(std::int64_t unix_ms) const noexcept {
    constexpr std::int64_t year_9999_ms = 253'402'300'799'999;
    return std::clamp<std::int64_t>(unix_ms, 0, year_9999_ms) - unix_minus_boot_ms_;
  }

 private:
  std::int64_t unix_minus_boot_ms_;
};

inline constexpr std::int64_t hour_ms = 3'600'000;

/// Loads the penalty consistently. Its two words belong together (half of `announced_until` is in each), and unlike a
/// refusal, a reader has no swap that fails for a torn pair. A new announcement always changes the first word.
template <class Memory>
penalty load_penalty(Memory& m) {
  for (word first = m.load_acquire(cell::announcement_first);;) {
    word const second = m.load_acquire(cell::announcement_second);
    word const again = m.load_acquire(cell::announcement_first);
    if (again == first) return unpack({first, second});
    first = again;
  }
}

template <class Memory>
saved_account save(Memory& m, plan const& p, instant now) {
  translation const clock(now);
  saved_account saved;

  word const short_word = m.load(cell::short_window);
  bool const is_full = read_short(short_word, p, now).full_in.count() == 0;
  if (is_full) {
    // nothing worth keeping
  } else if (is_continuous(short_word)) {
    std::int64_t const full_at = (arrival(short_word).time_since_epoch().count() - 1) / 1'000'000 + 1;
    saved.full_at_unix_ms = clock.to_unix(full_at);
    saved.short_left_ms = full_at - boot_ms(now);
  } else {
    saved.short_end_unix_ms = clock.to_unix(period_end_ms(short_word));
    saved.short_left_ms = period_end_ms(short_word) - boot_ms(now);
    saved.short_used = static_cast<std::uint32_t>(used_in_short(short_word));
  }
  // An aligned period that is over is kept as well: it was reached.
  word const long_word = m.load(cell::long_window);
  saved.long_is_aligned = !is_by_request(long_word);
  if (saved.long_is_aligned) {
    saved.long_end_unix_ms = aligned_end_h(long_word) * hour_ms;
    saved.long_used = used_in_long(long_word);
  } else if (!is_over(long_word, now)) {
    saved.long_end_unix_ms = clock.to_unix(by_request_end_s(long_word) * 1'000);
    saved.long_used = used_in_long(long_word);
  }
  if (saved.long_end_unix_ms != 0)
    saved.long_left_ms = std::max<std::int64_t>(0, long_left(long_word, now) / std::chrono::milliseconds{1});

  penalty const announced = load_penalty(m);
  std::int64_t const now_ms = boot_ms(now);
  if (announced.announced_until > now_ms) {
    saved.announced_at_unix_ms = clock.to_unix(announced.announced_at);
    saved.announced_until_unix_ms = clock.to_unix(announced.announced_until);
  }
  if (announced.strikes_gone_at > now_ms) saved.strikes_gone_at_unix_ms = clock.to_unix(announced.strikes_gone_at);
  auto const ban_until = static_cast<std::int64_t>(m.load_acquire(cell::ban_until));
  if (ban_until > now_ms) saved.ban_until_unix_ms = clock.to_unix(ban_until);

  std::size_t count = 0;
  auto const keep = [&](word stamp, bool holds = false) {
    if (!counts_for_next_ban(stamp, now_ms) && !(holds && low_time(stamp) != 0)) return;
    std::int64_t const begun = clock.to_unix(ban_begun_ms(stamp));
    auto const end = saved.bans_begun_unix_ms.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::find(saved.bans_begun_unix_ms.begin(), end, begun) == end) saved.bans_begun_unix_ms[count++] = begun;
  };
  keep(m.load_acquire(cell::ban_begun), ban_until > now_ms);  // a long ban may hold longer than it counts
  for (std::size_t i = 0; i < history_length; ++i) keep(m.load_acquire(history_cell(i)));
  std::sort(saved.bans_begun_unix_ms.begin(), saved.bans_begun_unix_ms.begin() + static_cast<std::ptrdiff_t>(count));
  return saved;
}

}  // namespace petstore::limits::detail
