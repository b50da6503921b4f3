// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Decides whether and when a request is repeated, as the service asks of its clients: wait as long as Retry-After says,
// and back off exponentially. A state machine for one request, without a clock.
//
// Thread safety: that of a plain value.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "scenario/chance.hpp"
#include "scenario/scenario.hpp"

namespace petstore::load {

/// The longest accepted Retry-After. After a longer one, the request would not be repeated within a run anyway.
inline constexpr std::chrono::hours retry_after_max{48};

/// The wait that Retry-After asks for (RFC 9110 section 10.2.3): a number of seconds, or the time until a date, which
/// is zero if it is past. `now` is the time of the answer, best by its own Date, so that the clocks need not agree.
/// nullopt for any other text: the client then backs off by its own rule.
std::optional<std::chrono::seconds> parse_retry_after(std::string_view value, std::chrono::sys_seconds now) noexcept;

class retry {
 public:
  /// A new request.
  void begin() noexcept { failures_ = 0; }

  /// The wait before the request is repeated; nullopt if it was tried often enough. `told` is the answer's Retry-After.
  /// With it, the wait is that time plus a jitter of at most the backoff, so that clients that were refused together do
  /// not come back together.
  std::optional<std::chrono::nanoseconds> again(backoff_rule const&, std::optional<std::chrono::seconds> told,
                                                chance&) noexcept;

  unsigned failures() const noexcept { return failures_; }

 private:
  unsigned failures_ = 0;
};

}  // namespace petstore::load
