// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>

#include "petstore/export.hpp"

namespace petstore::limits {

/// The clock by which minutes, strikes and bans are measured (CLOCK_BOOTTIME): it never steps back, and counts while
/// the machine is suspended. A clock as the standard library's are; its epoch is when the machine started. Any thread.
struct PETSTORE_EXPORT boot_clock {
  using duration = std::chrono::nanoseconds;               ///< what it counts
  using rep = duration::rep;                               ///< as a number
  using period = duration::period;                         ///< of seconds
  using time_point = std::chrono::time_point<boot_clock>;  ///< a moment on it
  static constexpr bool is_steady = true;                  ///< nobody sets it

  /// Reads CLOCK_BOOTTIME.
  static time_point now() noexcept;
};

/// A moment on the boot clock, in nanoseconds.
using boot_time = boot_clock::time_point;

/// A moment on the wall clock (CLOCK_REALTIME, `std::chrono::system_clock`): nanoseconds since 1970-01-01T00:00:00Z,
/// until 2262. That clock may be set, and so may step either way.
using wall_time = std::chrono::sys_time<std::chrono::nanoseconds>;

/// For a host whose clock is the standard library's: minutes, strikes and bans then stand still while the machine
/// sleeps. Readings that were made so must not meet readings of `boot_clock`, whose epoch may be another.
constexpr boot_time boot_time_of(std::chrono::steady_clock::time_point t) noexcept {
  return boot_time{t.time_since_epoch()};
}

/// One reading of both clocks, taken at the same moment.
///
/// Every decision of the limiter takes an instant as an argument, so a decision is a pure function of state and
/// time, and tests need no sleep. Minute periods, strikes and bans are measured on `boot`; days and the times shown in
/// headers come from `wall`. The two are time points of different clocks: one given for the other, or a duration for
/// either, does not compile.
struct PETSTORE_EXPORT instant {
  boot_time boot;  ///< for periods, strikes, bans
  wall_time wall;  ///< for days, and for what clients are told

  /// A moment of the boot clock, at which the wall clock is so far ahead of it.
  static constexpr instant of(boot_time boot, std::chrono::nanoseconds wall_minus_boot) noexcept {
    return {boot, wall_time{boot.time_since_epoch() + wall_minus_boot}};
  }

  /// How far the wall clock is ahead, each counted from its epoch: the same at every moment until somebody sets it.
  constexpr std::chrono::nanoseconds wall_minus_boot() const noexcept {
    return wall.time_since_epoch() - boot.time_since_epoch();
  }

  /// The moment `d` later (or earlier, when it is negative) on both clocks.
  friend constexpr instant operator+(instant t, std::chrono::nanoseconds d) noexcept {
    return {t.boot + d, t.wall + d};
  }
};

/// Reads CLOCK_BOOTTIME and CLOCK_REALTIME. Any thread.
PETSTORE_EXPORT instant now() noexcept;

/// Whether the wall clock was set between two moments, by its distance from the boot clock, which nobody sets. (A clock
/// that is slewed takes both along, and a leap second is too little to matter.)
inline bool was_set_between(instant one, instant other) {
  constexpr std::chrono::seconds smallest_step{2};
  return std::chrono::abs(one.wall_minus_boot() - other.wall_minus_boot()) >= smallest_step;
}

/// `now()` at half the price, for whoever asks several hundred thousand times a second: the wall clock is what it was a
/// moment ago plus the time since, and is read again every millisecond. So a clock that is set is noticed a millisecond
/// late. One thread.
class PETSTORE_EXPORT frequent_clock {
 public:
  /// Reads the one clock.
  using boot_reader = boot_time (*)() noexcept;
  /// Reads the other.
  using wall_reader = wall_time (*)() noexcept;

  frequent_clock() noexcept;
  /// For tests and simulations: clocks of the caller's.
  frequent_clock(boot_reader boot, wall_reader wall) noexcept : read_boot_{boot}, read_wall_{wall} {}

  /// The time on both clocks.
  instant operator()() noexcept;

 private:
  boot_reader read_boot_;
  wall_reader read_wall_;
  boot_time wall_read_at_{std::chrono::hours{-1}};  ///< by the other clock, which is never below 0
  std::chrono::nanoseconds wall_minus_boot_{0};
};

}  // namespace petstore::limits
