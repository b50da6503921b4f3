// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <ostream>

#include "petstore/limits/instant.hpp"
#include "petstore/limits/notice.hpp"

namespace petstore::limits {

inline constexpr std::int64_t noon_unix_s = 1'780'315'200;  ///< 2026-06-01T12:00:00Z
inline constexpr std::int64_t midnight_unix_s = noon_unix_s + 12 * 3'600;

/// A clock that moves when a test says so. The machine has been up for 1,000 s and it is noon.
struct virtual_clock {
  instant now{.boot = boot_time{std::chrono::seconds{1'000}}, .wall = wall_time{std::chrono::seconds{noon_unix_s}}};

  instant pass(std::chrono::nanoseconds time) { return now = later(time); }
  instant later(std::chrono::nanoseconds time) const { return {now.boot + time, now.wall + time}; }
};

inline std::ostream& operator<<(std::ostream& out, decision d) {
  static constexpr char const* names[] = {"admitted", "rate_limited", "banned", "observed"};
  return out << names[static_cast<std::size_t>(d)];
}
inline std::ostream& operator<<(std::ostream& out, resource r) {
  return out << (r == resource::minute ? "minute" : "day");
}

}  // namespace petstore::limits
