// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "share.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "petstore/limits/notice.hpp"

namespace petstore::quota {
namespace {

using std::chrono::nanoseconds;

constexpr limits::ban_policy no_bans{.strikes = 0};

/// An equal part of the plan. It has at least one token, even if the quota is smaller than the number of nodes.
limits::plan part_of(limits::plan p, std::uint32_t nodes) {
  p.per_minute = limits::tokens_per_minute::of(p.per_minute / nodes).value_or(limits::tokens_per_minute{1});
  if (p.per_day != 0) p.per_day = *limits::tokens_per_day::of(std::max<std::uint64_t>(1, p.per_day / nodes));
  return p;
}

/// An account of the plan `part` whose rest is this node's share of the whole quota's rest.
limits::saved_account share_of_rest(limits::verdict const& known, limits::plan const& part, std::uint32_t nodes,
                                    limits::instant now) {
  limits::notice const told = limits::tell(known);
  auto const used = [nodes](std::uint64_t part_quota, limits::quota_state const& state) {
    return part_quota - std::min(part_quota, state.remaining / nodes);
  };
  limits::saved_account s;
  std::int64_t const now_ms = now.wall.time_since_epoch() / std::chrono::milliseconds{1};
  std::uint64_t const minute_used = used(part.per_minute, told.minute);
  if (part.minute_refill == limits::refill::continuous)
    s.full_at_unix_ms = now_ms + static_cast<std::int64_t>(minute_used * 60'000 / part.per_minute);
  else if (told.minute.reset_unix_s * 1'000 > now_ms && told.minute.used() > 0)
    s.minute_start_unix_ms = std::min(told.minute.reset_unix_s * 1'000 - 60'000, now_ms);
  if (s.minute_start_unix_ms != 0) s.minute_used = static_cast<std::uint32_t>(minute_used);
  s.day = now.wall.time_since_epoch() / std::chrono::hours{24};
  s.day_used = part.per_day == 0 ? 0 : used(part.per_day, told.day);
  return s;
}

/// The tag of a word that holds a time (core/README.md).
constexpr std::uint64_t continuous_tag = std::uint64_t{1} << 63;

/// A bucket of the whole plan that is refilled at the rate of this node's part. A word cannot say that. So it says when
/// there are as many tokens as a refused request needs, otherwise how many are left. Without any both are exact.
std::uint64_t continuous_as_whole(limits::verdict const& v, limits::plan const& whole) {
  std::int64_t const at = v.at.boot.time_since_epoch().count();
  std::int64_t const owed = static_cast<std::int64_t>(v.minute_word & ~continuous_tag) - at;
  if (owed <= 0) return v.minute_word;
  std::int64_t const interval = token_interval(v.plan).count(), whole_interval = token_interval(whole).count();
  std::int64_t const quota = v.plan.per_minute;
  std::int64_t const left = std::max<std::int64_t>(0, quota - (owed + interval - 1) / interval);
  bool const has_too_few = v.refused() && v.cost.tokens() > left;
  std::int64_t const needed = has_too_few ? v.cost.tokens() : left + 1;
  nanoseconds wait{owed - (quota - needed) * interval};
  if (!has_too_few && left > 0) wait = std::min(wait, token_interval(whole));
  return continuous_tag | static_cast<std::uint64_t>(at + wait.count() + (whole.per_minute - needed) * whole_interval);
}

/// The word with more tokens in the count in its lowest bits (core/README.md), which has this maximum.
std::uint64_t with_more(std::uint64_t word, std::uint64_t tokens, std::uint64_t count_max) {
  return word + std::min(tokens, count_max - (word & count_max));
}

/// Turns a verdict on a part into one on the whole quota, in which the other parts are used.
limits::verdict as_whole(limits::verdict v, limits::plan const& whole) {
  if ((v.minute_word & continuous_tag) != 0)
    v.minute_word = continuous_as_whole(v, whole);
  else if (v.minute_word != 0)
    v.minute_word = with_more(v.minute_word, whole.per_minute - v.plan.per_minute, limits::per_minute_max);
  if (whole.per_day != 0) v.day_word = with_more(v.day_word, whole.per_day - v.plan.per_day, limits::per_day_max);
  v.plan = whole;
  return v;
}

}  // namespace

bool share::covers(limits::plan const& whole, std::uint32_t nodes, limits::cost tokens) noexcept {
  return limits::can_ever_pass(tokens, part_of(whole, nodes));
}

limits::verdict share::charge(limits::verdict const& known, limits::plan const& whole, std::uint32_t nodes,
                              limits::cost tokens) {
  limits::instant const now = known.at;
  limits::plan const part = part_of(whole, nodes);
  if (!account_)
    begin(share_of_rest(known, part, nodes, now), part, now);
  else if (part != part_)
    change_part(share_of_rest(known, part, nodes, now), part, now);
  limits::verdict const v = account_->charge(part, no_bans, tokens, now);
  if (v.admitted()) count(tokens, now);
  return as_whole(v, whole);
}

void share::begin(limits::saved_account const& with, limits::plan const& part, limits::instant now) {
  account_ = std::make_unique<limits::account>();
  account_->restore(with, part, no_bans, now);
  begun_with_ = with;
  part_ = part;
}

/// Replaces the part after a change of the number of nodes or of the plan. What was admitted of the old part counts for
/// the new one.
void share::change_part(limits::saved_account const& begins_with, limits::plan const& part, limits::instant now) {
  limits::saved_account const is = account_->save(part_, now);
  limits::saved_account with = begins_with;
  // In a minute or a day that began during the outage, this node has admitted everything that is counted.
  bool const same_minute = std::abs(with.minute_start_unix_ms - is.minute_start_unix_ms) < 1'000;
  with.minute_start_unix_ms = is.minute_start_unix_ms;
  with.minute_used = is.minute_used;
  if (same_minute)
    with.minute_used = begins_with.minute_used + is.minute_used - std::min(is.minute_used, begun_with_.minute_used);
  with.full_at_unix_ms = is.full_at_unix_ms;  // the same fraction of the bucket is used
  with.day_used = is.day_used;
  if (is.day == begins_with.day && is.day == begun_with_.day)
    with.day_used = begins_with.day_used + is.day_used - std::min(is.day_used, begun_with_.day_used);
  with.day = is.day;
  begin(with, part, now);
  begun_with_ = begins_with;
}

void share::count(limits::cost tokens, limits::instant now) noexcept {
  spent_.add({.day = now.wall.time_since_epoch() / std::chrono::hours{24}, .count = tokens.tokens()});
}

share::spending share::take_spent() noexcept {
  return std::exchange(spent_, {});
}

}  // namespace petstore::quota
