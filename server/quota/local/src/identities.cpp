// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "identities.hpp"

#include <utility>
#include <vector>

namespace petstore::quota {

identities::identities(ports::current_bans const& bans, std::function<limits::instant()> clock)
    : bans_(bans), clock_(std::move(clock)) {}

void identities::restore_later(std::uint64_t identity, kept_quota const& kept) {
  shard_of(identity).saved.insert_or_assign(identity, kept);
}

limits::account& identities::account_of(std::uint64_t identity, limits::plan const& plan, std::uint64_t resets) {
  shard& s = shard_of(identity);
  std::lock_guard const lock(s.mutex);
  owner& first = find_or_make(s, identity, plan, resets);
  if (first.now().resets < resets) {
    first.newest = &s.renewed.emplace_back();
    first.newest->resets = resets;
  }
  first.now().plan = plan;
  return first.now().account;
}

limits::account& identities::account_of(std::uint64_t identity) {
  shard& s = shard_of(identity);
  std::lock_guard const lock(s.mutex);
  return find_or_make(s, identity, limits::plan{limits::per_minute(1)}, std::nullopt).now().account;
}

identities::owner& identities::find_or_make(shard& s, std::uint64_t identity, limits::plan const& plan,
                                            std::optional<std::uint64_t> resets) {
  block*& neighbours = s.block_numbered[identity / block_size];
  if (!neighbours) neighbours = &s.blocks.emplace_back(identity / block_size);
  auto const offset = static_cast<std::size_t>(identity % block_size);
  owner& first = neighbours->owners[offset];
  if (neighbours->made[offset]) return first;
  neighbours->made[offset] = true;
  first.plan = plan;
  auto const saved = s.saved.extract(identity);
  first.resets = resets.value_or(saved ? saved.mapped().resets : 0);
  if (!saved || saved.mapped().resets < first.resets) return first;  // nothing was used since the last reset
  first.written = saved.mapped().account;
  first.account.restore(saved.mapped().account, plan, bans_.get(), clock_());
  return first;
}

void identities::for_each(std::function<void(std::uint64_t, owner&, limits::plan const&)> const& visit) {
  struct found {
    std::uint64_t identity;
    identities::owner* owner;
    limits::plan plan;
  };
  std::vector<found> of_block;
  of_block.reserve(block_size);
  for (shard& s : shards_) {
    for (std::size_t next = 0, size = 1; next < size; ++next) {
      of_block.clear();
      {
        std::lock_guard const lock(s.mutex);
        size = s.blocks.size();
        if (next == size) break;  // there is none
        block& b = s.blocks[next];
        for (std::size_t offset = 0; offset < block_size; ++offset) {
          if (!b.made[offset]) continue;
          owner& newest = b.owners[offset].now();
          of_block.push_back({b.first + offset, &newest, newest.plan});
        }
      }
      for (found const& one : of_block) visit(one.identity, *one.owner, one.plan);
    }
  }
}

}  // namespace petstore::quota
