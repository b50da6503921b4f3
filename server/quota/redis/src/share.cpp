// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "share.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "petstore/limits/detail/word_tags.hpp"
#include "petstore/limits/notice.hpp"

namespace petstore::quota {
namespace {

using limits::detail::by_request_tag;
using limits::detail::continuous_tag;
using std::chrono::nanoseconds;

constexpr limits::ban_policy no_bans{.strikes = 0};

/// An equal part of the plan. It has at least one token, even if the quota is smaller than the number of nodes.
limits::plan part_of(limits::plan p, std::uint32_t nodes) {
  auto const part = [nodes](std::uint64_t tokens) {
    return static_cast<std::int64_t>(std::max<std::uint64_t>(1, tokens / nodes));
  };
  p.short_window = *limits::short_window::of({part(p.short_window.tokens()), p.short_window.period()});
  if (p.long_window) p.long_window = *limits::long_window::of({part(p.long_window.tokens()), p.long_window.period()});
  return p;
}

std::int64_t in_ms(limits::wall_time t) {
  return t.time_since_epoch() / std::chrono::milliseconds{1};
}

/// An account of the plan `part` whose rest is this node's share of the whole quota's rest.
limits::saved_account share_of_rest(limits::verdict const& known, limits::plan const& part, std::uint32_t nodes,
                                    limits::instant now) {
  limits::notice const told = limits::tell(known);
  auto const used = [nodes](std::uint64_t part_quota, limits::quota_state const& state) {
    return part_quota - std::min(part_quota, state.remaining / nodes);
  };
  limits::saved_account s;
  std::int64_t const now_ms = in_ms(now.wall);
  auto const length_ms =
      static_cast<std::uint64_t>(part.short_window.period().longest() / std::chrono::milliseconds{1});
  std::uint64_t const short_used = used(part.short_window.tokens(), told.short_window);
  if (part.short_refill == limits::refill::continuous)
    s.full_at_unix_ms = now_ms + static_cast<std::int64_t>(short_used * length_ms / part.short_window.tokens());
  else if (told.short_window.reset_unix_s * 1'000 > now_ms && told.short_window.used > 0)
    s.short_end_unix_ms =
        std::min(told.short_window.reset_unix_s * 1'000, now_ms + static_cast<std::int64_t>(length_ms));
  if (s.short_end_unix_ms != 0) s.short_used = static_cast<std::uint32_t>(short_used);
  if (!part.long_window) return s;
  bool const is_open = told.long_window.used > 0;
  s.long_is_aligned = part.long_window.is_aligned() && !(is_open && (known.long_word & by_request_tag) != 0);
  if (s.long_is_aligned)
    s.long_end_unix_ms = in_ms(part.long_window.period().end_after(now.wall));
  else if (is_open)
    s.long_end_unix_ms = told.long_window.reset_unix_s * 1'000;
  if (s.long_end_unix_ms != 0) s.long_used = used(part.long_window.tokens(), told.long_window);
  return s;
}

/// A bucket of the whole plan that is refilled at the rate of this node's part. A word cannot say that. So it says when
/// there are as many tokens as a refused request needs, otherwise how many are left. Without any both are exact.
std::uint64_t continuous_as_whole(limits::verdict const& v, limits::plan const& whole) {
  std::int64_t const at = v.at.boot.time_since_epoch().count();
  std::int64_t const owed = static_cast<std::int64_t>(v.short_word & ~continuous_tag) - at;
  if (owed <= 0) return v.short_word;
  std::int64_t const interval = token_interval(v.plan).count(), whole_interval = token_interval(whole).count();
  std::int64_t const quota = v.plan.short_window.tokens();
  std::int64_t const left = std::max<std::int64_t>(0, quota - (owed + interval - 1) / interval);
  bool const has_too_few = v.refused() && v.cost.tokens() > left;
  std::int64_t const needed = has_too_few ? v.cost.tokens() : left + 1;
  nanoseconds wait{owed - (quota - needed) * interval};
  if (!has_too_few && left > 0) wait = std::min(wait, token_interval(whole));
  return continuous_tag |
         static_cast<std::uint64_t>(at + wait.count() + (whole.short_window.tokens() - needed) * whole_interval);
}

/// The word with more tokens in the count in its lowest bits (core/README.md), which has this maximum.
std::uint64_t with_more(std::uint64_t word, std::uint64_t tokens, std::uint64_t count_max) {
  return word + std::min(tokens, count_max - (word & count_max));
}

std::uint64_t with_fewer(std::uint64_t word, std::uint64_t tokens, std::uint64_t count_max) {
  return word - std::min(tokens, word & count_max);
}

/// Turns a verdict on a part into one on the whole quota, in which the other parts are used.
limits::verdict as_whole(limits::verdict v, limits::plan const& whole) {
  if ((v.short_word & continuous_tag) != 0)
    v.short_word = continuous_as_whole(v, whole);
  else if (v.short_word != 0)
    v.short_word =
        with_more(v.short_word, whole.short_window.tokens() - v.plan.short_window.tokens(), limits::short_tokens_max);
  if (whole.long_window) {
    bool const by_request = (v.long_word & by_request_tag) != 0;
    v.long_word = with_more(v.long_word, whole.long_window.tokens() - v.plan.long_window.tokens(),
                            by_request ? limits::long_tokens_by_request_max : limits::long_tokens_max);
  }
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
  whole_ = whole;
  if (!account_)
    begin(share_of_rest(known, part, nodes, now), part, now);
  else if (part != part_)
    change_part(share_of_rest(known, part, nodes, now), part, now);
  limits::verdict const v = account_->charge(part, no_bans, tokens, now);
  if (v.admitted()) count(whole, tokens, now);
  return as_whole(v, whole);
}

std::optional<limits::verdict> share::observe(limits::plan const& whole, std::uint32_t held,
                                              limits::instant now) const {
  if (!account_ || whole != whole_) return std::nullopt;
  limits::verdict v = as_whole(account_->observe(part_, now), whole);
  if ((v.short_word & continuous_tag) == 0) v.short_word = with_fewer(v.short_word, held, limits::short_tokens_max);
  bool const by_request = (v.long_word & by_request_tag) != 0;
  v.long_word =
      with_fewer(v.long_word, held, by_request ? limits::long_tokens_by_request_max : limits::long_tokens_max);
  return v;
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
  // In a period that began during the outage, this node has admitted everything that is counted.
  auto const is_same = [](std::int64_t one_ms, std::int64_t other_ms) { return std::abs(one_ms - other_ms) < 1'000; };
  with.short_end_unix_ms = is.short_end_unix_ms;
  with.short_left_ms = is.short_left_ms;
  with.short_used = is.short_used;
  if (is_same(is.short_end_unix_ms, begins_with.short_end_unix_ms))
    with.short_used = begins_with.short_used + is.short_used - std::min(is.short_used, begun_with_.short_used);
  with.full_at_unix_ms = is.full_at_unix_ms;  // the same fraction of the bucket is used
  with.long_end_unix_ms = is.long_end_unix_ms;
  with.long_left_ms = is.long_left_ms;
  with.long_is_aligned = is.long_is_aligned;
  with.long_used = is.long_used;
  if (is_same(is.long_end_unix_ms, begins_with.long_end_unix_ms) &&
      is_same(is.long_end_unix_ms, begun_with_.long_end_unix_ms))
    with.long_used = begins_with.long_used + is.long_used - std::min(is.long_used, begun_with_.long_used);
  begin(with, part, now);
  begun_with_ = begins_with;
}

void share::count(limits::plan const& whole, limits::cost tokens, limits::instant now) noexcept {
  auto const in_present = [&](limits::period p) {
    std::int64_t const end =
        p.is_aligned() ? p.end_after(now.wall).time_since_epoch() / std::chrono::microseconds{1} : 0;
    return period_count{.end = end, .count = tokens.tokens()};
  };
  spent_.add({.of_short = in_present(whole.short_window.period()),
              .of_long = whole.long_window ? in_present(whole.long_window.period()) : period_count{}});
}

share::spending share::take_spent() noexcept {
  return std::exchange(spent_, {});
}

}  // namespace petstore::quota
