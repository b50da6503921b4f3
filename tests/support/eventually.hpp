// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <concepts>
#include <thread>

#include "support/time_limit.hpp"

namespace petstore::tests {

/// Polls until the fact holds; false if that takes longer than the time limit. For facts that no event reports. Any
/// thread.
bool eventually(std::predicate auto&& fact) {
  auto const end = std::chrono::steady_clock::now() + time_limit;
  while (!fact()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
  }
  return true;
}

}  // namespace petstore::tests
