// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>

#include "petstore/export.hpp"
#include "petstore/limits/verdict.hpp"

namespace petstore::limits {

/// One of the two quotas of a plan.
enum class resource : std::uint8_t { short_window, long_window };

/// The state of one quota, in the numbers that clients get.
struct PETSTORE_EXPORT quota_state {
  std::uint64_t quota = 0;        ///< the tokens of a whole period; with a burst, those of the full bucket
  std::uint64_t remaining = 0;    ///< the tokens left after the decision
  std::int64_t reset_unix_s = 0;  ///< when the quota is full again, rounded up; now if no period is open
  std::int64_t more_in_s = 0;     ///< seconds until more tokens come, rounded up; 0 if no period is open
  std::int64_t window_s = 0;  ///< how long an empty bucket takes to fill, in seconds, rounded up; of a month its own
  limits::period period = std::chrono::seconds{1};  ///< that of the plan; `name_of` has its name
  std::uint64_t used = 0;  ///< the tokens taken in this period; above the quota after a change to a smaller plan
};

/// The numbers of a verdict for clients: those of every rate-limit header and of getQuota's body.
struct PETSTORE_EXPORT notice {
  limits::decision decision = decision::observed;  ///< as in the verdict
  resource shown = resource::short_window;         ///< the quota that X-RateLimit-* describes
  bool has_long = false;                           ///< whether the plan has a long window
  bool short_exhausted = false;                    ///< for a refusal: whether this window had too few tokens
  bool long_exhausted = false;                     ///< the same for the long window
  std::uint64_t remaining = 0;                     ///< the value of X-RateLimit-Remaining
  std::int64_t reset_unix_s = 0;                   ///< the value of X-RateLimit-Reset
  std::int64_t retry_after_s = 0;  ///< for a refusal: at least 1; 0 if waiting cannot help, as the cost is too high
  quota_state short_window;        ///< the short window's quota
  quota_state long_window;         ///< the long window's quota; all 0 without one

  /// The value of X-RateLimit-Limit.
  [[nodiscard]] std::uint64_t limit() const noexcept {
    return shown == resource::short_window ? short_window.quota : long_window.quota;
  }
  /// Whether the request may pass; neither this nor `refused` if the request asked for no quota.
  [[nodiscard]] bool admitted() const noexcept { return decision == decision::admitted; }
  /// Whether it may not pass, for lack of tokens or because of a ban.
  [[nodiscard]] bool refused() const noexcept {
    return decision == decision::rate_limited || decision == decision::banned;
  }
};

/// Returns the numbers of a verdict; a pure function. Any thread.
[[nodiscard]] PETSTORE_EXPORT notice tell(verdict const&) noexcept;

}  // namespace petstore::limits
