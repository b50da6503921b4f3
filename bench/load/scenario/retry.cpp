// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/retry.hpp"

#include <algorithm>
#include <charconv>

#include "client/http_date.hpp"

namespace petstore::load {

using std::chrono::nanoseconds;
using std::chrono::seconds;

std::optional<seconds> parse_retry_after(std::string_view value, std::chrono::sys_seconds now) noexcept {
  if (auto const until = parse_http_date(value, now))
    return std::clamp<seconds>(*until - now, seconds::zero(), retry_after_max);
  std::int64_t number = 0;
  auto const end = value.data() + value.size();
  auto const [last, fault] = std::from_chars(value.data(), end, number);
  if (value.empty() || value.front() == '-' || last != end) return std::nullopt;
  seconds const most = retry_after_max;
  if (fault == std::errc::result_out_of_range) return most;
  if (fault != std::errc{}) return std::nullopt;
  return std::min(seconds(number), most);
}

std::optional<nanoseconds> retry::again(backoff_rule const& rule, std::optional<seconds> told,
                                        chance& random) noexcept {
  if (++failures_ >= rule.tries) return std::nullopt;
  // base · 2ⁿ, found by halving its maximum, so that nothing overflows.
  auto most = rule.longest;
  auto const doublings = std::min(failures_ - 1, 62U);
  if ((rule.longest.count() >> doublings) >= rule.base.count()) most = rule.base * (std::int64_t{1} << doublings);
  nanoseconds const jitter(random.between(0, most.count()));
  return told.value_or(seconds::zero()) + jitter;
}

}  // namespace petstore::load
