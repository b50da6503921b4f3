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

}  // namespace petstore::limits
