// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "address_quotas.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "petstore/hex.hpp"

namespace petstore::quota {
namespace {

constexpr std::size_t overflow_count = 256;

std::optional<limits::address> address_in(std::string_view digits) {
  limits::address a;
  if (digits.size() != 2 * a.bytes.size()) return std::nullopt;
  for (std::size_t i = 0; i < a.bytes.size(); ++i) {
    int const byte = hex_value(digits[2 * i], digits[2 * i + 1]);
    if (byte < 0) return std::nullopt;
    a.bytes[i] = static_cast<unsigned char>(byte);
  }
  return a;
}

}  // namespace

address_quotas::address_quotas(std::size_t capacity_max, quota_names names)
    : names_(std::move(names)), hash_(limits::random_seed()) {
  std::size_t const of_a_shard = std::max<std::size_t>(1, capacity_max / shard_count);
  for (std::size_t i = 0; i < shard_count; ++i) shards_.push_back(std::make_unique<shard>(of_a_shard, hash_));
}

address_quotas::shard& address_quotas::shard_of(limits::address const& a) const {
  return *shards_[(hash_(a) >> 32) % shard_count];
}

quota::pin address_quotas::pin(limits::address const& a) {
  shard& s = shard_of(a);
  {
    std::lock_guard const lock(s.mutex);
    entry* found = s.table.use(a);
    if (!found) found = s.table.add(a, names_.key_of(to_hex(a.bytes)), a, shared_quota::owner::address);
    if (found) return quota::pin{found->quota};
  }
  return pin_overflow_of(a);
}

std::optional<quota::pin> address_quotas::find_and_pin(limits::address const& a) {
  shard& s = shard_of(a);
  std::lock_guard const lock(s.mutex);
  entry* const known = s.table.find(a);
  if (!known) return std::nullopt;
  return quota::pin{known->quota};
}

std::optional<quota::pin> address_quotas::find_and_pin(std::string_view key) {
  auto const name = names_.name_in(key);
  if (!name) return std::nullopt;
  if (auto const whose = address_in(*name)) return find_and_pin(*whose);
  std::lock_guard const lock(overflow_mutex_);
  for (auto& [number, shared] : overflow_)
    if (shared->quota.key == key) return quota::pin{shared->quota};
  return std::nullopt;
}

/// Several addresses share an overflow quota, so its key has a number in place of an address.
quota::pin address_quotas::pin_overflow_of(limits::address const& a) {
  std::size_t const number = hash_(a) % overflow_count;
  std::lock_guard const lock(overflow_mutex_);
  auto found = overflow_.find(number);
  if (found == overflow_.end()) {
    auto name = names_.key_of("overflow-" + std::to_string(number));
    auto made = std::make_unique<entry>(std::move(name), a, shared_quota::owner::addresses);
    found = overflow_.emplace(number, std::move(made)).first;
  }
  return quota::pin{found->second->quota};
}

std::vector<quota::pin> address_quotas::pin_overflow() {
  std::vector<quota::pin> pinned;
  std::lock_guard const lock(overflow_mutex_);
  for (auto& [number, shared] : overflow_) pinned.emplace_back(shared->quota);
  return pinned;
}

std::size_t address_quotas::size() const {
  std::size_t count = 0;
  for (auto const& s : shards_) count += s->size();
  return count;
}

}  // namespace petstore::quota
