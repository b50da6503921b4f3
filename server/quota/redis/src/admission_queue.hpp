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

/// The way to the server for one kind of payers: who has a key, or who has none. Of those without one there may come
/// any number, each a call that nobody has paid for; so their calls are few at a time and the others wait in line, and
/// how their calls fare opens no breaker but their own.
///
/// Thread safety: any thread.
class admission_queue {
 public:
  template <shared_quota::link shared_quota::*Link>
  using list =
      boost::intrusive::list<shared_quota, boost::intrusive::member_hook<shared_quota, shared_quota::link, Link>,
                             boost::intrusive::constant_time_size<false>>;
  using row = list<&shared_quota::attended>;

  /// `calls_max`: under way at one time, on all nodes together; one on each node at least. `patience`: of its breaker.
  explicit admission_queue(std::uint32_t calls_max, std::chrono::nanoseconds patience = breaker::silence_min) noexcept
      : calls_max_(calls_max), breaker_(patience) {}

  /// Whether the server is worth asking. While it is not, true now and then: the caller is the probe.
  bool may_ask(limits::instant now) noexcept {
    // While the server is away this is asked by every request: mostly, without the mutex.
    if (now.boot.time_since_epoch().count() < asks_again_at_.load(std::memory_order_relaxed)) return false;
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
  /// The server has answered somebody else: as good as a probe.
  void heard_of_server(limits::instant now) noexcept {
    std::lock_guard const lock(mutex_);
    auto const at = now.boot.time_since_epoch();
    if (breaker_.is_open() && breaker_.allows(at)) breaker_.answered(at);
    note_breaker();
  }
  /// It has not answered somebody else. Probes that fail are another matter: those may be answered all the same.
  void missed_server(limits::instant now, limits::instant asked_at) noexcept {
    if (!is_cut_off()) failed(now, asked_at);
  }
  bool is_cut_off() const noexcept {
    std::lock_guard const lock(mutex_);
    return breaker_.is_open();
  }

  /// How often it was given up asking the server.
  std::uint64_t openings() const noexcept {
    std::lock_guard const lock(mutex_);
    return openings_;
  }

  /// Whoever wants to begin a call lines up first.
  void line_up(shared_quota& q) noexcept {
    std::lock_guard const lock(mutex_);
    line_.push_back(q);
    line_.splice(line_.end(), later_);  // all share a round trip
    ++begun_;
  }
  /// The same for a call that has time: it comes into the line with the next one that has none, or when `hurry` says
  /// so.
  void line_up_later(shared_quota& q) noexcept {
    std::lock_guard const lock(mutex_);
    later_.push_back(q);
    ++begun_;
  }
  void hurry() noexcept {
    std::lock_guard const lock(mutex_);
    line_.splice(line_.end(), later_);
  }
  /// Whose turn it is, when there is room for one more call: it begins now. Null else.
  shared_quota* next_in_line(std::uint32_t nodes) noexcept {
    std::lock_guard const lock(mutex_);
    if (under_way_ >= std::max<std::uint32_t>(1, calls_max_ / std::max<std::uint32_t>(1, nodes))) return nullptr;
    if (line_.empty()) return nullptr;
    shared_quota* const next = &line_.front();
    line_.pop_front();
    ++under_way_;
    return next;
  }
  /// A call that had begun is over.
  void leave() noexcept {
    std::lock_guard const lock(mutex_);
    --under_way_;
    --begun_;
  }
  /// How many calls are in line or under way.
  std::uint32_t begun() const noexcept {
    std::lock_guard const lock(mutex_);
    return begun_;
  }

  /// To be looked after from the next round on.
  void attend(shared_quota& q) noexcept {
    std::lock_guard const lock(mutex_);
    attended_.push_back(q);
  }
  /// All that are to be looked after, those that have waited longest first.
  row take_attended() noexcept {
    std::lock_guard const lock(mutex_);
    row all;
    all.swap(attended_);
    return all;
  }
  /// Before those that came meanwhile.
  void attend_first(row those) noexcept {
    std::lock_guard const lock(mutex_);
    attended_.splice(attended_.begin(), those);
  }

 private:
  void note_breaker() noexcept { asks_again_at_.store(breaker_.refuses_until().count(), std::memory_order_relaxed); }

  std::uint32_t const calls_max_;
  std::atomic<std::int64_t> asks_again_at_{0};  ///< the breaker's, on the boot clock; written under the mutex

  mutable std::mutex mutex_;
  // Under the mutex.
  breaker breaker_;
  std::uint64_t openings_ = 0;
  std::uint32_t under_way_ = 0;
  std::uint32_t begun_ = 0;  ///< these, and those in line
  list<&shared_quota::in_line> line_;
  list<&shared_quota::in_line> later_;
  row attended_;
};

}  // namespace petstore::quota
