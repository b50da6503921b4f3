// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>
#include <span>
#include <stdexcept>
#include <vector>

#include "petstore/limits/plan.hpp"

namespace petstore::limits {

/// How many different plans a limiter keeps.
inline constexpr std::size_t plans_max = 4'096;

}  // namespace petstore::limits

namespace petstore::limits::detail {

/// The plans of a `limiter` by number. They may change while other threads read them.
///
/// Thread safety: any member from any thread. `at` takes no lock; `set` takes a mutex.
///
/// Invariant: a plan in `kept_` neither changes nor goes before this object. So a reader sees a whole plan, and may go
/// on with it after its number has another one.
class numbered_plans {
 public:
  /// Takes these plans, however many they are. Throws std::invalid_argument if one is not sound.
  numbered_plans(plan const& first, std::span<plan const> others) : current_(1 + others.size()) {
    auto const keep = [this](plan const& p) {
      if (!p.is_sound()) throw std::invalid_argument{"a plan is not sound"};
      plan const* known = find(p);
      return known ? known : &kept_.emplace_back(p);
    };
    current_[0] = keep(first);
    for (std::size_t i = 0; i < others.size(); ++i) current_[i + 1] = keep(others[i]);
  }

  std::size_t size() const noexcept { return current_.size(); }

  /// The number must be below `size`.
  plan const& at(std::size_t number) const noexcept { return *current_[number].load(std::memory_order_acquire); }

  /// The number must be below `size`. A plan that any number ever had takes no memory again, and is always taken. Of
  /// others, returns whether there were fewer than `plans_max`. Throws std::bad_alloc.
  bool set(std::size_t number, plan const& fresh) {
    std::lock_guard const lock(mutex_);
    plan const* kept = find(fresh);
    if (!kept && kept_.size() >= plans_max) return false;
    if (!kept) kept = &kept_.emplace_back(fresh);
    current_[number].store(kept, std::memory_order_release);
    return true;
  }

 private:
  plan const* find(plan const& p) const {
    auto const known = std::ranges::find(kept_, p);
    return known != kept_.end() ? &*known : nullptr;
  }

  std::mutex mutex_;
  std::deque<plan> kept_;  // under the mutex; its plans do not move
  std::vector<std::atomic<plan const*>> current_;
};

}  // namespace petstore::limits::detail
