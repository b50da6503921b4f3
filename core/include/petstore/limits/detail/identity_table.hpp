// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "petstore/limits/account.hpp"
#include "petstore/limits/instant.hpp"

namespace petstore::limits::detail {

/// Key types that only refer to other memory: a table that copies such a key does not copy what it refers to.
template <class Key>
inline constexpr bool points_elsewhere = std::is_pointer_v<Key>;
template <class Char, class Traits>
inline constexpr bool points_elsewhere<std::basic_string_view<Char, Traits>> = true;
template <class Element, std::size_t Extent>
inline constexpr bool points_elsewhere<std::span<Element, Extent>> = true;
template <class Referred>
inline constexpr bool points_elsewhere<std::reference_wrapper<Referred>> = true;

/// Whether looking for it finds no other key. A number that becomes the key must not be cut: it would be that of
/// somebody else. A sign may change.
template <class Lookup, class Key>
concept stays_distinct_as = !std::is_arithmetic_v<Key> || requires(Lookup const& key) {
  Key{key};
}
|| (std::integral<Lookup> && std::integral<Key> && !std::same_as<Key, bool> && sizeof(Lookup) <= sizeof(Key));

/// The hash table behind `limiter`: accounts by key. It never grows.
///
/// Thread safety: any member from any thread. A thread that finds a key takes no lock: two atomic additions mark the
/// entry as in use. Making or evicting an entry takes the mutex of one of up to 64 parts.
///
/// Invariants:
///  1. The key, and the account as a whole, are replaced only while `users` is exactly `changing`, which a swap from 0
///     sets. So a thread that has added itself to `users` and found no `changing` there has an entry that does not
///     change until the thread leaves.
///  2. Entries are linked, unlinked and reused under the mutex of their part. A search without the mutex may be led
///     into another chain; then it finds nothing, and the thread searches again under the mutex.
///  3. Only an account that is forgettable under every plan is evicted. This is checked when no thread can charge it
///  any more.
template <class Key, class Hash, class Equal>
class identity_table {
  static_assert(std::is_copy_constructible_v<Key> && std::is_nothrow_move_constructible_v<Key>,
                "a limiter keeps copies of its keys, and moves them without failing");
  static_assert(
      !points_elsewhere<Key>,
      "a limiter keeps its keys for longer than what a pointer or a view points to: let it keep a std::string, "
      "or a number");

  struct entry {
    limits::account account;
    std::atomic<std::uint32_t> users{0};
    std::atomic<std::uint32_t> next{none};
    std::atomic<std::uint64_t> hash{0};
    std::optional<Key> key;
  };

 public:
  /// Longer chains are neither searched nor made. This bounds the cost of keys that were chosen to collide.
  static constexpr int chain_length_max = 32;

  /// Keeps an entry from being evicted or reused; may be empty.
  class use {
   public:
    use() = default;
    use(use&& other) noexcept : entry_{std::exchange(other.entry_, nullptr)} {}
    use& operator=(use&& other) noexcept {
      std::swap(entry_, other.entry_);
      return *this;
    }
    ~use() {
      if (entry_ != nullptr) entry_->users.fetch_sub(1, std::memory_order_release);
    }
    explicit operator bool() const noexcept { return entry_ != nullptr; }
    limits::account& account() const noexcept { return entry_->account; }

   private:
    friend identity_table;
    explicit use(entry* e) noexcept : entry_{e} {}
    entry* entry_ = nullptr;
  };

  identity_table(std::size_t capacity_max, Hash hash, Equal equal)
      : hash_(std::move(hash)), equal_(std::move(equal)), overflow_(overflow_accounts) {
    std::size_t const capacity = std::bit_ceil(std::clamp<std::size_t>(capacity_max, 1, capacity_limit));
    std::size_t const count = std::clamp<std::size_t>(capacity / part_entries_min, 1, parts_max);
    parts_ = std::vector<part>(count);
    for (part& p : parts_) p.set_capacity(capacity / count);
  }

