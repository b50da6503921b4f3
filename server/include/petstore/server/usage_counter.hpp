// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "petstore/export.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/verdict.hpp"
#include "petstore/ports/key_usage.hpp"

namespace petstore::server {

/// The requests of every key, by the UTC day of their time. Counts are exact, unlike those of `busy_keys`.
///
/// Thread safety: `count` on one thread; `take` on any other thread, one call at a time. Neither waits. Entries are in
/// blocks, which form a list, the newest first.
/// 1. Only `count` adds blocks and entries and changes their counts. It publishes a block through `newest_`, and an
///    entry through `block::used`, each with a release.
/// 2. `count` finds entries of the latest day and of the day before it, for requests that end after midnight. When a
///    later day begins, a new period begins with a new block, and all entries but those of the period before are
///    forgotten. So once `take` sees a block of a period, those of two periods earlier do not change any more, and
///    `take` removes them.
/// 3. `block::older` and what an entry says about what was taken belong to `take` once the block is published.
class PETSTORE_EXPORT usage_counter {
 public:
  usage_counter() = default;
  ~usage_counter();
  usage_counter(usage_counter const&) = delete;
  usage_counter& operator=(usage_counter const&) = delete;

  /// Counts a request. `key` is not 0. It allocates only for the first request of a key on a day; when there is no
  /// memory for that, it does not count the request.
  void count(std::uint64_t key, limits::decision d, limits::wall_time now) noexcept {
    bool const is_today = now >= day_begin_ && now - day_begin_ < std::chrono::days{1};
    if (auto* const found = is_today ? today_.find(key) : nullptr) {
      bump(*found, d, now);
    } else {
      count_first(key, d, now);
    }
  }

  /// Appends what was counted since the last call, in no particular order. A key may be there twice, for two days.
  void take(std::vector<ports::usage_of_key>& into);

 private:
  /// One cache line.
  struct alignas(64) entry {
    std::uint64_t key = 0;
    std::chrono::sys_days day;
    std::atomic<std::uint64_t> admitted{0};
    std::atomic<std::uint64_t> refused{0};
    std::atomic<limits::wall_time::rep> last_used{0};
    std::uint64_t admitted_taken = 0;
    std::uint64_t refused_taken = 0;
    limits::wall_time::rep last_used_taken = 0;
  };
  struct block {
    std::uint64_t period = 0;
    block* older = nullptr;
    std::atomic<std::size_t> used{0};
    std::array<entry, 64> entries;
  };
  /// The entries of a day, by key. Open addressing, at most half full.
  class index {
   public:
    entry* find(std::uint64_t key) const noexcept {
      if (slots_.empty()) return nullptr;
      for (auto i = first_slot(key);; i = next(i)) {
        auto const& s = slots_[i];
        if (s.key == key) return s.counts;
        if (s.key == 0) return nullptr;
      }
    }
    /// Makes a slot free for one more.
    void reserve_one();
    /// There must be a free slot, and no entry of that key.
    void add(entry&) noexcept;
    void clear() noexcept;

   private:
    struct slot {
      std::uint64_t key = 0;  ///< 0: free
      entry* counts = nullptr;
    };
    std::size_t first_slot(std::uint64_t key) const noexcept { return (key * 0x9e37'79b9'7f4a'7c15ULL) >> shift_; }
    std::size_t next(std::size_t i) const noexcept { return (i + 1) & (slots_.size() - 1); }

    std::vector<slot> slots_;  ///< a power of two, or none
    std::size_t used_ = 0;
    unsigned shift_ = 0;  ///< 64 minus the logarithm of the number of slots
  };

  static void bump(entry& e, limits::decision d, limits::wall_time now) noexcept {
    auto const add_one = [](std::atomic<std::uint64_t>& c) {
      c.store(c.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    };
    if (d == limits::decision::admitted) add_one(e.admitted);
    if (d == limits::decision::rate_limited || d == limits::decision::banned) add_one(e.refused);
    e.last_used.store(now.time_since_epoch().count(), std::memory_order_relaxed);
  }
  void count_first(std::uint64_t key, limits::decision, limits::wall_time) noexcept;
  /// Returns the index of that day, which may begin a period.
  index& index_of(std::chrono::sys_days);
  entry& add(std::uint64_t key, std::chrono::sys_days, index&);
  void add_block(std::uint64_t period);
  static void take_from(block&, std::vector<ports::usage_of_key>& into);
  static void remove(block* first) noexcept;

  // Only the thread that counts uses these.
  limits::wall_time day_begin_ = limits::wall_time::max();  ///< of `today_`; the maximum: no request was counted yet
  std::uint64_t period_ = 0;
  index today_;
  index day_before_;

  std::atomic<block*> newest_{nullptr};
};

}  // namespace petstore::server
