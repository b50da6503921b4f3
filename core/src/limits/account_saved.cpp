// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Saving and restoring accounts: the saved times of the wall clock become times of the boot clock.
#include <algorithm>

#include "account_memory.hpp"
#include "petstore/limits/account.hpp"
#include "saving.hpp"

namespace petstore::limits {

using detail::cell;

saved_account account::save(plan const& p, instant now) const noexcept {
  memory<account const> m(*this);
  return detail::save(m, p, now);
}

void account::restore(saved_account const& saved, plan const& p, ban_policy const& policy, instant now) noexcept {
  memory<account> m(*this);
  detail::translation const clock(now);
  std::int64_t const now_ms = detail::boot_ms(now);
  // Never later than the longest possible time, since the wall clock may have been wrong when it was written.
  auto const cut = [&](std::int64_t unix_ms, std::int64_t longest_ms, std::int64_t lasts_ms = 0) {
    return unix_ms == 0 ? 0 : std::clamp<std::int64_t>(clock.to_boot(unix_ms) + lasts_ms, 0, now_ms + longest_ms);
  };

  if (saved.full_at_unix_ms != 0) {
    // The plan says nothing about a bucket that was charged under another one.
    std::int64_t const fills_in =
        saved.full_in_ms > 0 ? std::min(saved.full_in_ms, detail::period_end_ms_max) : detail::longest_fill_ms(p);
    m.put(cell::minute, detail::continuous_word(detail::boot_at(cut(saved.full_at_unix_ms, fills_in))));
  } else if (saved.minute_start_unix_ms != 0 && saved.minute_used != 0) {
    std::int64_t const end = cut(saved.minute_start_unix_ms, detail::minute_length_ms, detail::minute_length_ms);
    m.put(cell::minute, detail::periodic_word(end, std::min(saved.minute_used, per_minute_max)));
  }
  // A machine without a battery starts in 1970. The day is then kept until the clock is set; otherwise each restart
  // would open a new day.
  bool const knows_today = now.wall >= detail::earliest_wall;
  std::int64_t const day = knows_today ? std::min(saved.day, detail::wall_day(now)) : saved.day;
  m.put(cell::day, detail::day_word(day, std::min(saved.day_used, per_day_max)));

  std::int64_t const longest_strikes = std::int64_t{policy.strikes} * detail::strike_lasts_ms;
  detail::word_pair const penalty = detail::pack({
      .announced_at = cut(saved.announced_at_unix_ms, 0),
      .announced_until = cut(saved.announced_until_unix_ms, detail::longest_wait_ms(p)),
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
  std::sort(stamps.begin(), stamps.begin() + static_cast<std::ptrdiff_t>(count));
  if (count != 0) m.put(cell::ban_begun, stamps[count - 1]);
  for (std::size_t i = 0; i + 1 < count; ++i) m.put(detail::history_cell(i), stamps[i]);
}

bool account::forgettable(plan const& p, instant now) const noexcept {
  memory<account const> m(*this);
  auto const [minute, day] = detail::load_quotas(m);
  auto const quotas = detail::read_quotas(minute, day, p, now);
  auto const penalty = detail::unpack({m.load(cell::announcement_first), m.load(cell::announcement_second)});
  std::int64_t const now_ms = detail::boot_ms(now);
  return quotas.minute.full_in.count() == 0 && quotas.day.full_in.count() == 0 && penalty.announced_until <= now_ms &&
         penalty.strikes_gone_at <= now_ms && detail::ban_left(m, now).count() == 0;
}

bool account::remembers_bans(instant now) const noexcept {
  memory<account const> m(*this);
  return detail::counts_for_next_ban(m.load(cell::ban_begun), detail::boot_ms(now));
}

}  // namespace petstore::limits
