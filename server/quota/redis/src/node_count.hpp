// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace petstore::quota {

/// The number of nodes that share the quotas, as heartbeats report it. A node without a server admits a share that
/// depends on this number. A smaller number therefore counts only after some time: right after an outage the server
/// knows few nodes yet, and it may disappear again a moment later.
///
/// Not thread-safe. All times are of one clock that does not step back.
class node_count {
 public:
  using time = std::chrono::nanoseconds;

  /// The number falls when every heartbeat has reported a smaller one for this long. heartbeat.lua forgets a silent
  /// node after the same time.
  static constexpr time settles_after = std::chrono::seconds{3};

  /// `expected`: the configured number of nodes, at least one.
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
  /// A heartbeat was not answered.
  void missed() noexcept { fewer_since_.reset(); }

  /// The number of nodes that the rest of a quota is divided by.
  std::uint32_t sharers() const noexcept { return std::max(expected_, most_); }

 private:
  std::uint32_t const expected_;
  std::uint32_t most_ = 0;
  std::uint32_t fewer_ = 0;  ///< the largest number reported since then
  std::optional<time> fewer_since_;
};

}  // namespace petstore::quota