  /// std::hash of a number is the number itself, so its bits are spread here.
  template <class Lookup>
  std::uint64_t hash_of(Lookup const& key) const {
    static_assert(
        std::is_invocable_v<Hash const&, Lookup const&> &&
            std::is_invocable_r_v<bool, Equal const&, Key const&, Lookup const&>,
        "to look for something else than a Key, a limiter needs a Hash and an Equal that take it: transparent "
        "ones, as std::equal_to<> is");
    static_assert(stays_distinct_as<Lookup, Key>, "a number that the key cannot hold would be that of another key");
    std::uint64_t x = static_cast<std::uint64_t>(hash_(key)) + 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
  }

  /// May also return none while another thread changes the table; the functions that take the mutex do not.
  template <class Lookup>
  use find(Lookup const& key, std::uint64_t hash) const {
    part const& p = part_of(hash);
    std::uint32_t i = p.chain(hash).load(std::memory_order_acquire);
    for (int steps = 0; i != none && steps < chain_length_max; ++steps) {
      entry& e = p.entries[i];
      if (e.hash.load(std::memory_order_relaxed) == hash) {
        use u = enter(e);
        if (u && e.hash.load(std::memory_order_relaxed) == hash && equal_(*e.key, key)) return u;
      }
      i = e.next.load(std::memory_order_acquire);
    }
    return {};
  }

  template <class Lookup>
  use find_for_certain(Lookup const& key, std::uint64_t hash) const {
    if (use u = find(key, hash)) return u;
    part const& p = part_of(hash);
    std::lock_guard const lock(p.mutex);
    return search(p, key, hash).first;
  }

  /// Returns none if the table is full. A new account is passed to `begin` before other threads can find it.
  template <class Lookup, class Begin>
  use find_or_make(Lookup const& key, std::uint64_t hash, instant now, Begin begin) {
    part& p = part_of(hash);
    std::lock_guard const lock(p.mutex);
    auto [found, chain_length] = search(p, key, hash);
    if (found) return std::move(found);
    if (chain_length >= chain_length_max) return {};

    static_assert(std::is_constructible_v<Key, Lookup const&>, "a limiter makes its keys of what is looked for");
    Key copy(key);
    std::uint32_t const i = p.made < p.capacity ? p.take_unused() : evict(p, now);
    if (i == none) return {};
    entry& made = p.entries[i];
    made.key.emplace(std::move(copy));
    begin(made.account);
    made.hash.store(hash, std::memory_order_relaxed);
    made.next.store(p.chain(hash).load(std::memory_order_relaxed), std::memory_order_relaxed);
    p.chain(hash).store(i, std::memory_order_release);
    made.users.fetch_sub(changing - 1, std::memory_order_release);  // from now on the caller uses it
    return use{&made};
  }

  /// Whether `find_or_make` would make an entry now for a key without one.
  template <class Lookup>
  bool can_add(Lookup const& key, std::uint64_t hash, instant now) const {
    part const& p = part_of(hash);
    std::lock_guard const lock(p.mutex);
    if (search(p, key, hash).second >= chain_length_max) return false;
    if (p.made < p.capacity) return true;
    if (now.boot < p.look_again) return false;
    for (std::uint32_t tries = 0; tries < eviction_tries; ++tries) {
      entry const& e = p.entries[(p.hand + tries) % p.made];
      if (e.users.load(std::memory_order_acquire) == 0 && e.account.forgettable(now)) return true;
    }
    return false;
  }

  account& overflow_of(std::uint64_t hash) const noexcept { return overflow_[hash % overflow_.size()]; }

  /// Visits every entry that cannot be forgotten, one part after the other; it reads keys and accounts under the mutex
  /// of the part.
  template <class Visit>
  void for_each(instant now, Visit visit) const {
    for (part const& p : parts_) {
      std::lock_guard const lock(p.mutex);
      for (std::uint32_t i = 0; i < p.made; ++i)
        if (entry const& e = p.entries[i]; !e.account.forgettable(now) || e.account.remembers_bans(now))
          visit(*e.key, std::as_const(e.account));
    }
  }

