// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>

#include "petstore/export.hpp"

namespace petstore::limits {

struct wall_time;

/// A reading of a clock that never steps back and counts while the machine is suspended (CLOCK_BOOTTIME): the time
/// since it began, in nanoseconds. A duration to whoever computes with it, but not made of a wall clock's reading.
/// `std::chrono::steady_clock` will do where minutes that stand still while the machine sleeps are no harm.
struct PETSTORE_EXPORT boot_time : std::chrono::nanoseconds {
  constexpr boot_time() noexcept : duration{0} {}
  /// From a duration since the clock began, of any unit.
  template <class Count, class Period>
  constexpr boot_time(std::chrono::duration<Count, Period> const& since_start) noexcept : duration{since_start} {}
  /// From a clock of the standard library that stands still while the machine sleeps.
  constexpr boot_time(std::chrono::steady_clock::time_point t) noexcept : duration{t.time_since_epoch()} {}
  boot_time(wall_time const&) = delete;  ///< the clocks are mixed up
};

/// A reading of the wall clock (CLOCK_REALTIME, `std::chrono::system_clock`): nanoseconds since 1970-01-01T00:00:00Z,
/// until 2262. It may be set, and so may step either way.
struct PETSTORE_EXPORT wall_time : std::chrono::nanoseconds {
  constexpr wall_time() noexcept : duration{0} {}
  /// From a duration since 1970, of any unit.
  template <class Count, class Period>
  constexpr wall_time(std::chrono::duration<Count, Period> const& since_1970) noexcept : duration{since_1970} {}
  /// From std::chrono::system_clock, of any unit.
  template <class Duration>
  constexpr wall_time(std::chrono::sys_time<Duration> t) noexcept : duration{t.time_since_epoch()} {}
  wall_time(boot_time const&) = delete;  ///< the clocks are mixed up
};

/// One reading of both clocks, taken at the same moment.
///
/// Every decision of the limiter takes an instant as an argument, so a decision is a pure function of state and
/// time, and tests need no sleep. Minute periods, strikes and bans are measured on `boot`; days and the times shown in
/// headers come from `wall`. The two have types of their own, so that one given for the other does not compile.
struct PETSTORE_EXPORT instant {
  boot_time boot;  ///< for periods, strikes, bans
  wall_time wall;  ///< for days, and for what clients are told

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
  return std::chrono::abs((one.wall - one.boot) - (other.wall - other.boot)) >= smallest_step;
}

/// `now()` at half the price, for whoever asks several hundred thousand times a second: the wall clock is what it was a
/// moment ago plus the time since, and is read again every millisecond. So a clock that is set is noticed a millisecond
/// late. One thread.
class PETSTORE_EXPORT frequent_clock {
 public:
  /// Reads one clock, in nanoseconds.
  using reader = std::chrono::nanoseconds (*)() noexcept;

  frequent_clock() noexcept;
  /// For tests and simulations: clocks of the caller's.
  frequent_clock(reader boot, reader wall) noexcept : read_boot_{boot}, read_wall_{wall} {}

  /// The time on both clocks.
  instant operator()() noexcept;

 private:
  reader read_boot_;
  reader read_wall_;
  std::chrono::nanoseconds wall_read_at_{std::chrono::hours{-1}};  ///< by the other clock, which is never below 0
  std::chrono::nanoseconds wall_minus_boot_{0};
};

}  // namespace petstore::limits
