// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>
#include <span>
#include <vector>

#include "petstore/limits/plan.hpp"

namespace petstore::limits::detail {

/// The plans of a `limiter` by number. They may change while other threads read them.
///
/// Thread safety: any member from any thread. `at` takes no lock; `set` takes a mutex.
///
/// Invariant: a plan in `kept_` neither changes nor goes before this object. So a reader sees a whole plan, and may go
/// on with it after its number has another one.
class numbered_plans {
 public:
  numbered_plans(plan const& first, std::span<plan const> others) : current_(1 + others.size()) {
    set(0, first);
    for (std::size_t i = 0; i < others.size(); ++i) set(i + 1, others[i]);
  }

  std::size_t size() const noexcept { return current_.size(); }

  /// The number must be below `size`.
  plan const& at(std::size_t number) const noexcept { return *current_[number].load(std::memory_order_acquire); }

  /// The number must be below `size`. A plan that any number ever had takes no memory again. Throws std::bad_alloc.
  void set(std::size_t number, plan const& fresh) {
    std::lock_guard const lock(mutex_);
    auto const known = std::ranges::find(kept_, fresh);
    plan const& kept = known != kept_.end() ? *known : kept_.emplace_back(fresh);
    current_[number].store(&kept, std::memory_order_release);
  }

 private:
  std::mutex mutex_;
  std::deque<plan> kept_;  // under the mutex; its plans do not move
  std::vector<std::atomic<plan const*>> current_;
};

}  // namespace petstore::limits::detail
