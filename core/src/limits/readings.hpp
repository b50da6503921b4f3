// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <optional>

#include "buckets.hpp"
#include "petstore/limits/verdict.hpp"

namespace petstore::limits::detail {

/// The state of an account's two words at one instant, for a request that needs that many tokens.
struct readings {
  reading short_window;
  reading long_window;
  bool has_long = false;

  /// The time until every quota has the tokens; 0 also if one of them never will.
  nanoseconds wait() const noexcept { 
    return has_long ? std::max(short_window.frees_in, long_window.frees_in) : short_window.frees_in;
  }
};

inline readings read_quotas(word short_word, word long_word, plan const& p, instant now,
                            std::uint64_t needed = 1) noexcept {
  readings r{.short_window = read_short(short_word, p, now, needed),
             .long_window = {},
             .has_long = static_cast<bool>(p.long_window)};
  if (r.has_long) r.long_window = read_long(long_word, p.long_window.tokens(), now, needed);
  return r;
}

/// getQuota's own limit and the limit on requests in flight refuse independently of the quotas.
constexpr bool is_refused_by_own_limit(verdict const& v) noexcept {
  bool const has_own_limit = v.occasion == occasion::inquiry || v.occasion == occasion::in_flight;
  return has_own_limit && v.decision == decision::rate_limited;
}

/// `verdict::retry_after` of a verdict whose words were read already.
inline std::optional<nanoseconds> retry_after(verdict const& v, readings const& r) noexcept {
  if (!v.refused() || !v.can_ever_pass()) return std::nullopt;
  nanoseconds const tokens_in = is_refused_by_own_limit(v) ? nanoseconds{0} : r.wait();
  return std::max({nanoseconds{1}, tokens_in, v.blocked_for});
}

}  // namespace petstore::limits::detail
