// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>

#include "petstore/limits/instant.hpp"

namespace petstore::tests {

inline constexpr std::int64_t noon_unix_s = 1'780'315'200;  ///< 2026-06-01T12:00:00Z
inline constexpr std::int64_t midnight_unix_s = noon_unix_s + 12 * 3'600;

/// A clock that moves only when a test moves it. It begins at noon, 1,000 s after the start of the machine. One thread.
struct virtual_clock {
  static constexpr limits::instant start{.boot = limits::boot_time{std::chrono::seconds{1'000}},
                                         .wall = limits::wall_time{std::chrono::seconds{noon_unix_s}}};

  limits::instant now = start;

  limits::instant pass(std::chrono::nanoseconds time) { return now = later(time); }
  limits::instant later(std::chrono::nanoseconds time) const { return {now.boot + time, now.wall + time}; }
};

}  // namespace petstore::tests
