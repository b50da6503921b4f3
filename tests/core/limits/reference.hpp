// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
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
    if (!short_exhausted(p, now, cost) && !long_exhausted(p, now, cost)) {
      take_short(p, now, cost);
      if (p.long_window) take_long(p, now, cost);
      return answer(decision::admitted, p, now, cost);
    }
    bool const empty = short_exhausted(p, now) || long_exhausted(p, now);
    if (policy.strikes > 0 && empty) note_refusal(p, policy, now, can_ever_pass(p, cost));
    return answer(ban_left(now) > 0 ? decision::banned : decision::rate_limited, p, now, cost);
  }

  notice peek(plan const& p, instant now, std::uint32_t cost) const {
    bool const passes = !short_exhausted(p, now, cost) && !long_exhausted(p, now, cost);
    auto const unbanned = passes ? decision::admitted : decision::rate_limited;
    return answer(ban_left(now) > 0 ? decision::banned : unbanned, p, now, cost);
  }

  notice observe(plan const& p, instant now) const {
    return answer(ban_left(now) > 0 ? decision::banned : decision::observed, p, now);
  }

  /// An aligned period ends at a time of the wall clock, another one at a second of the boot clock.
  struct long_period {
    bool is_aligned = true;
    std::int64_t end_ns = 0;

    friend bool operator==(long_period const&, long_period const&) = default;
  };

  /// The token is described by the state right after it was taken.
  struct token {
    bool continuous = false;
    std::int64_t short_mark = 0;  ///< the period's end in ms, or the arrival time in ns
    plan of{per_minute(1)};
    bool has_long = false;
    long_period long_mark;
    std::uint32_t cost = 1;
  };
  token last_token(plan const& p, std::uint32_t cost = 1) const {
    return {continuous_, continuous_ ? arrival_ns_ : end_ms_, p, static_cast<bool>(p.long_window), long_, cost};
  }

  notice refund(token const& t, plan const& p, instant now) {
    std::int64_t const boot = now.boot.time_since_epoch().count();
    if (t.continuous && continuous_) {
      std::int64_t const left = t.short_mark - boot;
      if (left > 0 && arrival_ns_ > boot) arrival_ns_ -= std::min(left, t.cost * interval_ns(t.of));
    } else if (!t.continuous && !continuous_ && t.short_mark == end_ms_ && boot < end_ms_ * 1'000'000 && used_ > 0) {
      used_ -= std::min<std::uint64_t>(used_, t.cost);
      if (used_ == 0) end_ms_ = 0;
    }
    if (t.has_long && t.long_mark == long_ && long_open(now)) long_used_ -= std::min<std::uint64_t>(long_used_, t.cost);
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
  static std::int64_t length_ns(period p) { return p.longest().count() * 1'000'000'000; }
  static std::int64_t interval_ns(plan const& p) {
    auto const q = static_cast<std::int64_t>(p.short_window.tokens());
    std::int64_t const length = length_ns(p.short_window.period());
    return length / q + (length % q != 0 ? 1 : 0);
  }

  /// The first boundary after that moment, in ns since 1970: found by walking from one to the next.
  static std::int64_t boundary_after(period p, std::int64_t wall_ns) {
    constexpr std::int64_t day_ns = 86'400'000'000'000;
    if (p.is_month()) {
      constexpr std::array<int, 12> lengths{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
      std::int64_t at = 0;
      for (int year = 1970;; ++year)
        for (std::size_t month = 0; month < 12; ++month) {
          bool const leaps = month == 1 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
          at += (lengths[month] + (leaps ? 1 : 0)) * day_ns;
          if (at > wall_ns) return at;
        }
    }
    std::int64_t const monday = 4 * day_ns;
    std::int64_t at = monday + (wall_ns - monday) / length_ns(p) * length_ns(p);
    while (at <= wall_ns) at += length_ns(p);
    return at;
  }

  // --- the short window
  bool short_open(instant now) const {
    return continuous_ ? arrival_ns_ > now.boot.time_since_epoch().count()
                       : end_ms_ * 1'000'000 > now.boot.time_since_epoch().count();
  }
  std::uint64_t short_used(plan const& p, instant now) const {
    if (!short_open(now)) return 0;
    if (!continuous_) return used_;
    std::int64_t const owed = arrival_ns_ - now.boot.time_since_epoch().count();
    return static_cast<std::uint64_t>(owed / interval_ns(p) + (owed % interval_ns(p) != 0 ? 1 : 0));
  }
  bool short_exhausted(plan const& p, instant now, std::uint32_t cost = 1) const {
    return short_used(p, now) + cost > p.bucket();
  }
  std::int64_t short_full_in(instant now) const {
    if (!short_open(now)) return 0;
    return (continuous_ ? arrival_ns_ : end_ms_ * 1'000'000) - now.boot.time_since_epoch().count();
  }
  std::int64_t short_frees_in(plan const& p, instant now, std::uint32_t cost = 1) const {
    if (!short_exhausted(p, now, cost) || cost > p.bucket()) return 0;
    if (!continuous_) return short_full_in(now);
    return short_full_in(now) - (static_cast<std::int64_t>(p.bucket()) - cost) * interval_ns(p);
  }
  std::int64_t short_more_in(plan const& p, instant now) const {
    if (!short_open(now)) return 0;
    if (!continuous_) return short_full_in(now);
    if (short_exhausted(p, now)) return short_frees_in(p, now);
    std::int64_t const rest = short_full_in(now) % interval_ns(p);
    return rest != 0 ? rest : interval_ns(p);
  }
  void take_short(plan const& p, instant now, std::uint32_t cost) {
    std::int64_t const boot = now.boot.time_since_epoch().count();
    std::uint64_t const used = short_used(p, now);
    if (p.short_refill == refill::continuous) {
      std::int64_t const interval = interval_ns(p);
      if (!continuous_) arrival_ns_ = boot + static_cast<std::int64_t>(used) * interval;
      continuous_ = true;
      arrival_ns_ = std::max(arrival_ns_, boot) + cost * interval;
      return;
    }
    if (continuous_ || !short_open(now)) {
      period const length = p.short_window.period();
      std::int64_t const wall = now.wall.time_since_epoch().count();
      if (length.is_aligned()) {
        // No boundary has two periods, however the wall clock was set: the next one is nearly a whole period later.
        std::int64_t const shortest = length.is_month() ? 28 * 86'400'000'000'000 : length_ns(length);
        std::int64_t boundary = boundary_after(length, wall);
        auto const end_ms = [&] { return (boot + boundary - wall + 999'999) / 1'000'000; };
        bool const follows = !continuous_ && end_ms_ != 0;
        if (follows &&
            end_ms() * 1'000'000 < end_ms_ * 1'000'000 + shortest - std::min<std::int64_t>(2'000'000'000, shortest / 2))
          boundary = boundary_after(length, boundary);
        end_ms_ = end_ms();
      } else {
        end_ms_ = boot / 1'000'000 + length_ns(length) / 1'000'000;
      }
    }
    continuous_ = false;
    used_ = used + cost;
  }

  // --- the long window
  std::int64_t long_left(instant now) const {
    return long_.end_ns -
           (long_.is_aligned ? now.wall.time_since_epoch().count() : now.boot.time_since_epoch().count());
  }
  bool long_open(instant now) const { return long_left(now) > 0; }
  std::uint64_t long_used(instant now) const { return long_open(now) ? long_used_ : 0; }
  bool long_exhausted(plan const& p, instant now, std::uint32_t cost = 1) const {
    return p.long_window && long_used(now) + cost > p.long_window.tokens();
  }
  std::int64_t long_frees_in(plan const& p, instant now, std::uint32_t cost) const {
    return long_exhausted(p, now, cost) && cost <= p.long_window.tokens() ? long_full_in(now) : 0;
  }
  std::int64_t long_full_in(instant now) const { return long_used(now) == 0 ? 0 : long_left(now); }
  void take_long(plan const& p, instant now, std::uint32_t cost) {
    std::uint64_t const used = long_used(now);
    if (!long_open(now)) {
      period const length = p.long_window.period();
      std::int64_t const boot = now.boot.time_since_epoch().count();
      std::int64_t const wall = std::max<std::int64_t>(0, now.wall.time_since_epoch().count());
      long_ = length.is_aligned() ? long_period{true, boundary_after(length, wall)}
                                  : long_period{false, seconds_up(boot + length_ns(length)) * 1'000'000'000};
    }
    long_used_ = used + cost;
  }

  static bool can_ever_pass(plan const& p, std::uint32_t cost) {
    return cost <= p.bucket() && (!p.long_window || cost <= p.long_window.tokens());
  }

  // --- penalties
  std::int64_t ban_left(instant now) const {
    return std::max<std::int64_t>(0, ban_until_ms_ * 1'000'000 - now.boot.time_since_epoch().count());
  }
  std::int64_t quota_wait(plan const& p, instant now, std::uint32_t cost = 1) const {
    return std::max(short_frees_in(p, now, cost), long_frees_in(p, now, cost));
  }
  void note_refusal(plan const& p, ban_policy const& policy, instant now, bool is_told_a_time) {
    std::int64_t const ms = now.boot.time_since_epoch().count() / 1'000'000;
    std::int64_t const until_ms = (now.boot.time_since_epoch().count() + quota_wait(p, now)) / 1'000'000;
    if (ms < announced_at_ms_) return;
    bool const is_another_wait = std::abs(announced_until_ms_ - until_ms) > 2'000;
    if (ms >= announced_until_ms_ || is_another_wait) {
      if (!is_told_a_time) return;
      announced_at_ms_ = ms;
      announced_until_ms_ = until_ms;
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
    v.has_long = static_cast<bool>(p.long_window);
    std::int64_t const second = now.wall.time_since_epoch().count() / 1'000'000'000;
    auto const tell = [&](std::uint64_t quota, std::uint64_t used, std::int64_t full_in, std::int64_t more_in) {
      quota_state q;
      q.quota = quota;
      q.used = used;
      q.remaining = used < quota ? quota - used : 0;
      q.reset_unix_s = full_in > 0 ? seconds_up(now.wall.time_since_epoch().count() + full_in) : second;
      q.more_in_s = seconds_up(more_in);
      return q;
    };
    v.short_window = tell(p.bucket(), short_used(p, now), short_full_in(now), short_more_in(p, now));
    if (v.has_long) v.long_window = tell(p.long_window.tokens(), long_used(now), long_full_in(now), long_full_in(now));

    bool const refused = d == decision::rate_limited || d == decision::banned;
    bool const short_out = short_exhausted(p, now, cost);
    bool const long_out = long_exhausted(p, now, cost);
    // Compared as (what matters first, what breaks a tie); the long window must be ahead to be shown.
    bool long_is_shown = false;
    if (refused && short_out != long_out) {
      long_is_shown = long_out;
    } else if (refused && short_out) {
      auto const short_rank = std::pair(short_frees_in(p, now, cost), short_full_in(now));
      auto const long_rank = std::pair(long_frees_in(p, now, cost), long_full_in(now));
      long_is_shown = long_rank > short_rank;
    } else if (v.has_long && !refused) {
      auto const short_rank = std::pair(v.short_window.remaining, -short_full_in(now));
      auto const long_rank = std::pair(v.long_window.remaining, -long_full_in(now));
      long_is_shown = long_rank < short_rank;
    } else if (v.has_long) {
      long_is_shown = false;  // a ban that no quota explains
    }
    v.shown = long_is_shown ? resource::long_window : resource::short_window;
    v.remaining = long_is_shown ? v.long_window.remaining : v.short_window.remaining;
    v.reset_unix_s = long_is_shown ? v.long_window.reset_unix_s : v.short_window.reset_unix_s;
    if (!refused) return v;

    v.short_exhausted = short_out;
    v.long_exhausted = long_out;
    std::int64_t const wait = std::max(quota_wait(p, now, cost), ban_left(now));
    v.retry_after_s = can_ever_pass(p, cost) ? std::max<std::int64_t>(1, seconds_up(wait)) : 0;
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
  long_period long_;
  std::uint64_t long_used_ = 0;
  std::int64_t inquiry_end_ms_ = 0;
  std::uint64_t inquiries_ = 0;
  std::int64_t announced_at_ms_ = 0;
  std::int64_t announced_until_ms_ = 0;
  std::int64_t strikes_gone_ms_ = 0;
  std::int64_t ban_until_ms_ = 0;
  std::vector<std::int64_t> bans_;
};

}  // namespace petstore::limits
