// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <chrono>

#include "petstore/export.hpp"
#include "petstore/limits/instant.hpp"

namespace petstore::limits {

/// A clock that shows the time of its last update, so that a charge reads no clock of the system.
///
///     limits::coarse_clock clock;
///     …                            // every 10 ms, by a timer: ports::async_update_clock does it
///     clock.update();
///     …
///     quota.charge(customer, clock());
///
/// What it costs: the time is late by up to one update interval, and by more if an update is late. The limiter counts
/// correctly on it, but by an exact clock a period or a ban ends up to one interval later than was announced: a client
/// that comes back exactly then may be refused once more. In headers, which have whole seconds, an interval of 10 ms
/// shows rarely. The service itself does not use this clock.
///
/// Thread safety: any thread may read at any time: two loads. One thread at a time updates. A read during an update may
/// combine the new boot clock with the old distance to the wall clock; that differs only if the wall clock was set
/// meanwhile, which is then seen one update later. An update with an earlier time of the boot clock changes nothing.
class PETSTORE_EXPORT coarse_clock {
 public:
  /// Shows that time until the first update.
  explicit coarse_clock(instant at = limits::now()) noexcept
      : boot_{at.boot.time_since_epoch().count()}, wall_minus_boot_{at.wall_minus_boot().count()} {}

  /// Shows that time from now on.
  void update(instant at = limits::now()) noexcept {
    auto const boot = at.boot.time_since_epoch().count();
    if (boot < boot_.load(std::memory_order_relaxed)) return;
    wall_minus_boot_.store(at.wall_minus_boot().count(), std::memory_order_relaxed);
    boot_.store(boot, std::memory_order_relaxed);
  }

  /// The time of the last update.
  [[nodiscard]] instant operator()() const noexcept {
    boot_time const boot{std::chrono::nanoseconds{boot_.load(std::memory_order_relaxed)}};
    return instant::of(boot, std::chrono::nanoseconds{wall_minus_boot_.load(std::memory_order_relaxed)});
  }

 private:
  // In a cache line of their own: others that are written often would slow the readers down.
  alignas(64) std::atomic<boot_clock::rep> boot_;
  std::atomic<boot_clock::rep> wall_minus_boot_;
};

}  // namespace petstore::limits
