// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <utility>

#include "net/deadline.hpp"
#include "net/shedding.hpp"
#include "petstore/server/connection_limits.hpp"
#include "petstore/server/log.hpp"
#include "petstore/server/metrics.hpp"
#include "petstore/server/readiness.hpp"

namespace petstore::server::net {

/// The state that the connections of one listener share, with any protocol. One thread.
struct listener_state {
  listener_state(connection_limits const& l, log_function to)
      : limits{l}, log{std::move(to)}, surplus{at_most_a_year(l.turn_wait), l.connections_few} {}

  connection_limits limits;
  log_function const log;

  std::array<char, 16 * 1024> unread;  ///< receives bytes that are thrown away
  shedding surplus;                    ///< decides which connections are too many
  metrics_shard* counters = nullptr;   ///< nullptr: nothing is counted

  bool expects_proxy_header = false;  ///< whether each connection begins with a PROXY header
  bool closing = false;               ///< whether a connection ends when it has answered what has arrived
  readiness const* state = nullptr;   ///< of the process, or null: while that drains, this is closing, too
  bool finishing = false;  ///< whether the listener stops: it is also `closing`, and hardly waits for requests

  bool is_closing() const noexcept { return closing || (state && state->draining.load(std::memory_order_relaxed)); }
  void count(auto reason) const noexcept {
    if (counters) counters->count(reason);
  }
};

}  // namespace petstore::server::net
