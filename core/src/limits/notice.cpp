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

/// The length of the present period in seconds. Of a month it is that of the present month.
[[gnu::cold, gnu::noinline]] std::int64_t month_length_s(period p, nanoseconds left, instant now) noexcept {
  return p.length_before(left.count() > 0 ? now.wall + left : p.end_after(now.wall)).count();
}
std::int64_t length_s(period p, reading const& r, instant now) noexcept {
  return p.is_month() ? month_length_s(p, r.full_in, now) : p.longest().count();
}
std::int64_t short_length_s(verdict const& v, reading const& r) noexcept {
  bool const has_burst = v.plan.bucket() != v.plan.short_window.tokens();
  return has_burst ? ceil_s(detail::bucket{v.plan}.fills_in()) : length_s(v.plan.short_window.period(), r, v.at);
}

quota_state state_of(reading const& r, std::int64_t length_s, period p, instant now) noexcept {
  return {.quota = r.quota,
          .remaining = r.remaining(),
          .reset_unix_s = unix_second_in(now, r.full_in),
          .more_in_s = ceil_s(r.more_in),
          .window_s = length_s,
          .period = p,
          .used = r.used};
}

/// For a refusal: the exhausted quota that frees a token last; otherwise the quota with the fewest tokens left, then
/// the one that is full again last.
resource shown_quota(readings const& r, bool refused) noexcept {
  if (!r.has_long) return resource::short_window;
  if (refused) {
    if (!r.long_window.exhausted()) return resource::short_window;
    if (!r.short_window.exhausted()) return resource::long_window;
    if (r.long_window.frees_in != r.short_window.frees_in)
      return r.long_window.frees_in > r.short_window.frees_in ? resource::long_window : resource::short_window;
  } else if (r.long_window.remaining() != r.short_window.remaining()) {
    return r.long_window.remaining() < r.short_window.remaining() ? resource::long_window : resource::short_window;
  }
  return r.long_window.full_in > r.short_window.full_in ? resource::long_window : resource::short_window;
}

}  // namespace

notice tell(verdict const& v) noexcept {
  readings const r = detail::read_quotas(v.short_word, v.long_word, v.plan, v.at, v.cost.tokens());
  bool const by_own_limit = detail::is_refused_by_own_limit(v);  // the quotas are then shown as they are
  bool const by_quotas_or_ban = v.refused() && !by_own_limit;

  notice n{.decision = v.decision, .has_long = r.has_long, .short_window = {}, .long_window = {}};
  n.short_window = state_of(r.short_window, short_length_s(v, r.short_window), v.plan.short_window.period(), v.at);
  if (r.has_long)
    n.long_window = state_of(r.long_window, length_s(v.plan.long_window.period(), r.long_window, v.at),
                             v.plan.long_window.period(), v.at);
  n.shown = shown_quota(r, by_quotas_or_ban);
  quota_state const& shown = n.shown == resource::short_window ? n.short_window : n.long_window;
  n.remaining = shown.remaining;
  n.reset_unix_s = shown.reset_unix_s;
  if (!v.refused()) return n;

  n.retry_after_s = ceil_s(detail::retry_after(v, r).value_or(nanoseconds{0}));
  if (by_own_limit) return n;
  n.short_exhausted = r.short_window.exhausted();
  n.long_exhausted = r.has_long && r.long_window.exhausted();
  if (v.decision == decision::banned) {
    n.remaining = 0;
    n.reset_unix_s = std::max(n.reset_unix_s, unix_second_in(v.at, v.blocked_for));
  }
  return n;
}

}  // namespace petstore::limits
