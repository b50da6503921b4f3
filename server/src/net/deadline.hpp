// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>

namespace petstore::server {

using steady_time = std::chrono::steady_clock::time_point;

/// The same, but at most a year. A host may set milliseconds::max() where it wants no time limit; in the unit of the
/// clock it would overflow. Any thread.
constexpr std::chrono::milliseconds at_most_a_year(std::chrono::milliseconds time) noexcept {
  return std::min<std::chrono::milliseconds>(time, std::chrono::years{1});
}

/// The end of a time limit that begins at `from`. Any thread.
constexpr steady_time deadline_after(std::chrono::milliseconds limit, steady_time from) noexcept {
  return from + at_most_a_year(limit);
}
inline steady_time deadline_after(std::chrono::milliseconds limit) noexcept {
  return deadline_after(limit, std::chrono::steady_clock::now());
}

}  // namespace petstore::server
