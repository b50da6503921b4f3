// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "petstore/limits/instant.hpp"
#include "petstore/limits/notice.hpp"
#include "petstore/limits/plan.hpp"

namespace petstore::limits {

/// The rules of the limiter written down the plain way: named numbers, no packing, no atomics, one caller, and of the
/// library only the types of its arguments and answers. What `account` is held against.
class reference_account {
 public:
  notice charge(plan const& p, ban_policy const& policy, instant now, std::uint32_t cost = 1) {
    if (ban_left(now) > 0) return answer(decision::banned, p, now, cost);
    if (!minute_exhausted(p, now, cost) && !day_exhausted(p, now, cost)) {
      take_minute(p, now, cost);
      if (p.per_day > 0) take_day(now, cost);
      return answer(decision::admitted, p, now, cost);
    }
    bool const empty = minute_exhausted(p, now) || day_exhausted(p, now);
    if (policy.strikes > 0 && empty) note_refusal(p, policy, now);
    return answer(ban_left(now) > 0 ? decision::banned : decision::rate_limited, p, now, cost);
  }

  notice peek(plan const& p, instant now, std::uint32_t cost) const {
    bool const passes = !minute_exhausted(p, now, cost) && !day_exhausted(p, now, cost);
    auto const unbanned = passes ? decision::admitted : decision::rate_limited;
    return answer(ban_left(now) > 0 ? decision::banned : unbanned, p, now, cost);
  }

  notice observe(plan const& p, instant now) const {
    return answer(ban_left(now) > 0 ? decision::banned : decision::observed, p, now);
  }

  /// The token is described by the state right after it was taken.
  struct token {
    bool continuous = false;
    std::int64_t minute_mark = 0;  ///< the period's end in ms, or the arrival time in ns
    std::uint64_t quota = 0;
    bool has_day = false;
    std::int64_t day = 0;
    std::uint32_t cost = 1;
  };
  token last_token(plan const& p, std::uint32_t cost = 1) const {
    return {continuous_, continuous_ ? arrival_ns_ : end_ms_, p.per_minute, p.per_day > 0, day_, cost};
  }

  notice refund(token const& t, plan const& p, instant now) {
    std::int64_t const boot = now.boot.time_since_epoch().count();
    if (t.continuous && continuous_) {
      std::int64_t const left = t.minute_mark - boot;
      if (left > 0 && arrival_ns_ > boot) arrival_ns_ -= std::min(left, t.cost * interval_ns(t.quota));
    } else if (!t.continuous && !continuous_ && t.minute_mark == end_ms_ && boot < end_ms_ * 1'000'000 && used_ > 0) {
      used_ -= std::min<std::uint64_t>(used_, t.cost);
      if (used_ == 0) end_ms_ = 0;
    }
    if (t.has_day && t.day == day_ && today(now) == day_) day_used_ -= std::min<std::uint64_t>(day_used_, t.cost);
    return answer(decision::admitted, p, now);
  }

  notice charge_inquiry(plan const& p, instant now) {
    if (ban_left(now) > 0) return answer(decision::banned, p, now);
    notice v = answer(decision::observed, p, now);
    std::int64_t const boot = now.boot.time_since_epoch().count();
    if (boot >= inquiry_end_ms_ * 1'000'000) {
      inquiry_end_ms_ = boot / 1'000'000 + 60'000;
      inquiries_ = 0;
    }
    v.decision = decision::admitted;
    if (inquiries_ < 60) {
      ++inquiries_;
    } else {
      v.decision = decision::rate_limited;
      v.retry_after_s = seconds_up(inquiry_end_ms_ * 1'000'000 - boot);
    }
    return v;
  }

