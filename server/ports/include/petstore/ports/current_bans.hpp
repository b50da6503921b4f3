// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <forward_list>
#include <mutex>

#include "petstore/limits/plan.hpp"

namespace petstore::ports {

/// The rules of bans that hold now, for a quota source whose rules may change while it charges.
///
/// Thread safety: every function from any thread. Reading them is one load without a lock. Rules that were replaced are
/// kept, since a charge may still be going by them: a few words for each change that an operator makes.
class current_bans {
 public:
  /// The rules until others are set.
  explicit current_bans(limits::ban_policy const& first) : all_{first}, now_{&all_.front()} {}

  /// Good as long as this object lives.
  limits::ban_policy const& get() const noexcept { return *now_.load(std::memory_order_acquire); }

  /// From the next charge on. Bans that have begun stay as long as they were announced.
  void set(limits::ban_policy const& fresh) {
    std::lock_guard const lock{mutex_};
    all_.push_front(fresh);
    now_.store(&all_.front(), std::memory_order_release);
  }

 private:
  std::mutex mutex_;
  std::forward_list<limits::ban_policy> all_;  ///< under mutex_; an element never changes
  std::atomic<limits::ban_policy const*> now_;
};

}  // namespace petstore::ports
