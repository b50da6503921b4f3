// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Random numbers that are the same for the same seed, on every machine and with every standard library (what
// <random>'s distributions make of an engine is not specified). Not for secrets.
//
// Thread safety: none; each worker has its own.
#pragma once

#include <array>
#include <cstdint>

namespace petstore::load {

/// xoshiro256** (D. Blackman, S. Vigna, "Scrambled Linear Pseudorandom Number Generators", 2021), seeded by splitmix64.
class chance {
 public:
  explicit chance(std::uint64_t seed) noexcept;

  std::uint64_t bits() noexcept;
  /// 0 to end - 1, each equally often; `end` is at least 1.
  std::uint64_t below(std::uint64_t end) noexcept;
  /// least to most, both included.
  std::int64_t between(std::int64_t least, std::int64_t most) noexcept;
  /// At least 0 and less than 1.
  double fraction() noexcept;

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace petstore::load
