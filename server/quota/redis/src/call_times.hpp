// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "petstore/quota/redis.hpp"

namespace petstore::quota {

/// A histogram of the durations of answered calls. One thread writes it, so counting needs no locked operation; any
/// thread may read it.
class call_times {
 public:
  void note(std::chrono::nanoseconds took) noexcept {
    auto const us = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
    auto const bucket = std::ranges::lower_bound(ports::quota_call_bounds_us, us) - ports::quota_call_bounds_us.begin();
    add(buckets_[static_cast<std::size_t>(bucket)], 1);
    add(sum_ns_, static_cast<std::uint64_t>(took.count()));
  }

  void tell(ports::shared_quota_figures& out) const noexcept {
    for (std::size_t i = 0; i < buckets_.size(); ++i) out.call_times[i] = buckets_[i].load(std::memory_order_relaxed);
    out.call_times_sum_ns = sum_ns_.load(std::memory_order_relaxed);
  }

 private:
  using counter = std::atomic<std::uint64_t>;
  static void add(counter& c, std::uint64_t n) noexcept {
    c.store(c.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }

  std::array<counter, ports::quota_call_bounds_us.size() + 1> buckets_{};
  counter sum_ns_{0};
};

}  // namespace petstore::quota
