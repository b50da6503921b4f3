// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/busy_keys.hpp"

namespace petstore::server {

/// A reader sees no key, or a different key at its second look, while an entry is replaced: every store to its count or
/// floor after clearing the key is a release, so the counts of the new key are not seen under the old one.
void busy_keys::replace_rarest(set& s, std::uint64_t key) noexcept {
  std::size_t rarest = 0;
  for (std::size_t i = 1; i < ways; ++i) {
    bool const is_rarer =
        s.counts[i].load(std::memory_order_relaxed) < s.counts[rarest].load(std::memory_order_relaxed);
    if (is_rarer) rarest = i;
  }
  auto const inherited = s.counts[rarest].load(std::memory_order_relaxed);
  s.keys[rarest].store(0, std::memory_order_relaxed);
  s.floors[rarest].store(inherited, std::memory_order_release);
  s.counts[rarest].store(inherited + 1, std::memory_order_release);
  s.keys[rarest].store(key, std::memory_order_release);
}

void busy_keys::collect(std::vector<key_count>& into) const {
  for (auto const& s : sets_) {
    for (std::size_t i = 0; i < ways; ++i) {
      key_count c;
      c.key = s.keys[i].load(std::memory_order_acquire);
      if (c.key == 0) continue;
      c.count = s.counts[i].load(std::memory_order_acquire);
      c.floor = s.floors[i].load(std::memory_order_acquire);
      if (s.keys[i].load(std::memory_order_relaxed) == c.key && c.count >= c.floor) into.push_back(c);
    }
  }
}

}  // namespace petstore::server
