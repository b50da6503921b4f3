// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <memory>
#include <vector>

#include "slot_map.hpp"

namespace petstore::redis {

namespace asio = boost::asio;
class channel;

/// Asks the node at the other end of the line for the map. A map without a slot is a failure: the node is not part of a
/// cluster yet, or no longer.
asio::awaitable<result<std::vector<slot_range>>> ask_for_slot_map(std::shared_ptr<channel>, node from,
                                                                  std::chrono::steady_clock::time_point deadline);

}  // namespace petstore::redis
