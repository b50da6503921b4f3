// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <vector>

#include "petstore/redis/address.hpp"
#include "petstore/redis/error.hpp"
#include "petstore/redis/reply.hpp"

namespace petstore::redis {

/// Slots from `first` to `last` and the master in charge of them.
struct slot_range {
  std::uint16_t first = 0;
  std::uint16_t last = 0;
  node master;

  friend bool operator==(slot_range const&, slot_range const&) = default;
};

/// Reads the reply to CLUSTER SLOTS. `from` sent it; a node without a host has the same host.
result<std::vector<slot_range>> read_slot_map(reply const&, node const& from);

}  // namespace petstore::redis
