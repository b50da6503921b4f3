// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Saving and restoring accounts: the saved times of the wall clock become times of the boot clock.
#include <algorithm>

#include "account_memory.hpp"
#include "petstore/limits/account.hpp"
#include "saving.hpp"

namespace petstore::limits {

using detail::cell;

namespace {

/// When a word counts nothing any more is the same under every plan that has its window.
constexpr plan with_both_windows{per_minute(1), per_day(1)};

}  // namespace

saved_account account::save(plan const& p, instant now) const noexcept {
  memory<account const> m(*this);
  return detail::save(m, p, now);
}

void account::restore(saved_account const& saved, plan const& p, ban_policy const& policy, instant now) noexcept {
  memory<account> m(*this);
  detail::translation const clock(now);
  std::int64_t const now_ms = detail::boot_ms(now);
  // Never later than the longest possible time, since the wall clock may have been wrong when it was written.
  auto const cut = [&](std::int64_t unix_ms, std::int64_t longest_ms) {
    return unix_ms == 0 ? 0 : std::clamp<std::int64_t>(clock.to_boot(unix_ms), 0, now_ms + longest_ms);
  };
  // The plan says nothing about a period that was opened under another one.
  auto const left = [](std::int64_t left_ms, std::int64_t of_plan, std::int64_t longest_ms) {
    return left_ms > 0 ? std::min(left_ms, longest_ms) : of_plan;
  };
  constexpr std::int64_t longest_period_ms = detail::longest_left_ms(period{std::chrono::days{31}});

  if (saved.full_at_unix_ms != 0) {
    std::int64_t const full_at =
        cut(saved.full_at_unix_ms, left(saved.short_left_ms, detail::longest_fill_ms(p), detail::period_end_ms_max));
    m.put(cell::short_window, detail::continuous_word(detail::boot_at(full_at)));
  } else if (saved.short_end_unix_ms != 0 && saved.short_used != 0) {
    std::int64_t const of_plan = detail::length_ms(p.short_window.period());
    std::int64_t const end = cut(saved.short_end_unix_ms, left(saved.short_left_ms, of_plan, longest_period_ms));
    m.put(cell::short_window, detail::periodic_word(end, std::min(saved.short_used, short_tokens_max)));
  }
  if (saved.long_is_aligned) {
    // A machine without a battery starts in 1970. The period is then kept until the clock is set; otherwise each
    // restart would open a new one.
    std::int64_t const end_h = saved.long_end_unix_ms / detail::hour_ms;
    bool const knows_today = now.wall >= detail::earliest_wall;
    // The period ends no later than the present period of the plan. If the plan has no aligned periods, it ends no
    // later than after the time that was left when it was saved.
    bool const has_present_one = p.long_window && p.long_window.is_aligned();
    detail::nanoseconds const left_then =
        std::chrono::milliseconds{std::clamp<std::int64_t>(saved.long_left_ms, 0, longest_period_ms)};
    std::int64_t const latest_h = !has_present_one && saved.long_left_ms > 0
                                      ? detail::hour_after(std::max(now.wall, wall_time{}) + left_then)
                                      : detail::present_end_h(detail::aligned_period(p), now);
    m.put(cell::long_window, detail::aligned_word(knows_today ? std::min(end_h, latest_h) : end_h,
                                                  std::min(saved.long_used, long_tokens_max)));
  } else if (saved.long_end_unix_ms != 0) {
    period const of_plan = p.long_window ? p.long_window.period() : period{std::chrono::months{1}};
    std::int64_t const end =
        cut(saved.long_end_unix_ms, left(saved.long_left_ms, detail::longest_left_ms(of_plan), longest_period_ms));
    // A full second stays the same one, although the two clocks were read a little apart.
    constexpr std::int64_t slack_ms = 2;
    m.put(cell::long_window, detail::by_request_word((end - slack_ms + 999) / 1'000,
                                                     std::min(saved.long_used, long_tokens_by_request_max)));
  }

  // An account waits for the windows of the plan that it was charged under, which may not be this one.
  std::int64_t const longest_wait =
      std::max({detail::longest_wait_ms(p), left(saved.short_left_ms, 0, longest_period_ms),
                left(saved.long_left_ms, 0, longest_period_ms)});
  std::int64_t const longest_strikes = std::int64_t{policy.strikes} * detail::strike_lasts_ms;
  detail::word_pair const penalty = detail::pack({
      .announced_at = cut(saved.announced_at_unix_ms, 0),
      .announced_until = cut(saved.announced_until_unix_ms, longest_wait),
      .strikes_gone_at = cut(saved.strikes_gone_at_unix_ms, longest_strikes),
  });
  m.put(cell::announcement_first, penalty.first);
  m.put(cell::announcement_second, penalty.second);
  m.put(cell::ban_until, detail::time_bits(cut(saved.ban_until_unix_ms, detail::bounded_ms(policy.max))));

  std::array<detail::word, std::tuple_size_v<decltype(saved.bans_begun_unix_ms)>> stamps{};
  std::size_t count = 0;
  for (std::int64_t const begun : saved.bans_begun_unix_ms)
    if (detail::word const stamp = detail::ban_stamp(std::min(clock.to_boot(begun), now_ms)); begun != 0 && stamp != 0)
      stamps[count++] = stamp;
  // A ban may hold that began more than a day before this boot.
  bool const holds = static_cast<std::int64_t>(m.load(cell::ban_until)) > now_ms;
  if (count == 0 && holds && std::ranges::max(saved.bans_begun_unix_ms) != 0) stamps[count++] = 1;
  std::sort(stamps.begin(), stamps.begin() + static_cast<std::ptrdiff_t>(count));
  if (count != 0) m.put(cell::ban_begun, stamps[count - 1]);
  for (std::size_t i = 0; i + 1 < count; ++i) m.put(detail::history_cell(i), stamps[i]);
}

bool account::forgettable(plan const& p, instant now) const noexcept {
  memory<account const> m(*this);
  auto const [short_word, long_word] = detail::load_quotas(m);
  auto const quotas = detail::read_quotas(short_word, long_word, p, now);
  auto const penalty = detail::unpack({m.load(cell::announcement_first), m.load(cell::announcement_second)});
  std::int64_t const now_ms = detail::boot_ms(now);
  return quotas.short_window.full_in.count() == 0 && quotas.long_window.full_in.count() == 0 &&
         penalty.announced_until <= now_ms && penalty.strikes_gone_at <= now_ms &&
         detail::ban_left(m, now).count() == 0;
}

bool account::forgettable(instant now) const noexcept {
  return forgettable(with_both_windows, now);
}

bool account::remembers_bans(instant now) const noexcept {
  memory<account const> m(*this);
  return detail::counts_for_next_ban(m.load(cell::ban_begun), detail::boot_ms(now));
}

}  // namespace petstore::limits