  void impose_ban(wall_time until_wall, instant now) {
    std::int64_t const until = (now.boot + (until_wall - now.wall)).time_since_epoch().count();
    ban_until_ms_ = std::max(ban_until_ms_, (until + 999'999) / 1'000'000);
  }

  void lift_ban() {
    ban_until_ms_ = announced_at_ms_ = announced_until_ms_ = strikes_gone_ms_ = 0;
    bans_.clear();
  }

 private:
  static std::int64_t seconds_up(std::int64_t ns) { return (ns + 999'999'999) / 1'000'000'000; }
  static std::int64_t interval_ns(std::uint64_t quota) {
    auto const q = static_cast<std::int64_t>(quota);
    return 60'000'000'000 / q + (60'000'000'000 % q != 0 ? 1 : 0);
  }

  // --- the minute
  bool minute_open(instant now) const {
    return continuous_ ? arrival_ns_ > now.boot.time_since_epoch().count()
                       : end_ms_ * 1'000'000 > now.boot.time_since_epoch().count();
  }
  std::uint64_t minute_used(plan const& p, instant now) const {
    if (!minute_open(now)) return 0;
    if (!continuous_) return used_;
    std::uint64_t tokens = 0;  // counted one by one, each takes an interval to come back
    for (std::int64_t owed = arrival_ns_ - now.boot.time_since_epoch().count(); owed > 0;
         owed -= interval_ns(p.per_minute))
      ++tokens;
    return tokens;
  }
  bool minute_exhausted(plan const& p, instant now, std::uint32_t cost = 1) const {
    return minute_used(p, now) + cost > p.minute_bucket();
  }
  std::int64_t minute_full_in(instant now) const {
    if (!minute_open(now)) return 0;
    return (continuous_ ? arrival_ns_ : end_ms_ * 1'000'000) - now.boot.time_since_epoch().count();
  }
  std::int64_t minute_frees_in(plan const& p, instant now, std::uint32_t cost = 1) const {
    if (!minute_exhausted(p, now, cost) || cost > p.minute_bucket()) return 0;
    if (!continuous_) return minute_full_in(now);
    return minute_full_in(now) - (static_cast<std::int64_t>(p.minute_bucket()) - cost) * interval_ns(p.per_minute);
  }
  std::int64_t minute_more_in(plan const& p, instant now) const {
    if (!minute_open(now)) return 0;
    if (!continuous_) return minute_full_in(now);
    if (minute_exhausted(p, now)) return minute_frees_in(p, now);
    std::int64_t rest = minute_full_in(now);
    while (rest > interval_ns(p.per_minute)) rest -= interval_ns(p.per_minute);
    return rest;
  }
  void take_minute(plan const& p, instant now, std::uint32_t cost) {
    std::int64_t const boot = now.boot.time_since_epoch().count();
    std::uint64_t const used = minute_used(p, now);
    if (p.minute_refill == refill::continuous) {
      std::int64_t const interval = interval_ns(p.per_minute);
      if (!continuous_) arrival_ns_ = boot + static_cast<std::int64_t>(used) * interval;
      continuous_ = true;
      arrival_ns_ = std::max(arrival_ns_, boot) + cost * interval;
      return;
    }
    if (continuous_ || !minute_open(now)) end_ms_ = boot / 1'000'000 + 60'000;
    continuous_ = false;
    used_ = used + cost;
  }

  // --- the day
  std::int64_t today(instant now) const {
    return std::max<std::int64_t>(day_, now.wall.time_since_epoch().count() / 86'400'000'000'000);
  }
  std::uint64_t day_used(instant now) const { return today(now) == day_ ? day_used_ : 0; }
  bool day_exhausted(plan const& p, instant now, std::uint32_t cost = 1) const {
    return p.per_day > 0 && day_used(now) + cost > p.per_day;
  }
  std::int64_t day_frees_in(plan const& p, instant now, std::uint32_t cost) const {
    return day_exhausted(p, now, cost) && cost <= p.per_day ? day_full_in(now) : 0;
  }
  std::int64_t day_full_in(instant now) const {
    return day_used(now) == 0 ? 0 : (today(now) + 1) * 86'400'000'000'000 - now.wall.time_since_epoch().count();
  }
  void take_day(instant now, std::uint32_t cost) {
    std::uint64_t const used = day_used(now);
    day_ = today(now);
    day_used_ = used + cost;
  }

  // --- penalties
  std::int64_t ban_left(instant now) const {
    return std::max<std::int64_t>(0, ban_until_ms_ * 1'000'000 - now.boot.time_since_epoch().count());
  }
  std::int64_t quota_wait(plan const& p, instant now, std::uint32_t cost = 1) const {
    return std::max(minute_frees_in(p, now, cost), day_frees_in(p, now, cost));
  }
  void note_refusal(plan const& p, ban_policy const& policy, instant now) {
    std::int64_t const ms = now.boot.time_since_epoch().count() / 1'000'000;
    if (ms >= announced_until_ms_) {
      announced_at_ms_ = ms;
      announced_until_ms_ = (now.boot.time_since_epoch().count() + quota_wait(p, now)) / 1'000'000;
      return;
    }
    if (ms < announced_at_ms_ + policy.grace.count()) return;
    strikes_gone_ms_ = std::max(strikes_gone_ms_, ms) + 1'000;
    if (strikes_gone_ms_ - ms <= (std::int64_t{policy.strikes} - 1) * 1'000) return;
    std::int64_t length = policy.base.count();
    for (std::int64_t const begun : bans_)
      if (ms - begun < 86'400'000 && length < policy.max.count()) length *= 2;
    bans_.push_back(ms);
    ban_until_ms_ = ms + std::min<std::int64_t>(length, policy.max.count());
  }

  // --- what is told
  notice answer(decision d, plan const& p, instant now, std::uint32_t cost = 1) const {
    notice v;
    v.decision = d;
    v.has_day = p.per_day > 0;
    std::int64_t const second = now.wall.time_since_epoch().count() / 1'000'000'000;
    auto const tell = [&](std::uint64_t quota, std::uint64_t used, std::int64_t full_in, std::int64_t more_in) {
      quota_state q;
      q.quota = quota;
      q.remaining = used < quota ? quota - used : 0;
      q.reset_unix_s = full_in > 0 ? seconds_up(now.wall.time_since_epoch().count() + full_in) : second;
      q.more_in_s = seconds_up(more_in);
      return q;
    };
    v.minute = tell(p.minute_bucket(), minute_used(p, now), minute_full_in(now), minute_more_in(p, now));
    if (v.has_day) v.day = tell(p.per_day, day_used(now), day_full_in(now), day_full_in(now));

    bool const refused = d == decision::rate_limited || d == decision::banned;
    bool const minute_out = minute_exhausted(p, now, cost);
    bool const day_out = day_exhausted(p, now, cost);
    // Compared as (what matters first, what breaks a tie); the day must be ahead to be shown.
    bool day_is_shown = false;
    if (refused && minute_out != day_out) {
      day_is_shown = day_out;
    } else if (refused && minute_out) {
      auto const minute_rank = std::pair(minute_frees_in(p, now, cost), minute_full_in(now));
      auto const day_rank = std::pair(day_frees_in(p, now, cost), day_full_in(now));
      day_is_shown = day_rank > minute_rank;
    } else if (v.has_day && !refused) {
      auto const minute_rank = std::pair(v.minute.remaining, -minute_full_in(now));
      auto const day_rank = std::pair(v.day.remaining, -day_full_in(now));
      day_is_shown = day_rank < minute_rank;
    } else if (v.has_day) {
      day_is_shown = false;  // a ban that no quota explains
    }
    v.shown = day_is_shown ? resource::day : resource::minute;
    v.remaining = day_is_shown ? v.day.remaining : v.minute.remaining;
    v.reset_unix_s = day_is_shown ? v.day.reset_unix_s : v.minute.reset_unix_s;
    if (!refused) return v;

    v.minute_exhausted = minute_out;
    v.day_exhausted = day_out;
    std::int64_t const wait = std::max(quota_wait(p, now, cost), ban_left(now));
    bool const can_pass = cost <= p.minute_bucket() && (p.per_day == 0 || cost <= p.per_day);
    v.retry_after_s = can_pass ? std::max<std::int64_t>(1, seconds_up(wait)) : 0;
    if (d == decision::banned) {
      v.remaining = 0;
      v.reset_unix_s = std::max(v.reset_unix_s, seconds_up(now.wall.time_since_epoch().count() + ban_left(now)));
    }
    return v;
  }

  bool continuous_ = false;
  std::int64_t end_ms_ = 0;
  std::uint64_t used_ = 0;
  std::int64_t arrival_ns_ = 0;
  std::int64_t day_ = 0;
  std::uint64_t day_used_ = 0;
  std::int64_t inquiry_end_ms_ = 0;
  std::uint64_t inquiries_ = 0;
  std::int64_t announced_at_ms_ = 0;
  std::int64_t announced_until_ms_ = 0;
  std::int64_t strikes_gone_ms_ = 0;
  std::int64_t ban_until_ms_ = 0;
  std::vector<std::int64_t> bans_;
};

}  // namespace petstore::limits
