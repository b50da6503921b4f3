// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "address_quotas.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "petstore/hex.hpp"

namespace petstore::quota {
namespace {

constexpr std::size_t shard_count = address_quotas::parts - 1;
constexpr std::size_t overflow_count = 256;
/// The number of least recently used entries that are tried for eviction. It bounds the cost of a flood.
constexpr int eviction_tries = 8;

std::optional<limits::address> address_in(std::string_view digits) {
  limits::address a;
  if (digits.size() != 2 * a.bytes.size()) return std::nullopt;
  for (std::size_t i = 0; i < a.bytes.size(); ++i) {
    int const high = hex_value(digits[2 * i]);
    int const low = hex_value(digits[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    a.bytes[i] = static_cast<unsigned char>(high << 4 | low);
  }
  return a;
}

}  // namespace

struct address_quotas::entry {
  entry(std::string key, limits::address const& whose, shared_quota::owner owner)
      : quota(std::move(key), account, owner), address(whose) {}

  limits::account account;
  shared_quota quota;
  limits::address address;
};

struct address_quotas::shard {
  mutable std::mutex mutex;
  std::list<entry> entries;  // the most recently used one first
  std::unordered_map<limits::address, std::list<entry>::iterator, limits::keyed_hash> index;

  explicit shard(limits::keyed_hash hash) : index(0, hash) {}

  bool evict_one() {
    for (int tries = 0; tries < eviction_tries && !entries.empty(); ++tries) {
      auto const oldest = std::prev(entries.end());
      if (oldest->quota.pins.load(std::memory_order_acquire) == 0) {
        index.erase(oldest->address);
        entries.erase(oldest);
        return true;
      }
      entries.splice(entries.begin(), entries, oldest);
    }
    return false;
  }
};

address_quotas::address_quotas(std::size_t capacity_max, quota_names names)
    : shard_capacity_(std::max<std::size_t>(1, capacity_max / shard_count)),
      names_(std::move(names)),
      hash_(limits::random_seed()) {
  for (std::size_t i = 0; i < shard_count; ++i) shards_.push_back(std::make_unique<shard>(hash_));
}
address_quotas::~address_quotas() = default;

address_quotas::shard& address_quotas::shard_of(limits::address const& a) const {
  return *shards_[(hash_(a) >> 32) % shard_count];
}

shared_quota& address_quotas::pin(limits::address const& a) {
  shard& s = shard_of(a);
  {
    std::lock_guard const lock(s.mutex);
    auto const known = s.index.find(a);
    if (known != s.index.end()) {
      s.entries.splice(s.entries.begin(), s.entries, known->second);
    } else if (s.entries.size() < shard_capacity_ || s.evict_one()) {
      s.entries.emplace_front(names_.key_of(to_hex(a.bytes)), a, shared_quota::owner::address);
      s.index.emplace(a, s.entries.begin());
    } else {
      return overflow_of(a);
    }
    shared_quota& found = s.entries.front().quota;
    found.pins.fetch_add(1, std::memory_order_relaxed);
    return found;
  }
}

shared_quota* address_quotas::find_and_pin(limits::address const& a) {
  shard& s = shard_of(a);
  std::lock_guard const lock(s.mutex);
  auto const known = s.index.find(a);
  if (known == s.index.end()) return nullptr;
  known->second->quota.pins.fetch_add(1, std::memory_order_relaxed);
  return &known->second->quota;
}

shared_quota* address_quotas::find_and_pin(std::string_view key) {
  auto const name = names_.name_in(key);
  if (!name) return nullptr;
  if (auto const whose = address_in(*name)) return find_and_pin(*whose);
  std::lock_guard const lock(overflow_mutex_);
  for (auto& [number, shared] : overflow_) {
    if (shared->quota.key != key) continue;
    shared->quota.pins.fetch_add(1, std::memory_order_relaxed);
    return &shared->quota;
  }
  return nullptr;
}

/// Several addresses share an overflow quota, so its key has a number in place of an address.
shared_quota& address_quotas::overflow_of(limits::address const& a) {
  std::size_t const number = hash_(a) % overflow_count;
  std::lock_guard const lock(overflow_mutex_);
  auto& found = overflow_[number];
  if (!found)
    found =
        std::make_unique<entry>(names_.key_of("overflow-" + std::to_string(number)), a, shared_quota::owner::addresses);
  found->quota.pins.fetch_add(1, std::memory_order_relaxed);
  return found->quota;
}

std::vector<quota::pin> address_quotas::pin_part(std::size_t number) {
  std::vector<quota::pin> pinned;
  if (number == shard_count) {
    std::lock_guard const lock(overflow_mutex_);
    for (auto& [of_number, shared] : overflow_) pinned.emplace_back(shared->quota);
    return pinned;
  }
  shard& s = *shards_[number];
  std::lock_guard const lock(s.mutex);
  pinned.reserve(s.entries.size());
  for (entry& one : s.entries) pinned.emplace_back(one.quota);
  return pinned;
}

std::size_t address_quotas::size() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < shard_count; ++i) {
    std::lock_guard const lock(shards_[i]->mutex);
    count += shards_[i]->entries.size();
  }
  return count;
}

}  // namespace petstore::quota
