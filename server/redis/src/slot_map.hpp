// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "petstore/redis/address.hpp"
#include "petstore/redis/error.hpp"
#include "petstore/redis/reply.hpp"

namespace petstore::redis {

namespace asio = boost::asio;
class channel;

/// Slots from `first` to `last` and the master in charge of them.
struct slot_range {
  std::uint16_t first = 0;
  std::uint16_t last = 0;
  node master;

  friend bool operator==(slot_range const&, slot_range const&) = default;
};

/// Reads the reply to CLUSTER SLOTS. `from` sent it; a node without a host has the same host.
result<std::vector<slot_range>> read_slot_map(reply const&, node const& from);

/// Asks the node at the other end of the line for the map. A map without a slot is a failure: the node is not part of a
/// cluster yet, or no longer.
asio::awaitable<result<std::vector<slot_range>>> ask_for_slot_map(std::shared_ptr<channel>, node from,
                                                                  std::chrono::steady_clock::time_point deadline);

}  // namespace petstore::redis
