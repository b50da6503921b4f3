// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>

#include "pending_write.hpp"

namespace petstore::storage::lmdb {

/// How long a transaction waits for company before it begins.
struct gathering {
  std::size_t enough = 1;               ///< writes: then it begins at once
  std::chrono::nanoseconds patience{};  ///< then it begins with what is there

  /// Whoever was just answered is likely to write again. With those that queued up meanwhile they are all that are
  /// known to write, and when they are back nothing is gained by waiting. If nobody waited for them, the writers would
  /// fall into two groups, each of which stands by while the other's commit is on its way to the disk: half the writes
  /// per commit, and two commits to wait for.
  ///
  /// What waiting costs when they do not come back is bounded by a part of the last commit's time. One client alone is
  /// never kept waiting.
  static gathering after(std::size_t answered, std::size_t queued, std::chrono::nanoseconds commit) noexcept;
};

/// Writes on their way to the writer's thread.
///
/// Thread safety: any thread gives, one takes.
class write_queue {
 public:
  explicit write_queue(std::size_t places) noexcept : places_(places) {}

  /// Takes the write over, unless the queue is full: then it answers false.
  bool give(std::unique_ptr<pending_write>&);

  /// From now on `take` does not wait.
  void close();

  /// Waits for writes, and for company as `gathering` says. One that must be alone is. Empty: the queue is closed, and
  /// nothing is left in it.
  write_batch take(std::chrono::nanoseconds last_commit);

 private:
  static constexpr std::size_t batch_max = 256;
  static constexpr auto nobody_waits = std::numeric_limits<std::size_t>::max();

  void wait_for_writes(std::unique_lock<std::mutex>&, std::chrono::nanoseconds last_commit);

  std::size_t const places_;

  std::mutex mutex_;  ///< guards the rest
  std::condition_variable enough_;
  std::deque<std::unique_ptr<pending_write>> writes_;
  /// How many writes wake the one who takes. Woken for each, it would get the processor only to sleep again.
  std::size_t wake_at_ = nobody_waits;
  std::size_t taken_last_ = 0;
  bool closed_ = false;
};

}  // namespace petstore::storage::lmdb
