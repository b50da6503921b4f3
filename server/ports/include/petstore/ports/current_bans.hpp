// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <forward_list>
#include <mutex>

#include "petstore/limits/detail/ban_range.hpp"
#include "petstore/limits/plan.hpp"

namespace petstore::ports {

/// The current rules of bans, for a quota source whose rules may change while it charges.
///
/// Thread safety: every function from any thread. Reading the rules is one load without a lock. Replaced rules are
/// kept, since a charge may still use them: a few words for each change by an operator.
class current_bans {
 public:
  /// `first` are the rules until `set` is called. Throws std::invalid_argument if a duration is not from 0 to 31 days.
  explicit current_bans(limits::ban_policy const& first) : all_{limits::detail::checked(first)}, now_{&all_.front()} {}

  /// The reference is valid as long as this object.
  limits::ban_policy const& get() const noexcept { return *now_.load(std::memory_order_acquire); }

  /// Takes effect with the next charge. Bans that have begun keep the end that was announced. Throws like the
  /// constructor, and then changes nothing.
  void set(limits::ban_policy const& fresh) {
    limits::detail::checked(fresh);
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
