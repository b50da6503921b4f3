// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "write_queue.hpp"

#include <algorithm>
#include <utility>

namespace petstore::storage::lmdb {

gathering gathering::after(std::size_t answered, std::size_t queued, std::chrono::nanoseconds commit) noexcept {
  constexpr int part_of_commit = 8;
  constexpr std::chrono::nanoseconds patience_max = std::chrono::milliseconds(10);
  return {.enough = answered + queued, .patience = std::min(commit / part_of_commit, patience_max)};
}

bool write_queue::give(std::unique_ptr<pending_write>& w) {
  {
    std::lock_guard const lock(mutex_);
    if (writes_.size() == places_) return false;
    writes_.push_back(std::move(w));
    if (writes_.size() < wake_at_) return true;
    wake_at_ = nobody_waits;
  }
  enough_.notify_one();
  return true;
}

void write_queue::close() {
  {
    std::lock_guard const lock(mutex_);
    closed_ = true;
  }
  enough_.notify_one();
}

write_batch write_queue::take(std::chrono::nanoseconds last_commit) {
  std::unique_lock lock(mutex_);
  wait_for_writes(lock, last_commit);
  write_batch taken;
  while (!writes_.empty() && taken.size() < batch_max) {
    bool const alone = writes_.front()->company() == company::alone;
    if (alone && !taken.empty()) break;
    taken.push_back(std::move(writes_.front()));
    writes_.pop_front();
    if (alone) break;
  }
  taken_last_ = taken.size();
  return taken;
}

void write_queue::wait_for_writes(std::unique_lock<std::mutex>& lock, std::chrono::nanoseconds last_commit) {
  auto const wanted = gathering::after(taken_last_, writes_.size(), last_commit);
  wake_at_ = 1;
  enough_.wait(lock, [&] { return closed_ || !writes_.empty(); });
  auto const enough = std::min({wanted.enough, batch_max, places_});
  wake_at_ = enough;
  enough_.wait_for(lock, wanted.patience, [&] { return closed_ || writes_.size() >= enough; });
  wake_at_ = nobody_waits;
}

}  // namespace petstore::storage::lmdb
