// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <iterator>
#include <list>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "shared_quota.hpp"

namespace petstore::quota {

/// Owners of shared quotas, in the order of their last use, and at most a number of them. The counts are on the server,
/// so an owner whose quota has no pin may be removed at any time, with the tokens that its lease holds: these count as
/// used until their period ends. A quota that has something to tell the server has a pin of the regular round, and one
/// that is asking has a pin of its call.
///
/// `Owner` has `key()`, and `find_quota()`, which is null before its first use.
///
/// Thread safety: none; its user has a mutex.
template <class Key, class Owner, class Hash = boost::hash<Key>>
class recent_quotas {
 public:
  explicit recent_quotas(std::size_t capacity_max, Hash const& hash = {})
      : capacity_max_(capacity_max), place_of_(0, hash) {}

  /// Null if there is none.
  Owner* find(Key const& key) {
    auto const known = place_of_.find(key);
    return known == place_of_.end() ? nullptr : &*known->second;
  }
  /// Finds an owner, which is now the most recently used one.
  Owner* use(Key const& key) {
    auto const known = place_of_.find(key);
    if (known == place_of_.end()) return nullptr;
    owners_.splice(owners_.begin(), owners_, known->second);
    return &owners_.front();
  }
  /// Makes an owner of this key, which has none. Null if there is no space, and none can be removed.
  template <class... Args>
  Owner* add(Key const& key, Args&&... args) {
    if (owners_.size() >= capacity_max_ && !remove_one()) return nullptr;
    std::list<Owner> made;
    made.emplace_front(std::forward<Args>(args)...);
    place_of_.emplace(key, made.begin());
    owners_.splice(owners_.begin(), made);
    return &owners_.front();
  }
  /// Takes an owner out of the table; it keeps its address. The list has at most this one.
  std::list<Owner> extract(Key const& key) {
    std::list<Owner> taken;
    auto const known = place_of_.find(key);
    if (known == place_of_.end()) return taken;
    taken.splice(taken.begin(), owners_, known->second);
    place_of_.erase(known);
    return taken;
  }

  /// The number of quotas that a walk may pin at a time: fewer than are tried to make space.
  static constexpr std::size_t walk_pins_max = 16;

  std::size_t size() const noexcept { return owners_.size(); }
  auto begin() const noexcept { return owners_.begin(); }
  auto end() const noexcept { return owners_.end(); }

 private:
  /// The number of least recently used owners that are tried for removal. It bounds the cost of a flood.
  static constexpr std::size_t tries_max = walk_pins_max + 8;

  /// Removes an owner without a pin: the least recently used one whose lease is empty, or else the least recently used
  /// one. Returns false if each that was tried has a pin; others are tried next time.
  bool remove_one() noexcept {
    auto chosen = owners_.end(), next = owners_.end();
    for (auto tries = std::min(tries_max, owners_.size()); tries > 0; --tries) {
      auto const one = std::prev(next);
      shared_quota const* const quota = one->find_quota();
      if (quota != nullptr && quota->pins.load(std::memory_order_acquire) != 0) {
        owners_.splice(owners_.begin(), owners_, one);
        continue;
      }
      next = one;
      bool const is_empty = quota == nullptr || quota->lease.tokens() == 0;
      if (is_empty || chosen == owners_.end()) chosen = one;
      if (is_empty) break;
    }
    if (chosen == owners_.end()) return false;
    place_of_.erase(chosen->key());
    owners_.erase(chosen);
    return true;
  }

  std::size_t const capacity_max_;
  std::list<Owner> owners_;  // the most recently used one first
  boost::unordered_flat_map<Key, typename std::list<Owner>::iterator, Hash> place_of_;
};

/// Recent quotas with the mutex of several threads, which whoever uses the table locks.
template <class Key, class Owner, class Hash = boost::hash<Key>>
struct recent_shard {
  explicit recent_shard(std::size_t capacity_max, Hash const& hash = {}) : table(capacity_max, hash) {}

  mutable std::mutex mutex;
  recent_quotas<Key, Owner, Hash> table;

  std::size_t size() const {
    std::lock_guard const lock(mutex);
    return table.size();
  }
  /// Visits the quotas that are there when it begins, and does not hold the mutex meanwhile. A few at a time are
  /// pinned, so there is space for newcomers.
  template <class Visit>
  void visit(Visit const& visit) {
    auto const keys = all_keys();
    for (std::span left{keys}; !left.empty();) {
      auto const next = left.first(std::min(left.size(), table.walk_pins_max));
      for (pin const& one : pin_those(next)) visit(*one);
      left = left.subspan(next.size());
    }
  }

 private:
  std::vector<Key> all_keys() const {
    std::vector<Key> keys;
    std::lock_guard const lock(mutex);
    keys.reserve(table.size());
    for (Owner const& one : table) keys.push_back(one.key());
    return keys;
  }
  std::vector<pin> pin_those(std::span<Key const> keys) {
    std::vector<pin> pinned;
    pinned.reserve(keys.size());
    std::lock_guard const lock(mutex);
    for (Key const& key : keys) {
      Owner* const known = table.find(key);
      if (shared_quota* const used = known ? known->find_quota() : nullptr) pinned.emplace_back(*used);
    }
    return pinned;
  }
};

}  // namespace petstore::quota
