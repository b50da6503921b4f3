// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "petstore/limits/instant.hpp"

namespace petstore::quota {

/// The strikes in one quota that this node has counted and not yet reported. The server's answers say when a refusal
/// was announced and until when it holds. A refusal within that time is a strike: the request ignores the announcement.
///
/// Thread safety: any thread. A refusal at the moment at which an announcement is replaced may be judged by either.
class strikes {
 public:
  /// Sets the time in which refusals are strikes: from the end of the announcement's grace until its end.
  void announced(limits::boot_time from, limits::boot_time until) noexcept {
    from_.store(from.time_since_epoch().count(), std::memory_order_relaxed);
    until_.store(until.time_since_epoch().count(), std::memory_order_relaxed);
  }
  /// Counts a refusal. Returns the number of strikes to report, or 0 if this refusal is not a strike.
  std::uint32_t refused(limits::instant now) noexcept {
    std::int64_t const at = now.boot.time_since_epoch().count();
    if (at < from_.load(std::memory_order_relaxed) || at >= until_.load(std::memory_order_relaxed)) return 0;
    return count_.fetch_add(1) + 1;
  }
  bool any() const noexcept { return count_.load() != 0; }
  std::uint32_t take() noexcept { return count_.exchange(0, std::memory_order_relaxed); }
  /// Restores strikes that could not be reported.
  void put_back(std::uint32_t count) noexcept { count_.fetch_add(count, std::memory_order_relaxed); }
  void forgive() noexcept {
    announced({}, {});
    take();
  }

 private:
  std::atomic<std::int64_t> from_{0};   ///< ns of the boot clock
  std::atomic<std::int64_t> until_{0};  ///< ns of the boot clock
  std::atomic<std::uint32_t> count_{0};
};

}  // namespace petstore::quota
