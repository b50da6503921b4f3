// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/chance.hpp"

#include <bit>

namespace petstore::load {

chance::chance(std::uint64_t seed) noexcept {
  for (auto& word : state_) {  // splitmix64: no seed leads to the all-zero state, which xoshiro never leaves
    seed += 0x9e3779b97f4a7c15;
    auto z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    word = z ^ (z >> 31);
  }
}

std::uint64_t chance::bits() noexcept {
  auto const drawn = std::rotl(state_[1] * 5, 7) * 9;
  auto const shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return drawn;
}

std::uint64_t chance::below(std::uint64_t end) noexcept {
  // The first 2^64 mod end values would make small results more frequent than large ones.
  auto const unfair = (0 - end) % end;
  for (;;) {
    auto const drawn = bits();
    if (drawn >= unfair) return drawn % end;
  }
}

std::int64_t chance::between(std::int64_t least, std::int64_t most) noexcept {
  auto const width = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
  auto const drawn = width == UINT64_MAX ? bits() : below(width + 1);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(least) + drawn);
}

double chance::fraction() noexcept {
  return static_cast<double>(bits() >> 11) * 0x1p-53;
}

}  // namespace petstore::load
