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

/// No transaction has more writes.
inline constexpr std::size_t batch_max = 256;

/// How many writes may wait for the writer.
struct waiting_limits {
  std::size_t writes_max;             ///< whatever a commit takes
  std::chrono::nanoseconds wait_max;  ///< until the transaction of a write begins

  /// As many as are begun within wait_max when a transaction takes so long as `commit`. Enough for one transaction may
  /// always wait: it is the next one, and refusing them would leave it empty, and nobody be served the sooner.
  std::size_t places(std::chrono::nanoseconds commit) const noexcept;
};

/// How long a transaction waits for more writes before it begins.
struct batch_policy {
  std::size_t enough = 1;               ///< writes: then it begins at once
  std::chrono::nanoseconds patience{};  ///< then it begins with what is there

  /// Whoever was just answered is likely to write again. With those that queued up meanwhile they are all that are
  /// known to write, and when they are back nothing is gained by waiting. If nobody waited for them, the writers would
  /// fall into two groups, each of which stands by while the other's commit is on its way to the disk: half the writes
  /// per commit, and two commits to wait for.
  ///
  /// What waiting costs when they do not come back is bounded by a part of the last commit's time. One client alone is
  /// never kept waiting.
  static batch_policy after(std::size_t answered, std::size_t queued, std::chrono::nanoseconds commit) noexcept;
};

/// Writes on their way to the writer's thread.
///
/// Thread safety: any thread gives, one takes.
class write_queue {
 public:
  using clock = std::chrono::steady_clock;

  explicit write_queue(waiting_limits const& limits) noexcept : limits_(limits) {}

  /// Takes the write over, unless it would wait too long: then it answers false.
  bool give(std::unique_ptr<pending_write>&, clock::time_point now);

  /// From now on `take` does not wait.
  void close();

  /// Waits for writes, and for more of them as `batch_policy` says. An exclusive one comes alone. Empty: the queue is
  /// closed, and nothing is left in it.
  write_batch take(std::chrono::nanoseconds last_commit);

  ports::write_backlog backlog() const;

 private:
  static constexpr auto nobody_waits = std::numeric_limits<std::size_t>::max();

  void wait_for_writes(std::unique_lock<std::mutex>&, std::chrono::nanoseconds last_commit);
  std::chrono::nanoseconds present_commit(clock::time_point now) const noexcept;

  waiting_limits const limits_;

  mutable std::mutex mutex_;  ///< guards the rest
  std::condition_variable enough_;
  std::deque<std::unique_ptr<pending_write>> writes_;
  /// How many writes wake the one who takes. Woken for each, it would get the processor only to sleep again.
  std::size_t wake_at_ = nobody_waits;
  std::size_t taken_last_ = 0;
  std::chrono::nanoseconds usual_commit_{};         ///< of the latest ones, the last counting for a quarter
  std::optional<clock::time_point> writing_since_;  ///< none while the writer waits for writes
  std::uint64_t refused_ = 0;
  bool closed_ = false;
};

}  // namespace petstore::storage::lmdb
