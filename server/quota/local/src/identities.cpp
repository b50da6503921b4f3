// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "identities.hpp"

#include <utility>

namespace petstore::quota {

identities::identities(ports::current_bans const& bans, std::function<limits::instant()> clock)
    : bans_(bans), clock_(std::move(clock)) {}

void identities::restore_later(std::uint64_t identity, limits::saved_account const& saved) {
  shard_of(identity).saved.insert_or_assign(identity, saved);
}

limits::account& identities::account_of(std::uint64_t identity, limits::plan const& plan) {
  shard& s = shard_of(identity);
  std::lock_guard const lock(s.mutex);
  owner& found = find_or_make(s, identity, plan);
  found.plan = plan;
  return found.account;
}

limits::account& identities::account_of(std::uint64_t identity) {
  shard& s = shard_of(identity);
  std::lock_guard const lock(s.mutex);
  return find_or_make(s, identity, limits::plan{.per_minute = 1}).account;
}

identities::owner& identities::find_or_make(shard& s, std::uint64_t identity, limits::plan const& plan) {
  auto& neighbours = s.blocks[identity / block_size];
  if (!neighbours) neighbours = std::make_unique<block>();
  auto const offset = static_cast<std::size_t>(identity % block_size);
  owner& found = neighbours->owners[offset];
  if (neighbours->made[offset]) return found;
  neighbours->made[offset] = true;
  found.plan = plan;
  if (auto const saved = s.saved.find(identity); saved != s.saved.end()) {
    found.written = saved->second;
    found.account.restore(saved->second, plan, bans_.get(), clock_());
    s.saved.erase(saved);
  }
  return found;
}

void identities::for_each(std::function<void(std::uint64_t, owner&)> const& visit) {
  for (shard& s : shards_) {
    std::lock_guard const lock(s.mutex);
    for (auto& [number, neighbours] : s.blocks)
      for (std::size_t offset = 0; offset < block_size; ++offset)
        if (neighbours->made[offset]) visit(number * block_size + offset, neighbours->owners[offset]);
  }
}

}  // namespace petstore::quota
