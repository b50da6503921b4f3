// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/in_flight.hpp"

#include <algorithm>

namespace petstore::server {

std::vector<in_flight::entry>::iterator in_flight::part::find(std::uint64_t identity) noexcept {
  return std::ranges::find(entries, identity, &entry::identity);
}

in_flight::slot in_flight::enter(std::uint64_t identity, std::uint32_t most) {
  part& p = part_of(identity);
  std::lock_guard const lock{p.mutex};
  auto const known = p.find(identity);
  if (known == p.entries.end()) {
    if (most == 0) return {};
    p.entries.push_back({identity, 1});
  } else {
    if (known->count >= most) return {};
    ++known->count;
  }
  return {*this, identity};
}

void in_flight::leave(std::uint64_t identity) noexcept {
  part& p = part_of(identity);
  std::lock_guard const lock{p.mutex};
  auto const known = p.find(identity);
  if (--known->count != 0) return;
  *known = p.entries.back();
  p.entries.pop_back();
}

}  // namespace petstore::server
