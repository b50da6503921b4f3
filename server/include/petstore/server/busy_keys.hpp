// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "petstore/export.hpp"

namespace petstore::server {

/// The number of requests of a key. The difference of `count` between two readings with the same `floor` is exact.
struct PETSTORE_EXPORT key_count {
  std::uint64_t key = 0;    ///< the number of the key
  std::uint64_t count = 0;  ///< an upper bound of its requests
  std::uint64_t floor = 0;  ///< the count inherited with the entry: since then the key made `count - floor` requests

  friend bool operator==(key_count const&, key_count const&) = default;
};

/// The keys with the most requests, in bounded memory and time for any number of keys. The algorithm is Space-Saving
/// (Metwally, Agrawal, El Abbadi, "Efficient computation of frequent and top-k elements in data streams", 2005) in sets
/// of four entries, like a processor cache, so that counting reads one cache line. A key without an entry replaces the
/// rarest key of its set and inherits its count. So no count is too low, and none is too high by more than a quarter of
/// what its set has counted. A key with more than a quarter of its set's requests is certain to have an entry.
///
/// Thread safety: `count` on one thread; `collect` on any thread, racily: an entry that changes its key meanwhile is
/// left out.
class alignas(64) PETSTORE_EXPORT busy_keys {
 public:
  /// @{
  /// The size of the sketch: the number of sets, and of keys in each; 256 keys in all.
  static constexpr std::size_t set_count = 64;
  static constexpr std::size_t ways = 4;
  /// @}

  /// `key` is not 0.
  void count(std::uint64_t key) noexcept {
    auto& s = sets_[(key * 0x9e37'79b9'7f4a'7c15ULL) >> 58];
    for (std::size_t i = 0; i < ways; ++i)
      if (s.keys[i].load(std::memory_order_relaxed) == key) return bump(s.counts[i]);
    replace_rarest(s, key);
  }

  /// Appends all keys that have an entry, in no particular order.
  void collect(std::vector<key_count>& into) const;

 private:
  using word = std::atomic<std::uint64_t>;
  struct alignas(64) set {
    std::array<word, ways> keys{};  ///< 0: the entry is free
    std::array<word, ways> counts{};
    std::array<word, ways> floors{};  ///< on the next line, which counting does not touch
  };
  static_assert(set_count == std::size_t{1} << (64 - 58));

  /// A release, so that a reader that sees the count also sees that the entry has changed its key before.
  static void bump(word& w) noexcept { w.store(w.load(std::memory_order_relaxed) + 1, std::memory_order_release); }
  static void replace_rarest(set&, std::uint64_t key) noexcept;

  std::array<set, set_count> sets_{};
};

}  // namespace petstore::server
