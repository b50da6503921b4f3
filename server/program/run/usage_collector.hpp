// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "log/event_report.hpp"
#include "petstore/ports/store.hpp"

namespace petstore::program {

/// Brings to the store what keys were used for: each call of `collect` is one write for every `rows_max` keys, whatever
/// the number of requests. While the store fails, it keeps the counts, at most one row for each key and day. One
/// thread.
class usage_collector {
 public:
  using take_function = std::function<std::vector<ports::usage_of_key>()>;
  /// The maximum number of rows of one write, so that other writes do not wait long for it.
  static constexpr std::size_t rows_max = 2'000;

  /// `take` returns the usage since its last call. The store outlives this object. `log` is called when the store
  /// begins to fail, and when it takes usage again.
  usage_collector(ports::store& store, take_function take, event_report log)
      : store_{store}, take_{std::move(take)}, log_{std::move(log)} {}

  /// Takes the usage and adds it to the store. What cannot be added now is tried again by the next call. One call at a
  /// time.
  boost::asio::awaitable<void> collect();
  /// Says in the log what the store has not taken. Call it at the end.
  void tell_lost() const;

 private:
  using key_and_day = std::pair<std::uint64_t, std::chrono::sys_days>;

  boost::asio::awaitable<void> take_and_send();
  void take();
  ports::usage_batch make_batch();
  boost::asio::awaitable<result<void>> send();
  void note(result<void> const&);

  ports::store& store_;
  take_function const take_;
  event_report const log_;
  std::map<key_and_day, ports::usage_of_key> waiting_;  ///< in no batch yet
  /// The batch that the store did not take. It stays as it is, since the store may know it already.
  std::optional<ports::usage_batch> batch_;
  bool is_failing_ = false;
};

}  // namespace petstore::program
