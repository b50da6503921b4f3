// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "petstore/limits/instant.hpp"

namespace petstore::quota {

/// The strikes that this node has seen of one identity and not yet reported. The server has told when an announcement
/// was made and how long it holds; a refusal in between ignores it.
///
/// Thread safety: any thread. A refusal at the very moment at which an announcement is replaced may be judged by
/// either.
class strikes {
 public:
  /// From when (the announcement's grace is over) until when.
  void announced(limits::boot_time from, limits::boot_time until) noexcept {
    from_.store(from.time_since_epoch().count(), std::memory_order_relaxed);
    until_.store(until.time_since_epoch().count(), std::memory_order_relaxed);
  }
  /// A refusal. Returns how many strikes there are to report, 0 when this was none.
  std::uint32_t refused(limits::instant now) noexcept {
    std::int64_t const at = now.boot.time_since_epoch().count();
    if (at < from_.load(std::memory_order_relaxed) || at >= until_.load(std::memory_order_relaxed)) return 0;
    return count_.fetch_add(1) + 1;
  }
  bool any() const noexcept { return count_.load() != 0; }
  std::uint32_t take() noexcept { return count_.exchange(0, std::memory_order_relaxed); }
  /// What could not be reported.
  void put_back(std::uint32_t count) noexcept { count_.fetch_add(count, std::memory_order_relaxed); }
  void forgive() noexcept {
    announced({}, {});
    take();
  }

 private:
  std::atomic<std::int64_t> from_{0};  ///< ns of the boot clock, as is the next
  std::atomic<std::int64_t> until_{0};
  std::atomic<std::uint32_t> count_{0};
};

}  // namespace petstore::quota
