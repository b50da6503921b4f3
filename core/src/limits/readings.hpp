// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>

#include "buckets.hpp"

namespace petstore::limits::detail {

/// What the two words of an account say at one instant to who needs so many tokens.
struct readings {
  reading minute;
  reading day;
  bool has_day = false;

  /// Until every quota has the tokens; 0 also when one of them never will.
  nanoseconds wait() const noexcept { return has_day ? std::max(minute.frees_in, day.frees_in) : minute.frees_in; }
};

inline readings read_quotas(word minute, word day, plan const& p, instant now, std::uint64_t needed = 1) noexcept {
  readings r{.minute = read_minute(minute, minute_quota(p), now, needed), .day = {}, .has_day = p.per_day != 0};
  if (r.has_day) r.day = read_day(day, p.per_day, now, needed);
  return r;
}

}  // namespace petstore::limits::detail
