// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// What an account is between two runs of the program: times leave the boot clock for the wall clock and come back.
#include <algorithm>

#include "account_memory.hpp"
#include "petstore/limits/account.hpp"

namespace petstore::limits {
namespace {

using detail::cell;

/// From ms on one clock to ms on the other.
class translation {
 public:
  explicit translation(instant now) noexcept
      : unix_minus_boot_ms_(std::chrono::round<std::chrono::milliseconds>(now.wall - now.boot).count()) {}

  /// 0 is "never" in a saved account, so 1970 begins a millisecond later there.
  std::int64_t to_unix(std::int64_t boot) const noexcept {
    return std::max<std::int64_t>(1, boot + unix_minus_boot_ms_);
  }
  std::int64_t to_boot(std::int64_t wall_ms) const noexcept { return wall_ms - unix_minus_boot_ms_; }

 private:
  std::int64_t unix_minus_boot_ms_;
};

}  // namespace

saved_account account::save(plan const& p, instant now) const noexcept {
  memory<account const> m(*this);
  translation const clock(now);
  saved_account saved;

  detail::word const minute = m.load(cell::minute);
  bool const minute_full = detail::read_minute(minute, detail::minute_quota(p), now).full_in.count() == 0;
  if (minute_full) {
    // nothing worth keeping
  } else if (detail::is_continuous(minute)) {
    saved.full_at_unix_ms = clock.to_unix((detail::arrival(minute).count() - 1) / 1'000'000 + 1);
  } else {
    saved.minute_start_unix_ms = clock.to_unix(detail::period_end_ms(minute) - detail::minute_length_ms);
    saved.minute_used = static_cast<std::uint32_t>(detail::used_in_minute(minute));
  }
  detail::word const day = m.load(cell::day);
  saved.day = detail::day_of(day);
  saved.day_used = detail::used_on_day(day);

  auto const penalty = detail::unpack({m.load_acquire(cell::announcement_first), m.load(cell::announcement_second)});
  std::int64_t const now_ms = detail::boot_ms(now);
  if (penalty.announced_until > now_ms) {
    saved.announced_at_unix_ms = clock.to_unix(penalty.announced_at);
    saved.announced_until_unix_ms = clock.to_unix(penalty.announced_until);
  }
  if (penalty.strikes_gone_at > now_ms) saved.strikes_gone_at_unix_ms = clock.to_unix(penalty.strikes_gone_at);
  auto const ban_until = static_cast<std::int64_t>(m.load_acquire(cell::ban_until));
  if (ban_until > now_ms) saved.ban_until_unix_ms = clock.to_unix(ban_until);

  std::size_t count = 0;
  auto const keep = [&](detail::word stamp) {
    if (!detail::counts_for_next_ban(stamp, now_ms)) return;
    std::int64_t const begun = clock.to_unix(detail::ban_begun_ms(stamp));
    auto const end = saved.bans_begun_unix_ms.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::find(saved.bans_begun_unix_ms.begin(), end, begun) == end) saved.bans_begun_unix_ms[count++] = begun;
  };
  keep(m.load_acquire(cell::ban_begun));
  for (std::size_t i = 0; i < detail::history_length; ++i) keep(m.load_acquire(detail::history_cell(i)));
  std::sort(saved.bans_begun_unix_ms.begin(), saved.bans_begun_unix_ms.begin() + static_cast<std::ptrdiff_t>(count));
  return saved;
}

void account::restore(saved_account const& saved, plan const& p, ban_policy const& policy, instant now) noexcept {
  memory<account> m(*this);
  translation const clock(now);
  std::int64_t const now_ms = detail::boot_ms(now);
  // Never later than the longest this could have been: the wall clock may have been wrong when it was written.
  auto const cut = [&](std::int64_t unix_ms, std::int64_t longest_ms) {
    return unix_ms == 0 ? 0 : std::clamp<std::int64_t>(clock.to_boot(unix_ms), 0, now_ms + longest_ms);
  };

  if (saved.full_at_unix_ms != 0) {
    m.put(cell::minute, detail::continuous_word(detail::from_ms(cut(saved.full_at_unix_ms, detail::minute_length_ms))));
  } else if (saved.minute_start_unix_ms != 0 && saved.minute_used != 0) {
    std::int64_t const end = cut(saved.minute_start_unix_ms + detail::minute_length_ms, detail::minute_length_ms);
    m.put(cell::minute, detail::periodic_word(end, std::min(saved.minute_used, per_minute_max)));
  }
  std::int64_t const day = std::min(saved.day, detail::wall_day(now));
  m.put(cell::day, detail::day_word(day, std::min(saved.day_used, per_day_max)));

  std::int64_t const longest_wait = p.per_day != 0 ? detail::day_length.count() / 1'000'000 : detail::minute_length_ms;
  std::int64_t const longest_strikes = std::int64_t{policy.strikes} * detail::strike_lasts_ms;
  detail::word_pair const penalty = detail::pack({
      .announced_at = cut(saved.announced_at_unix_ms, 0),
      .announced_until = cut(saved.announced_until_unix_ms, longest_wait),
      .strikes_gone_at = cut(saved.strikes_gone_at_unix_ms, longest_strikes),
  });
  m.put(cell::announcement_first, penalty.first);
  m.put(cell::announcement_second, penalty.second);
  m.put(cell::ban_until, detail::time_bits(cut(saved.ban_until_unix_ms, policy.max.count())));

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
