// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <chrono>
#include <utility>

#include "net/shedding.hpp"
#include "petstore/server/connection_limits.hpp"
#include "petstore/server/log.hpp"
#include "petstore/server/metrics.hpp"
#include "petstore/server/readiness.hpp"

namespace petstore::server {

using steady_time = std::chrono::steady_clock::time_point;

}  // namespace petstore::server

namespace petstore::server::net {

/// What the connections of one listener have in common, whatever they speak. One thread.
struct connection_host {
  connection_host(connection_limits const& l, log_function to)
      : limits{l}, log{std::move(to)}, surplus{l.turn_wait, l.connections_few} {}

  connection_limits limits;
  log_function const log;

  std::array<char, 16 * 1024> unread;  ///< where bytes go that nobody will look at
  shedding surplus;                    ///< which connections are too many
  metrics_shard* counters = nullptr;   ///< nullptr: nothing is counted

  bool expects_proxy_header = false;  ///< before the first request of each connection
  bool closing = false;               ///< every answer is the last one of its connection
  readiness const* state = nullptr;   ///< and while this one is draining; nullptr: there is none
  bool finishing = false;             ///< and nobody is waited for

  bool is_closing() const noexcept {
    return closing || (state && state->draining.load(std::memory_order_relaxed));
  }
  void count(close_reason p) const noexcept {
    if (counters) counters->count_close(p);
  }
};

}  // namespace petstore::server::net
