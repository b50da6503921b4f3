// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>

namespace petstore::server {

using steady_time = std::chrono::steady_clock::time_point;

/// Returns the time limit, or a year if that is shorter. A host may set milliseconds::max() where it wants no time
/// limit; in the unit of the clock, that would overflow. Any thread.
constexpr std::chrono::milliseconds at_most_a_year(std::chrono::milliseconds limit) noexcept {
  return std::min<std::chrono::milliseconds>(limit, std::chrono::years{1});
}

/// Returns the end of a time limit that begins at `from`, or now. Any thread.
constexpr steady_time deadline_after(std::chrono::milliseconds limit, steady_time from) noexcept {
  return from + at_most_a_year(limit);
}
inline steady_time deadline_after(std::chrono::milliseconds limit) noexcept {
  return deadline_after(limit, std::chrono::steady_clock::now());
}

}  // namespace petstore::server
