// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>

#include "pending_write.hpp"
#include "petstore/ports/store.hpp"

namespace petstore::storage::lmdb {

/// The limits of the writer's queue.
struct waiting_limits {
  std::size_t writes_max;             ///< independent of the duration of a commit
  std::chrono::nanoseconds wait_max;  ///< until the transaction of a write begins

  /// The number of writes that begin within wait_max if a transaction takes `commit`. Enough writes for one transaction
  /// may always wait: they form the next transaction, and refusing them would leave it empty without helping anyone.
  std::size_t writes_allowed(std::chrono::nanoseconds commit) const noexcept;
};

/// Decides how long a transaction waits for more writes before it begins.
struct batch_policy {
  std::size_t enough = 1;               ///< with that many writes it begins at once
  std::chrono::nanoseconds patience{};  ///< afterwards it begins with the writes there are

  /// A client that was just answered is likely to write again. Together with the writes that were queued meanwhile,
  /// these are all the known writers; when all have written, waiting longer gains nothing. Without waiting for them,
  /// the writers would split into two groups, each of which waits during the other's commit: half the writes per
  /// commit, and two commits to wait for.
  ///
  /// If they do not write again, the wait costs at most a part of the last commit's duration. A single client is never
  /// delayed.
  static batch_policy after(std::size_t answered, std::size_t queued, std::chrono::nanoseconds commit) noexcept;
};

/// The queue of writes for the writer's thread.
///
/// Thread safety: any thread may call `give`, one thread calls `take`.
class write_queue {
 public:
  using clock = std::chrono::steady_clock;

  explicit write_queue(waiting_limits const& limits) noexcept : limits_(limits) {}

  /// Takes over the write; returns false if the write would wait too long.
  bool give(std::unique_ptr<pending_write>&, clock::time_point now);

  /// From now on `take` does not wait.
  void close();

  /// Waits for writes, and for more of them as `batch_policy` decides. An exclusive write is returned alone. Empty: the
  /// queue is closed and nothing is left in it.
  write_batch take(std::chrono::nanoseconds last_commit);

  ports::write_backlog backlog() const;

 private:
  static constexpr auto no_waiter = std::numeric_limits<std::size_t>::max();

  void wait_for_writes(std::unique_lock<std::mutex>&, std::chrono::nanoseconds last_commit);
  std::chrono::nanoseconds present_commit(clock::time_point now) const noexcept;

  waiting_limits const limits_;

  mutable std::mutex mutex_;  ///< guards the rest
  std::condition_variable enough_;
  std::deque<std::unique_ptr<pending_write>> writes_;
  /// The number of writes that wakes the taker. Woken for each write, it would get the processor only to sleep again.
  std::size_t wake_at_ = no_waiter;
  std::size_t taken_last_ = 0;
  std::chrono::nanoseconds usual_commit_{};         ///< of the latest commits; the last one counts for a quarter
  std::optional<clock::time_point> writing_since_;  ///< none while the writer waits for writes
  std::uint64_t refused_ = 0;
  bool closed_ = false;
};

}  // namespace petstore::storage::lmdb
