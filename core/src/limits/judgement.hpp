// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>

#include "buckets.hpp"
#include "petstore/limits/verdict.hpp"

/// From two readings to the one value that every header is made of.
namespace petstore::limits::detail {

struct readings {
  reading minute;
  reading day;
  bool has_day = false;

  bool exhausted() const noexcept { return minute.exhausted() || (has_day && day.exhausted()); }
  /// Until every quota has a token.
  nanoseconds wait() const noexcept { return has_day ? std::max(minute.frees_in, day.frees_in) : minute.frees_in; }
};

inline readings read_quotas(word minute, word day, plan const& p, instant now) noexcept {
  readings r{.minute = read_minute(minute, minute_quota(p), now), .day = {}, .has_day = p.per_day != 0};
  if (r.has_day) r.day = read_day(day, p.per_day, now);
  return r;
}

inline std::int64_t unix_second_in(instant now, nanoseconds left) noexcept {
  return left.count() > 0 ? ceil_s(now.wall + left) : now.wall.count() / 1'000'000'000;
}

inline quota_state tell(reading const& r, instant now) noexcept {
  return {.quota = r.quota,
          .remaining = r.remaining(),
          .reset_unix_s = unix_second_in(now, r.full_in),
          .more_in_s = ceil_s(r.more_in)};
}

/// Of a refusal the exhausted quota that frees a token last, else the one with the fewest tokens left; then the one
/// that is full again last.
inline resource shown_quota(readings const& r, bool refused) noexcept {
  if (!r.has_day) return resource::minute;
  if (refused) {
    if (!r.day.exhausted()) return resource::minute;
    if (!r.minute.exhausted()) return resource::day;
    if (r.day.frees_in != r.minute.frees_in)
      return r.day.frees_in > r.minute.frees_in ? resource::day : resource::minute;
  } else if (r.day.remaining() != r.minute.remaining()) {
    return r.day.remaining() < r.minute.remaining() ? resource::day : resource::minute;
  }
  return r.day.full_in > r.minute.full_in ? resource::day : resource::minute;
}

inline verdict judge(decision d, readings const& r, instant now, nanoseconds ban_left = {}) noexcept {
  verdict v{.decision = d, .has_day = r.has_day, .minute = tell(r.minute, now), .day = {}};
  if (r.has_day) v.day = tell(r.day, now);
  v.shown = shown_quota(r, v.refused());
  quota_state const& shown = v.shown == resource::minute ? v.minute : v.day;
  v.remaining = shown.remaining;
  v.reset_unix_s = shown.reset_unix_s;
  if (!v.refused()) return v;

  v.minute_exhausted = r.minute.exhausted();
  v.day_exhausted = r.has_day && r.day.exhausted();
  v.retry_after_s = std::max<std::int64_t>(1, ceil_s(std::max(r.wait(), ban_left)));
  if (d == decision::banned) {
    v.remaining = 0;
    v.reset_unix_s = std::max(v.reset_unix_s, unix_second_in(now, ban_left));
  }
  return v;
}

}  // namespace petstore::limits::detail