  std::size_t size() const noexcept {
    std::size_t count = 0;
    for (part const& p : parts_) {
      std::lock_guard const lock(p.mutex);
      count += p.made;
    }
    return count;
  }
  std::uint64_t evicted() const noexcept { return evicted_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::uint32_t changing = std::uint32_t{1} << 31;
  static constexpr std::size_t capacity_limit = std::size_t{1} << 28;
  static constexpr std::size_t parts_max = 64;
  static constexpr std::size_t part_entries_min = 256;
  static constexpr std::size_t overflow_accounts = 256;
  /// The number of entries that are tried for an eviction, which bounds the cost of many new keys; the next eviction
  /// tries the entries after them. A part that found none does not try again for a moment.
  static constexpr std::uint32_t eviction_tries = 8;
  static constexpr std::chrono::nanoseconds pause_after_full = std::chrono::milliseconds{1};

  struct part {
    void set_capacity(std::size_t n) {
      capacity = static_cast<std::uint32_t>(n);
      entries = std::make_unique<entry[]>(n);
      chains = std::vector<std::atomic<std::uint32_t>>(n);
      for (auto& c : chains) c.store(none, std::memory_order_relaxed);
    }
    // The low bits of a hash choose the part, the high bits the chain.
    std::atomic<std::uint32_t>& chain(std::uint64_t hash) const { return chains[(hash >> 32) & (chains.size() - 1)]; }
    std::uint32_t take_unused() {
      entries[made].users.store(changing, std::memory_order_relaxed);
      return made++;
    }

    std::mutex mutable mutex;
    std::uint32_t capacity = 0;
    std::unique_ptr<entry[]> entries;
    std::vector<std::atomic<std::uint32_t>> mutable chains;
    // Under the mutex.
    std::uint32_t made = 0;
    std::uint32_t hand = 0;  ///< where the next eviction begins
    boot_time look_again = boot_time::min();
  };

  part& part_of(std::uint64_t hash) { return parts_[hash & (parts_.size() - 1)]; }
  part const& part_of(std::uint64_t hash) const { return parts_[hash & (parts_.size() - 1)]; }

  static use enter(entry& e) noexcept {
    if ((e.users.fetch_add(1, std::memory_order_acquire) & changing) == 0) return use{&e};
    e.users.fetch_sub(1, std::memory_order_relaxed);
    return {};
  }

  /// Call it under the mutex of the part, so that no entry is `changing`. If the key has no entry, the second value is
  /// the length of the chain.
  template <class Lookup>
  std::pair<use, int> search(part const& p, Lookup const& key, std::uint64_t hash) const {
    int length = 0;
    for (std::uint32_t i = p.chain(hash).load(std::memory_order_relaxed); i != none; ++length) {
      entry& e = p.entries[i];
      if (e.hash.load(std::memory_order_relaxed) == hash && equal_(*e.key, key)) return {enter(e), length};
      i = e.next.load(std::memory_order_relaxed);
    }
    return {use{}, length};
  }

  /// Returns an entry that is `changing` and in no chain.
  std::uint32_t evict(part& p, instant now) {
    if (now.boot < p.look_again) return none;
    for (std::uint32_t tries = 0; tries < eviction_tries; ++tries) {
      std::uint32_t const i = p.hand;
      p.hand = (p.hand + 1) % p.made;
      entry& e = p.entries[i];
      std::uint32_t unused = 0;
      if (!e.users.compare_exchange_strong(unused, changing, std::memory_order_acquire)) continue;
      if (!e.account.forgettable(now)) {  // invariant 3
        e.users.fetch_sub(changing, std::memory_order_release);
        continue;
      }
      std::atomic<std::uint32_t>* link = &p.chain(e.hash.load(std::memory_order_relaxed));
      while (link->load(std::memory_order_relaxed) != i) link = &p.entries[link->load(std::memory_order_relaxed)].next;
      link->store(e.next.load(std::memory_order_relaxed), std::memory_order_release);
      std::destroy_at(&e.account);
      std::construct_at(&e.account);
      evicted_.fetch_add(1, std::memory_order_relaxed);
      return i;
    }
    p.look_again = now.boot + pause_after_full;
    return none;
  }

  Hash hash_;
  Equal equal_;
  std::vector<part> parts_;
  std::vector<account> mutable overflow_;
  std::atomic<std::uint64_t> evicted_{0};
};

}  // namespace petstore::limits::detail
