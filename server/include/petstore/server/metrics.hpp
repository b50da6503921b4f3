// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "petstore/limits/verdict.hpp"

namespace petstore::server {

/// The number of operations that metrics tell apart: the router's table, then `other`.
inline constexpr std::size_t operation_count_max = 24;

/// Upper bounds of the latency histogram, in microseconds; above the last one is +Inf.
inline constexpr std::array<std::uint64_t, 14> latency_bounds_us{25,    50,    100,    250,    500,     1'000,   2'500,
                                                                 5'000, 10'000, 25'000, 50'000, 100'000, 500'000, 2'500'000};

/// The counters of one thread. Written by that thread alone (relaxed, no locked instruction), read racily by `collect`.
class alignas(64) metrics_shard {
 public:
  /// `operation` is the index in the router's table, operation_count_max - 1 for none.
  void count_request(std::size_t operation, unsigned status, std::chrono::nanoseconds duration) noexcept;
  void count_decision(limits::decision) noexcept;
  void count_protocol_refusal(unsigned status) noexcept;

 private:
  friend class metrics;
  using counter = std::atomic<std::uint64_t>;
  static void bump(counter& c, std::uint64_t by = 1) noexcept {
    c.store(c.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }

  std::array<std::array<counter, 6>, operation_count_max> requests_{};  ///< by status class, 0 = 1xx
  std::array<std::array<counter, latency_bounds_us.size() + 1>, operation_count_max> latency_{};
  std::array<counter, operation_count_max> latency_sum_ns_{};
  std::array<counter, 4> decisions_{};
  std::array<counter, 600> protocol_refusals_{};
};

/// The sum of all shards at one moment, for whoever renders it.
struct metrics_reading {
  struct operation {
    std::string name;
    std::array<std::uint64_t, 6> by_status_class{};
    std::array<std::uint64_t, latency_bounds_us.size() + 1> latency{};  ///< not cumulative
    std::uint64_t latency_sum_ns = 0;
  };
  std::vector<operation> operations;
  std::array<std::uint64_t, 4> decisions{};  ///< by limits::decision
  std::vector<std::pair<unsigned, std::uint64_t>> protocol_refusals;
};

/// All shards. `shard(i)` belongs to one thread; `collect` may be called from any.
class metrics {
 public:
  explicit metrics(std::size_t shards);
  metrics_shard& shard(std::size_t i) noexcept { return *shards_[i]; }
  std::size_t shard_count() const noexcept { return shards_.size(); }
  metrics_reading collect() const;

 private:
  std::vector<std::unique_ptr<metrics_shard>> shards_;
};

}  // namespace petstore::server
