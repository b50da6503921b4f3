// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>

#include "connection_group.hpp"
#include "health.hpp"

namespace petstore::storage::postgres {

/// Sends a probe to the server when no connection of the node has received anything for a while. So a silent server is
/// noticed before a client asks, and one connection that waits for a lock is not mistaken for a silent server.
///
/// A busy node receives answers all the time, and sends no probes.
class heartbeat {
 public:
  /// The part of the silence limit after which a probe is sent.
  static constexpr int part_of_limit = 4;

  heartbeat(connection_group& l, health const& h) : group_(l), health_(h), timer_(l.executor()) {}

  /// Runs on the group's executor until `stop`.
  asio::awaitable<void> run();
  void stop();

 private:
  connection_group& group_;
  health const& health_;
  asio::steady_timer timer_;
  bool stopped_ = false;
};

}  // namespace petstore::storage::postgres
