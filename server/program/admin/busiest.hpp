// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "petstore/server/busy_keys.hpp"

namespace petstore::program {

struct key_rate {
  std::uint64_t key = 0;
  double per_second = 0;  ///< averaged over about the last minute, with exponential decay

  friend bool operator==(key_rate const&, key_rate const&) = default;
};

/// Computes the request rates of keys from readings of the threads' counters. One thread.
class busiest {
 public:
  /// Adds a reading. `counts` has the counts of each thread, in the same order every time; `elapsed` is the time since
  /// the last reading. The first reading only gives the next one something to compare with.
  void observe(std::vector<std::vector<server::key_count>> const& counts, std::chrono::duration<double> elapsed);
  /// Forgets every reading; the next one is a first reading again.
  void forget();

  /// The highest rates, highest first.
  std::vector<key_rate> top(std::size_t n) const;

 private:
  using counter_id = std::pair<std::size_t, std::uint64_t>;  ///< thread and key
  std::optional<std::map<counter_id, server::key_count>> last_;
  std::map<std::uint64_t, double> weighed_;  ///< requests of each key, decayed
  double seconds_ = 0;                       ///< elapsed time, decayed in the same way
};

}  // namespace petstore::program
