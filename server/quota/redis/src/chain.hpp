// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <utility>

namespace petstore::quota {

/// Things in a row, the first one in leaves first. Each carries the link to the next one in a member of its own, so
/// that a place in the row needs no memory; it is in one row of that member at a time.
///
/// Not thread-safe.
template <class T, T* T::*Next>
class chain {
 public:
  chain() = default;
  chain(chain&& other) noexcept
      : first_(std::exchange(other.first_, nullptr)), last_(std::exchange(other.last_, nullptr)) {}
  chain& operator=(chain&& other) noexcept {
    first_ = std::exchange(other.first_, nullptr);
    last_ = std::exchange(other.last_, nullptr);
    return *this;
  }

  T* first() const noexcept { return first_; }

  void push_back(T& one) noexcept {
    one.*Next = nullptr;
    (last_ == nullptr ? first_ : last_->*Next) = &one;
    last_ = &one;
  }
  /// Null when there is none.
  T* pop_front() noexcept {
    T* const one = first_;
    if (one == nullptr) return nullptr;
    first_ = std::exchange(one->*Next, nullptr);
    if (first_ == nullptr) last_ = nullptr;
    return one;
  }
  /// All of the other one, behind what is here.
  void append(chain&& other) noexcept {
    if (other.first_ == nullptr) return;
    (last_ == nullptr ? first_ : last_->*Next) = std::exchange(other.first_, nullptr);
    last_ = std::exchange(other.last_, nullptr);
  }

 private:
  T* first_ = nullptr;
  T* last_ = nullptr;
};

}  // namespace petstore::quota
