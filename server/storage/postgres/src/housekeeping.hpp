// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>

#include "connection_group.hpp"

namespace petstore::storage::postgres {

/// Removes what has served its time, now and then, a part at a time: answers to creations after a day, outcomes of
/// writes after an hour. Every node does it; what two want to remove, one does.
class housekeeping {
 public:
  static constexpr std::chrono::seconds interval{60};
  static constexpr std::int64_t rows_at_a_time = 500;

  explicit housekeeping(connection_group& l) : group_(l), timer_(l.executor()) {}

  /// On the group's executor, until `stop`.
  asio::awaitable<void> run();
  void stop();

 private:
  asio::awaitable<void> forget(statement);

  connection_group& group_;
  asio::steady_timer timer_;
  bool stopped_ = false;
};

}  // namespace petstore::storage::postgres
