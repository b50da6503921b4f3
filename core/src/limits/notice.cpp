// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/notice.hpp"

#include "readings.hpp"

namespace petstore::limits {
namespace {

using detail::ceil_s;
using detail::nanoseconds;
using detail::reading;
using detail::readings;

std::int64_t unix_second_in(instant now, nanoseconds left) noexcept {
  return left.count() > 0 ? ceil_s(now.wall.time_since_epoch() + left)
                          : now.wall.time_since_epoch().count() / 1'000'000'000;
}

quota_state state_of(reading const& r, nanoseconds window, instant now) noexcept {
  return {.quota = r.quota,
          .remaining = r.remaining(),
          .reset_unix_s = unix_second_in(now, r.full_in),
          .more_in_s = ceil_s(r.more_in),
          .window_s = ceil_s(window)};
}

/// For a refusal: the exhausted quota that frees a token last; otherwise the quota with the fewest tokens left, then
/// the one that is full again last.
resource shown_quota(readings const& r, bool refused) noexcept {
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

}  // namespace

notice tell(verdict const& v) noexcept {
  readings const r = detail::read_quotas(v.minute_word, v.day_word, v.plan, v.at, v.cost.tokens());
  bool const by_own_limit = detail::is_refused_by_own_limit(v);  // the quotas are then shown as they are
  bool const by_quotas_or_ban = v.refused() && !by_own_limit;

  notice n{.decision = v.decision, .has_day = r.has_day, .minute = {}, .day = {}};
  n.minute = state_of(r.minute, detail::minute_bucket{v.plan}.fills_in(), v.at);
  if (r.has_day) n.day = state_of(r.day, detail::day_length, v.at);
  n.shown = shown_quota(r, by_quotas_or_ban);
  quota_state const& shown = n.shown == resource::minute ? n.minute : n.day;
  n.remaining = shown.remaining;
  n.reset_unix_s = shown.reset_unix_s;
  if (!v.refused()) return n;

  n.retry_after_s = ceil_s(detail::retry_after(v, r).value_or(nanoseconds{0}));
  if (by_own_limit) return n;
  n.minute_exhausted = r.minute.exhausted();
  n.day_exhausted = r.has_day && r.day.exhausted();
  if (v.decision == decision::banned) {
    n.remaining = 0;
    n.reset_unix_s = std::max(n.reset_unix_s, unix_second_in(v.at, v.blocked_for));
  }
  return n;
}

}  // namespace petstore::limits
