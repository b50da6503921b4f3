// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>

namespace petstore::storage::postgres {

/// Returns how long to wait before attempt number `failures` + 1. The time doubles from `first` to `longest`; a part
/// between a half and the whole of it is used, chosen by `chance` in [0, 1), so that nodes that lost the same server do
/// not return at the same time.
inline std::chrono::milliseconds back_off(unsigned failures, std::chrono::milliseconds first,
                                          std::chrono::milliseconds longest, double chance) noexcept {
  auto const doublings = std::min(failures == 0 ? 0u : failures - 1, 20u);
  auto const whole = std::min<std::chrono::milliseconds::rep>(longest.count(), first.count() << doublings);
  return std::chrono::milliseconds{
      whole / 2 + static_cast<std::chrono::milliseconds::rep>(static_cast<double>(whole - whole / 2) * chance)};
}

}  // namespace petstore::storage::postgres
