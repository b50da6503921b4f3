// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "petstore/server/busy_keys.hpp"

namespace petstore::program {

struct key_rate {
  std::uint64_t key = 0;
  double per_second = 0;  ///< over the last minute or so: what is longer ago weighs less

  friend bool operator==(key_rate const&, key_rate const&) = default;
};

/// Rates of keys out of readings of what the threads counted. One thread.
class busiest {
 public:
  /// `counts`: of each thread, in the same order every time. `elapsed`: since the last reading. The first one is what
  /// the next is compared with.
  void observe(std::vector<std::vector<server::key_count>> const& counts, std::chrono::duration<double> elapsed);
  /// The first reading that follows stands alone again.
  void forget();

  /// The highest rates, highest first.
  std::vector<key_rate> top(std::size_t n) const;

 private:
  using place = std::pair<std::size_t, std::uint64_t>;  ///< thread and key
  std::map<place, server::key_count> last_;
  std::map<std::uint64_t, double> weighed_;  ///< requests of each key
  double seconds_ = 0;                       ///< weighed as they are
  bool has_last_ = false;
};

}  // namespace petstore::program
