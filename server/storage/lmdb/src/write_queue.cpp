// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "write_queue.hpp"

#include <algorithm>
#include <utility>

namespace petstore::storage::lmdb {

std::size_t waiting_limits::writes_allowed(std::chrono::nanoseconds commit) const noexcept {
  if (commit <= std::chrono::nanoseconds{0}) return writes_max;
  auto const transactions = std::max<std::size_t>(1, static_cast<std::size_t>(wait_max / commit));
  // Compares without a product, which would overflow for a short commit and a long wait.
  return transactions >= writes_max / writes_per_transaction_max ? writes_max
                                                                 : transactions * writes_per_transaction_max;
}

batch_policy batch_policy::after(std::size_t answered, std::size_t queued, std::chrono::nanoseconds commit) noexcept {
  constexpr int part_of_commit = 8;
  constexpr std::chrono::nanoseconds patience_max = std::chrono::milliseconds(10);
  return {.enough = answered + queued, .patience = std::min(commit / part_of_commit, patience_max)};
}

bool write_queue::give(std::unique_ptr<pending_write>& w, clock::time_point now) {
  {
    std::lock_guard const lock(mutex_);
    if (writes_.size() >= limits_.writes_allowed(present_commit(now))) {
      ++refused_;
      return false;
    }
    writes_.push_back(std::move(w));
    if (writes_.size() < wake_at_) return true;
    wake_at_ = no_waiter;
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
  writing_since_.reset();
  usual_commit_ += (last_commit - usual_commit_) / 4;
  wait_for_writes(lock, last_commit);
  write_batch taken;
  taken.reserve(std::min(writes_.size(), writes_per_transaction_max));  // so that a lack of memory loses no write
  while (!writes_.empty() && taken.size() < writes_per_transaction_max) {
    bool const is_exclusive = writes_.front()->batching() == batching::exclusive;
    if (is_exclusive && !taken.empty()) break;
    taken.push_back(std::move(writes_.front()));
    writes_.pop_front();
    if (is_exclusive) break;
  }
  taken_last_ = taken.size();
  writing_since_ = clock::now();
  return taken;
}

/// A hanging disk shows in the duration of the current commit.
std::chrono::nanoseconds write_queue::present_commit(clock::time_point now) const noexcept {
  if (!writing_since_) return usual_commit_;
  return std::max<std::chrono::nanoseconds>(usual_commit_, now - *writing_since_);
}

ports::write_backlog write_queue::backlog() const {
  std::lock_guard const lock(mutex_);
  return {.waiting = writes_.size(), .refused = refused_, .commit = usual_commit_};
}

void write_queue::wait_for_writes(std::unique_lock<std::mutex>& lock, std::chrono::nanoseconds last_commit) {
  auto const wanted = batch_policy::after(taken_last_, writes_.size(), last_commit);
  wake_at_ = 1;
  enough_.wait(lock, [&] { return closed_ || !writes_.empty(); });
  auto const enough = std::min({wanted.enough, writes_per_transaction_max, limits_.writes_max});
  wake_at_ = enough;
  enough_.wait_for(lock, wanted.patience, [&] { return closed_ || writes_.size() >= enough; });
  wake_at_ = no_waiter;
}

}  // namespace petstore::storage::lmdb
