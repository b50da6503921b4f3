// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>

#include "petstore/export.hpp"

namespace petstore::limits {

/// The clock for periods, strikes and bans (CLOCK_BOOTTIME): it never steps back, and counts while the machine is
/// suspended. It has the interface of a standard library clock; its epoch is the start of the machine. Any thread.
struct PETSTORE_EXPORT boot_clock {
  using duration = std::chrono::nanoseconds;               ///< its unit
  using rep = duration::rep;                               ///< as a number
  using period = duration::period;                         ///< in seconds
  using time_point = std::chrono::time_point<boot_clock>;  ///< a moment on it
  static constexpr bool is_steady = true;                  ///< it cannot be set

  /// Reads CLOCK_BOOTTIME.
  [[nodiscard]] static time_point now() noexcept;
};

/// A moment on the boot clock, in nanoseconds.
using boot_time = boot_clock::time_point;

/// A moment on the wall clock (CLOCK_REALTIME, `std::chrono::system_clock`): nanoseconds since 1970-01-01T00:00:00Z,
/// until 2262. That clock may be set, and so may step in either direction.
using wall_time = std::chrono::sys_time<std::chrono::nanoseconds>;

/// For a host that uses the standard library's clock: periods, strikes and bans then stand still while the machine is
/// suspended. Do not mix such readings with those of `boot_clock`, which may have another epoch.
[[nodiscard]] constexpr boot_time boot_time_of(std::chrono::steady_clock::time_point t) noexcept {
  return boot_time{t.time_since_epoch()};
}

/// One reading of both clocks, taken at the same moment.
///
/// Every decision of the limiter takes an instant as an argument, so it is a pure function of state and time, and tests
/// need no sleep. Periods, strikes and bans are measured on `boot`; aligned periods and the times in headers come from
/// `wall`. The two are time points of different clocks, so code that confuses them, or passes a duration for either,
/// does not compile.
struct PETSTORE_EXPORT instant {
  boot_time boot;  ///< for periods, strikes, bans
  wall_time wall;  ///< for aligned periods, and for the times sent to clients

  /// The moment `boot`, with the wall clock this far ahead of it.
  [[nodiscard]] static constexpr instant of(boot_time boot, std::chrono::nanoseconds wall_minus_boot) noexcept {
    return {boot, wall_time{boot.time_since_epoch() + wall_minus_boot}};
  }

  /// How far the wall clock is ahead, each counted from its epoch. It is constant until the wall clock is set.
  [[nodiscard]] constexpr std::chrono::nanoseconds wall_minus_boot() const noexcept {
    return wall.time_since_epoch() - boot.time_since_epoch();
  }

  /// The moment `d` later (or earlier, if negative) on both clocks.
  friend constexpr instant operator+(instant t, std::chrono::nanoseconds d) noexcept {
    return {t.boot + d, t.wall + d};
  }
};

/// Reads CLOCK_BOOTTIME and CLOCK_REALTIME. Any thread.
[[nodiscard]] PETSTORE_EXPORT instant now() noexcept;

/// Whether the wall clock was set between two moments. It compares the distance to the boot clock, which cannot be set.
/// (Slewing changes both clocks, and a leap second is too small to matter.)
[[nodiscard]] inline bool was_set_between(instant one, instant other) {
  constexpr std::chrono::seconds smallest_step{2};
  return std::chrono::abs(one.wall_minus_boot() - other.wall_minus_boot()) >= smallest_step;
}

/// `now()` at half the cost, for several hundred thousand calls a second. The wall clock is computed from its last
/// reading plus the time since, and is read again every millisecond, so a change of the clock is noticed a millisecond
/// late. One thread.
class PETSTORE_EXPORT frequent_clock {
 public:
  /// Reads the boot clock.
  using boot_reader = boot_time (*)() noexcept;
  /// Reads the wall clock.
  using wall_reader = wall_time (*)() noexcept;

  frequent_clock() noexcept;
  /// For tests and simulations: uses the caller's clocks.
  frequent_clock(boot_reader boot, wall_reader wall) noexcept : read_boot_{boot}, read_wall_{wall} {}

  /// The time on both clocks.
  [[nodiscard]] instant operator()() noexcept;

 private:
  boot_reader read_boot_;
  wall_reader read_wall_;
  boot_time wall_read_at_{std::chrono::hours{-1}};  ///< on the boot clock, which is never below 0
  std::chrono::nanoseconds wall_minus_boot_{0};
};

}  // namespace petstore::limits
