// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>

namespace petstore::quota {

/// Whether a server that has failed is worth asking: after a few failures in a row nobody waits for it any more, but
/// for one probe now and then.
///
///     [closed] --failures_max in a row--> [open] --retry_at--> one probe --answered--> [closed]
///                                           ^-------failed, twice the pause---'
///
/// Not thread-safe. Times are of any one clock that does not step back.
class breaker {
 public:
  using time = std::chrono::nanoseconds;

  static constexpr int failures_max = 5;
  static constexpr time pause_min = std::chrono::milliseconds{100};
  static constexpr time pause_max = std::chrono::seconds{1};

  /// Whether to ask now. While open, true once for each pause: the caller is the probe.
  bool allows(time now) noexcept {
    if (!is_open()) return true;
    if (now < retry_at_) return false;
    retry_at_ = now + pause_;
    probed_at_ = now;
    return true;
  }
  void answered() noexcept {
    failures_ = 0;
    pause_ = pause_min;
  }
  /// What was asked before the breaker opened, or before the last probe, says nothing new.
  void failed(time now, time asked_at) noexcept {
    bool const was_open = is_open();
    if (was_open && asked_at < probed_at_) return;
    if (failures_ < failures_max) ++failures_;
    if (!is_open()) return;
    if (was_open)
      pause_ = std::min(2 * pause_, pause_max);
    else
      probed_at_ = now + pause_;
    retry_at_ = now + pause_;
  }
  bool is_open() const noexcept { return failures_ == failures_max; }
  /// Until then nobody is allowed anything; 0 while it is closed.
  time refuses_until() const noexcept { return is_open() ? retry_at_ : time{0}; }

 private:
  int failures_ = 0;
  time pause_ = pause_min;
  time retry_at_{0};
  time probed_at_{0};  ///< or will be, at the earliest
};

}  // namespace petstore::quota
