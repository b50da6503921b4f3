// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>

#include "connection_group.hpp"

namespace petstore::storage::postgres {

/// Removes old rows now and then, some at a time: answers to creations after a day, outcomes of writes after an hour,
/// the usage of keys after 400 days. Every node does it; a row that two want to remove is removed once.
class housekeeping {
 public:
  static constexpr std::chrono::seconds interval{60};
  static constexpr std::int64_t rows_at_a_time = 500;

  explicit housekeeping(connection_group& l) : group_(l), timer_(l.executor()) {}

  /// Runs on the group's executor until `stop`.
  asio::awaitable<void> run();
  void stop();

 private:
  asio::awaitable<void> forget(statement);

  connection_group& group_;
  asio::steady_timer timer_;
  bool stopped_ = false;
};

}  // namespace petstore::storage::postgres
