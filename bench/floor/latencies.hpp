// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace petstore::bench {

/// Counts durations in classes that are 1/32 of their value wide, so that adding one costs nothing worth measuring and
/// a quantile is at most 3 % too high.
class latencies {
 public:
  void add(std::chrono::nanoseconds latency) noexcept {
    auto const n = latency.count() > 0 ? static_cast<std::uint64_t>(latency.count()) : 0;
    ++counts_[class_of(n)];
    ++total_;
  }

  /// The upper end of the class in which the share `q` of all durations is reached; zero when there are none.
  std::chrono::nanoseconds quantile(double q) const noexcept {
    auto const wanted = static_cast<double>(total_) * q;
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (counts_[i] > 0 && static_cast<double>(seen) >= wanted) return std::chrono::nanoseconds(upper_end(i));
    }
    return {};
  }

 private:
  static constexpr int fine_bits = 5;
  static constexpr std::uint64_t fine = 1U << fine_bits;

  /// Below 32 each number has a class of its own; above, each power of two has 32.
  static std::size_t class_of(std::uint64_t n) noexcept {
    if (n < fine) return n;
    auto const shift = static_cast<unsigned>(std::bit_width(n)) - fine_bits - 1;
    return shift * fine + (n >> shift);
  }
  static std::int64_t upper_end(std::size_t i) noexcept {
    if (i < fine) return static_cast<std::int64_t>(i);
    auto const shift = i / fine - 1;
    return static_cast<std::int64_t>((((i % fine) + fine + 1) << shift) - 1);
  }

  std::array<std::uint64_t, (64 - fine_bits) * fine> counts_{};
  std::uint64_t total_ = 0;
};

}  // namespace petstore::bench
