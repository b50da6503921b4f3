// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>

#include "petstore/limits/verdict.hpp"

namespace petstore::limits {

enum class resource : std::uint8_t { minute, day };

/// One quota as a client is told of it.
struct quota_state {
  std::uint64_t quota = 0;
  std::uint64_t remaining = 0;
  std::int64_t reset_unix_s = 0;  ///< when the quota is full again, rounded up; now when no period is open
  std::int64_t more_in_s = 0;     ///< seconds until more tokens come, rounded up; 0 when no period is open

  std::uint64_t used() const noexcept { return quota - remaining; }
};

/// What a client is told of a verdict: the numbers of every rate-limit header and of getQuota's body.
struct notice {
  limits::decision decision = decision::observed;
  resource shown = resource::minute;  ///< the quota that X-RateLimit-* describes
  bool has_day = false;               ///< whether the plan has a day quota
  bool minute_exhausted = false;      ///< of a refusal: which quotas were empty
  bool day_exhausted = false;
  std::uint64_t remaining = 0;     ///< of X-RateLimit-Remaining
  std::int64_t reset_unix_s = 0;   ///< of X-RateLimit-Reset
  std::int64_t retry_after_s = 0;  ///< of a refusal: at least 1
  quota_state minute;
  quota_state day;

  /// The number of X-RateLimit-Limit.
  std::uint64_t limit() const noexcept { return shown == resource::minute ? minute.quota : day.quota; }
  bool admitted() const noexcept { return decision == decision::admitted; }
  bool refused() const noexcept { return decision == decision::rate_limited || decision == decision::banned; }
};

/// A pure function: the same verdict always tells the same. Any thread.
notice tell(verdict const&) noexcept;

}  // namespace petstore::limits
