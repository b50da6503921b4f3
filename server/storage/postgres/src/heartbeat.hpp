// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>

#include "connection_group.hpp"
#include "health.hpp"

namespace petstore::storage::postgres {

/// Asks the server for a sign of life when no connection of the node has had one for a while. So a server that is
/// silent is noticed before a client asks, and one connection that waits for a lock is not taken for a silent server.
///
/// A node that is busy hears the server all the time, and sends none.
class heartbeat {
 public:
  /// Of the limit of silence: how long nobody hears anything before it is asked for.
  static constexpr int part_of_limit = 4;

  heartbeat(connection_group& l, health const& h) : group_(l), health_(h), timer_(l.executor()) {}

  /// On the group's executor, until `stop`.
  asio::awaitable<void> run();
  void stop();

 private:
  connection_group& group_;
  health const& health_;
  asio::steady_timer timer_;
  bool stopped_ = false;
};

}  // namespace petstore::storage::postgres
