// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "identities.hpp"

#include <algorithm>
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
    first.newest = &s.renewed.emplace_back(identity);
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
  owner*& known = s.first_of[identity];
  if (known) return *known;
  known = &s.owners.emplace_back(identity);
  owner& first = *known;
  first.plan = plan;
  auto const saved = s.saved.extract(identity);
  first.resets = resets.value_or(saved ? saved.mapped().resets : 0);
  if (!saved || saved.mapped().resets < first.resets) return first;  // nothing was used since the last reset
  first.written = saved.mapped().account;
  first.account.restore(saved.mapped().account, plan, bans_.get(), clock_());
  return first;
}

void identities::for_each(std::function<void(std::uint64_t, owner&, limits::plan const&)> const& visit) {
  constexpr std::size_t at_a_time = 64;
  struct found {
    identities::owner* owner;
    limits::plan plan;
  };
  std::vector<found> some;
  some.reserve(at_a_time);
  for (shard& s : shards_) {
    for (std::size_t next = 0;; next += some.size()) {
      some.clear();
      {
        std::lock_guard const lock(s.mutex);
        auto const end = std::min(s.owners.size(), next + at_a_time);
        for (std::size_t i = next; i < end; ++i) {
          owner& newest = s.owners[i].now();
          some.push_back({&newest, newest.plan});
        }
      }
      if (some.empty()) break;
      for (found const& one : some) visit(one.owner->identity, *one.owner, one.plan);
    }
  }
}

}  // namespace petstore::quota
