// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <boost/intrusive/list.hpp>
#include <chrono>
#include <cstdint>
#include <mutex>

#include "breaker.hpp"
#include "petstore/limits/instant.hpp"
#include "shared_quota.hpp"

namespace petstore::quota {

/// The queue of calls for one kind of payers: callers with a key, or callers without one. The number of callers without
/// a key is unlimited, and the first request of each is a call. So only a few of their calls are under way at a time,
/// the others wait in the queue, and their failures open only the breaker of this queue.
///
/// Thread safety: any thread.
class admission_queue {
 public:
  template <shared_quota::link shared_quota::*Link>
  using list =
      boost::intrusive::list<shared_quota, boost::intrusive::member_hook<shared_quota, shared_quota::link, Link>,
                             boost::intrusive::constant_time_size<false>>;
  using quota_list = list<&shared_quota::watched>;

  /// `calls_max`: the number of calls under way on all nodes together; each node may always have one. `patience` is
  /// that of the breaker.
  explicit admission_queue(std::uint32_t calls_max, std::chrono::nanoseconds patience = breaker::silence_min) noexcept
      : calls_max_(calls_max), breaker_(patience) {}

  /// Whether `may_ask` may be true. This takes no probe, so a caller who makes no call in the end prevents none.
  bool could_ask(limits::instant now) const noexcept {
    return now.boot.time_since_epoch().count() >= asks_again_at_.load(std::memory_order_relaxed);
  }
  /// Whether the caller may ask the server. If so, it makes a call now. While the breaker is open, this is true for
  /// occasional probes only.
  bool may_ask(limits::instant now) noexcept {
    // While the breaker is open, every request asks. Most of them end here, without the mutex.
    if (!could_ask(now)) return false;
    std::lock_guard const lock(mutex_);
    bool const may = breaker_.allows(now.boot.time_since_epoch());
    note_breaker();
    return may;
  }
  void answered(limits::instant now) noexcept {
    std::lock_guard const lock(mutex_);
    breaker_.answered(now.boot.time_since_epoch());
    note_breaker();
  }
  void failed(limits::instant now, limits::instant asked_at) noexcept {
    std::lock_guard const lock(mutex_);
    bool const was_open = breaker_.is_open();
    breaker_.failed(now.boot.time_since_epoch(), asked_at.boot.time_since_epoch());
    if (breaker_.is_open() && !was_open) ++openings_;
    note_breaker();
  }
  /// The server has answered a heartbeat, which is as good as a probe.
  void heartbeat_answered(limits::instant now) noexcept {
    std::lock_guard const lock(mutex_);
    auto const at = now.boot.time_since_epoch();
    if (breaker_.is_open() && breaker_.allows(at)) breaker_.answered(at);
    note_breaker();
  }
  /// The server has not answered a heartbeat. While the breaker is open, this changes nothing: a missed heartbeat is no
  /// probe of this queue, and a probe may be answered all the same.
  void heartbeat_missed(limits::instant now, limits::instant asked_at) noexcept {
    if (!is_cut_off()) failed(now, asked_at);
  }
  bool is_cut_off() const noexcept {
    std::lock_guard const lock(mutex_);
    return breaker_.is_open();
  }

  /// How often the breaker has opened.
  std::uint64_t openings() const noexcept {
    std::lock_guard const lock(mutex_);
    return openings_;
  }

  /// Adds a call to the queue.
  void enqueue(shared_quota& q) noexcept {
    std::lock_guard const lock(mutex_);
    queue_.push_back(q);
    queue_.splice(queue_.end(), deferred_);  // all share a round trip
    ++begun_;
  }
  /// Adds a call that is not urgent. It enters the queue with the next urgent one, or with `release_deferred`.
  void enqueue_deferred(shared_quota& q) noexcept {
    std::lock_guard const lock(mutex_);
    deferred_.push_back(q);
    ++begun_;
  }
  void release_deferred() noexcept {
    std::lock_guard const lock(mutex_);
    queue_.splice(queue_.end(), deferred_);
  }
  /// Begins the first call in the queue and returns its quota. Null if the queue is empty or too many are under way.
  shared_quota* begin_next(std::uint32_t nodes) noexcept {
    std::lock_guard const lock(mutex_);
    if (under_way_ >= std::max<std::uint32_t>(1, calls_max_ / std::max<std::uint32_t>(1, nodes))) return nullptr;
    if (queue_.empty()) return nullptr;
    shared_quota* const next = &queue_.front();
    queue_.pop_front();
    ++under_way_;
    return next;
  }
  /// A call that `begin_next` has begun is over.
  void end_call() noexcept {
    std::lock_guard const lock(mutex_);
    --under_way_;
    --begun_;
  }
  /// The number of calls that are queued, deferred or under way.
  std::uint32_t begun() const noexcept {
    std::lock_guard const lock(mutex_);
    return begun_;
  }

  /// Adds a quota that the regular round must check.
  void watch(shared_quota& q) noexcept {
    std::lock_guard const lock(mutex_);
    watched_.push_back(q);
  }
  /// Takes all watched quotas. Those that have waited longest are first.
  quota_list take_watched() noexcept {
    std::lock_guard const lock(mutex_);
    quota_list all;
    all.swap(watched_);
    return all;
  }
  /// Puts quotas back, before those added meanwhile.
  void watch_first(quota_list those) noexcept {
    std::lock_guard const lock(mutex_);
    watched_.splice(watched_.begin(), those);
  }

 private:
  void note_breaker() noexcept { asks_again_at_.store(breaker_.refuses_until().count(), std::memory_order_relaxed); }

  std::uint32_t const calls_max_;
  std::atomic<std::int64_t> asks_again_at_{0};  ///< the next probe, on the boot clock; written under the mutex

  mutable std::mutex mutex_;
  // Under the mutex.
  breaker breaker_;
  std::uint64_t openings_ = 0;
  std::uint32_t under_way_ = 0;
  std::uint32_t begun_ = 0;  ///< calls under way, queued or deferred
  list<&shared_quota::queued> queue_;
  list<&shared_quota::queued> deferred_;
  quota_list watched_;
};

}  // namespace petstore::quota
