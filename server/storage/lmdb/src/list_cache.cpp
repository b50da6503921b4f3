// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "list_cache.hpp"

#include <algorithm>
#include <utility>

namespace petstore::storage::lmdb {
namespace {

/// Two queries with the same hash only share their place among those that were asked last. Never 0.
std::uint64_t hash_of(list_query const& q) noexcept {
  std::uint64_t hash = 0;
  auto const add = [&hash](std::uint64_t number) { hash = (hash ^ number) * 0x9E37'79B9'7F4A'7C15 ^ hash >> 29; };
  add(static_cast<std::uint64_t>(q.kind) << 32 | q.limit);
  add(static_cast<std::uint64_t>(q.after));
  add(bits_of(q.filters));
  for (auto const& value : q.filters) add(static_cast<std::uint64_t>(value.value_or(0)));
  return hash | 1;
}

}  // namespace

list_cache::kept_list const* list_cache::find(list_query const& q) noexcept {
  for (auto& kept : lists_) {
    if (kept.last_use == 0 || kept.query != q) continue;
    kept.last_use = ++uses_;
    return &kept;
  }
  return nullptr;
}

void list_cache::offer(list_query const& q, ports::page_end end, std::string_view json) {
  if (json.size() > list_bytes_max) return;
  auto const hash = hash_of(q);
  auto& asked = asked_[hash >> 58];
  if (std::exchange(asked, hash) != hash) return;
  auto& kept = *std::ranges::min_element(lists_, {}, &kept_list::last_use);
  kept.last_use = 0;
  kept.json.assign(json);
  kept.query = q;
  kept.end = end;
  kept.last_use = ++uses_;
}

void list_cache::clear() noexcept {
  for (auto& kept : lists_) kept.last_use = 0;
}

}  // namespace petstore::storage::lmdb
