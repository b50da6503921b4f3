// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Whether a request is tried again, and when: what the service asks of its clients (wait as long as Retry-After says,
// and back off exponentially), as a state machine of one request that knows no clock.
//
// Thread safety: that of a plain value.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "scenario/chance.hpp"
#include "scenario/scenario.hpp"

namespace petstore::load {

/// A client believes at most this; who tells it more is not tried again within a run anyway.
inline constexpr std::chrono::hours retry_after_max{48};

/// Delay seconds of Retry-After (RFC 9110 section 10.2.3). Its other form, a date, needs a common clock and is not
/// understood: the client then backs off by its own rule.
std::optional<std::chrono::seconds> parse_retry_after(std::string_view value) noexcept;

class retry {
 public:
  /// A new request.
  void begin() noexcept { failures_ = 0; }

  /// The wait before the same request is tried again; nothing when it has been tried often enough. `told` is what the
  /// answer's Retry-After said. With it, the wait is that and a jitter on top of at most what backoff would have been,
  /// so that those who were refused together do not come back together.
  std::optional<std::chrono::nanoseconds> again(backoff_rule const&, std::optional<std::chrono::seconds> told,
                                                chance&) noexcept;

  unsigned failures() const noexcept { return failures_; }

 private:
  unsigned failures_ = 0;
};

}  // namespace petstore::load
