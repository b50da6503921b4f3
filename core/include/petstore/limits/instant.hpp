// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>

namespace petstore::limits {

/// One reading of both clocks, taken at the same moment.
///
/// Every decision of the limiter takes an instant as an argument, so a decision is a pure function of state and
/// time, and tests need no sleep. `boot` never steps back and counts while the machine is suspended
/// (CLOCK_BOOTTIME): minute periods, strikes and bans are measured on it. `wall` is the wall clock (CLOCK_REALTIME,
/// since 1970-01-01T00:00:00Z): days and the times shown in headers come from it.
struct instant {
  std::chrono::nanoseconds boot;
  std::chrono::nanoseconds wall;
};

/// Reads CLOCK_BOOTTIME and CLOCK_REALTIME. Any thread.
instant now() noexcept;

/// `now()` at half the price, for whoever asks several hundred thousand times a second: the wall clock is what it was a
/// moment ago plus the time since, and is read again every millisecond. So a clock that is set is noticed a millisecond
/// late. One thread.
class frequent_clock {
 public:
  using reader = std::chrono::nanoseconds (*)() noexcept;

  frequent_clock() noexcept;
  frequent_clock(reader boot, reader wall) noexcept : read_boot_{boot}, read_wall_{wall} {}

  instant operator()() noexcept;

 private:
  reader read_boot_;
  reader read_wall_;
  std::chrono::nanoseconds wall_read_at_{std::chrono::hours{-1}};  ///< by the other clock, which is never below 0
  std::chrono::nanoseconds wall_minus_boot_{0};
};

}  // namespace petstore::limits
