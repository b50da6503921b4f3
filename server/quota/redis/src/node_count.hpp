// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace petstore::quota {

/// How many nodes share the quotas, as heartbeats tell. Of that hangs what a node admits while it cannot ask, so a
/// smaller number is believed late: right after an outage the server has heard of few nodes yet, and it may be gone
/// again a moment later.
///
/// Not thread-safe. Times are of any one clock that does not step back.
class node_count {
 public:
  using time = std::chrono::nanoseconds;

  /// For so long every heartbeat must have told a smaller number: heartbeat.lua forgets a node as late.
  static constexpr time settles_after = std::chrono::seconds{3};

  /// `expected`: by configuration, at least one.
  explicit node_count(std::uint32_t expected) noexcept : expected_(std::max<std::uint32_t>(1, expected)) {}

  void heard(std::uint32_t count, time now) noexcept {
    if (count >= most_) {
      most_ = count;
      fewer_since_.reset();
      return;
    }
    if (!fewer_since_) fewer_since_ = now, fewer_ = count;
    fewer_ = std::max(fewer_, count);
    if (now - *fewer_since_ < settles_after) return;
    most_ = fewer_;
    fewer_since_.reset();
  }
  /// A heartbeat without an answer.
  void missed() noexcept { fewer_since_.reset(); }

  /// Among so many is divided what is left.
  std::uint32_t sharers() const noexcept { return std::max(expected_, most_); }

 private:
  std::uint32_t const expected_;
  std::uint32_t most_ = 0;
  std::uint32_t fewer_ = 0;  ///< the most that was told since
  std::optional<time> fewer_since_;
};

}  // namespace petstore::quota
