// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "petstore/export.hpp"
#include "petstore/limits/address.hpp"

namespace petstore::limits {

/// Returns 64 unpredictable bits, different each time, from std::random_device, whose exceptions it throws.
/// Thread-safe.
[[nodiscard]] PETSTORE_EXPORT std::uint64_t random_seed();

/// SipHash-1-3 of an address or of text: without the key, an attacker cannot choose ones with colliding hashes. For
/// keys of a `limiter` that clients choose:
///
///     limits::limiter<std::string, limits::keyed_hash, std::equal_to<>> quota{
///         {.plan = {limits::per_minute(60)}}, limits::keyed_hash{limits::random_seed()}};
///
/// A std::string_view then finds a std::string.
class PETSTORE_EXPORT keyed_hash {
  /// Up to eight bytes from `begin` on, the lowest first. In constant expressions, clang takes no template that stands
  /// below its use.
  template <class Bytes>
  static constexpr std::uint64_t block_of(Bytes const& bytes, std::size_t begin, std::size_t count) noexcept {
    std::uint64_t block = 0;
    for (std::size_t i = count; i-- > 0;) block = block << 8 | static_cast<unsigned char>(bytes[begin + i]);
    return block;
  }

 public:
  /// Derives both halves of the key from `seed`, which must be unpredictable (random_seed, or a stored secret).
  explicit constexpr keyed_hash(std::uint64_t seed) noexcept : key_{spread(seed), spread(seed + 1)} {}

  /// Returns 64 evenly distributed bits. Allocates nothing.
  constexpr std::uint64_t operator()(address const& a) const noexcept {
    state v = begin();
    absorb(v, block_of(a.bytes, 0, 8));
    absorb(v, block_of(a.bytes, 8, 8));
    return finish(v, std::uint64_t{sizeof a.bytes} << 56);
  }
  /// The same for text of any length.
  constexpr std::uint64_t operator()(std::string_view text) const noexcept {
    state v = begin();
    std::size_t at = 0;
    for (; text.size() - at >= 8; at += 8) absorb(v, block_of(text, at, 8));
    return finish(v, block_of(text, at, text.size() - at) | std::uint64_t{text.size()} << 56);
  }
  /// Returns the hash as an identity, for a program that knows its callers by name: never 0. With the same seed (a
  /// stored secret) a name is the same number again, after a restart and on every node. Two of n names share one, and
  /// so a quota, with a probability of n²/2^65: one in a million for six million names.
  constexpr std::uint64_t identity_of(std::string_view name) const noexcept {
    auto const hash = (*this)(name);
    return hash != 0 ? hash : 1;
  }

 private:
  using state = std::array<std::uint64_t, 4>;

  constexpr state begin() const noexcept {
    return {key_[0] ^ 0x736f6d6570736575, key_[1] ^ 0x646f72616e646f6d, key_[0] ^ 0x6c7967656e657261,
            key_[1] ^ 0x7465646279746573};
  }
  static constexpr void absorb(state& v, std::uint64_t block) noexcept {
    v[3] ^= block;
    round(v);
    v[0] ^= block;
  }
  /// The last block has the length in its highest byte.
  static constexpr std::uint64_t finish(state& v, std::uint64_t last_block) noexcept {
    absorb(v, last_block);
    v[2] ^= 0xff;
    for (int i = 0; i < 3; ++i) round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
  }
  static constexpr void round(state& v) noexcept {
    v[0] += v[1], v[1] = std::rotl(v[1], 13) ^ v[0], v[0] = std::rotl(v[0], 32);
    v[2] += v[3], v[3] = std::rotl(v[3], 16) ^ v[2];
    v[0] += v[3], v[3] = std::rotl(v[3], 21) ^ v[0];
    v[2] += v[1], v[1] = std::rotl(v[1], 17) ^ v[2], v[2] = std::rotl(v[2], 32);
  }
  /// Derives a half of the key.
  static constexpr std::uint64_t spread(std::uint64_t x) noexcept {
    x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 29) * 0x94d049bb133111eb;
    return x ^ x >> 32;
  }

  std::array<std::uint64_t, 2> key_;
};

}  // namespace petstore::limits
