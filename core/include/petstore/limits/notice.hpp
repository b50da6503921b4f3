// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>

#include "petstore/export.hpp"
#include "petstore/limits/verdict.hpp"

namespace petstore::limits {

/// Which of the two quotas.
enum class resource : std::uint8_t { minute, day };

/// One quota as a client is told of it.
struct PETSTORE_EXPORT quota_state {
  std::uint64_t quota = 0;        ///< tokens of a whole period
  std::uint64_t remaining = 0;    ///< of these, after the decision
  std::int64_t reset_unix_s = 0;  ///< when the quota is full again, rounded up; now when no period is open
  std::int64_t more_in_s = 0;     ///< seconds until more tokens come, rounded up; 0 when no period is open

  /// Tokens that were taken in this period.
  std::uint64_t used() const noexcept { return quota - remaining; }
};

/// What a client is told of a verdict: the numbers of every rate-limit header and of getQuota's body.
struct PETSTORE_EXPORT notice {
  limits::decision decision = decision::observed;  ///< as in the verdict
  resource shown = resource::minute;               ///< the quota that X-RateLimit-* describes
  bool has_day = false;                            ///< whether the plan has a day quota
  bool minute_exhausted = false;                   ///< of a refusal: which quotas had too few tokens
  bool day_exhausted = false;                      ///< the same of the day
  std::uint64_t remaining = 0;                     ///< of X-RateLimit-Remaining
  std::int64_t reset_unix_s = 0;                   ///< of X-RateLimit-Reset
  std::int64_t retry_after_s = 0;  ///< of a refusal: at least 1; 0 when no waiting helps, as it costs more than a quota
  quota_state minute;              ///< its bucket
  quota_state day;                 ///< all 0 without one

  /// The number of X-RateLimit-Limit.
  std::uint64_t limit() const noexcept { return shown == resource::minute ? minute.quota : day.quota; }
  /// Whether the request may pass; neither this nor the next holds when nothing was asked for.
  bool admitted() const noexcept { return decision == decision::admitted; }
  /// Whether it may not, for lack of tokens or because of a ban.
  bool refused() const noexcept { return decision == decision::rate_limited || decision == decision::banned; }
};

/// A pure function: the same verdict always tells the same. Any thread.
PETSTORE_EXPORT notice tell(verdict const&) noexcept;

}  // namespace petstore::limits
