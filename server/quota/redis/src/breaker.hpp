// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>

namespace petstore::quota {

/// A circuit breaker: when the server has not answered for a while, nobody asks it any more, apart from occasional
/// probes.
///
///     [closed] --no answer for a silence--> [open] --retry_at--> one probe --answered--> [closed]
///                                             ^-------failed, twice the pause---'
///
/// Time decides, not the number of failed calls: calls that fail together count as one failure. A failure counts only
/// if its call was made after the last counted failure. The breaker needs two failures, one soon after the other, so
/// that one call with a long deadline does not open it.
///
/// Not thread-safe. All times are of one clock that does not step back.
class breaker {
 public:
  using time = std::chrono::nanoseconds;

  static constexpr int failures_min = 2;
  static constexpr time silence_min = std::chrono::milliseconds{500};
  static constexpr time pause_min = std::chrono::milliseconds{100};
  static constexpr time pause_max = std::chrono::seconds{1};

  /// `patience`: how long callers wait for an answer. The silence that opens the breaker is as long, and at least
  /// `silence_min`. It begins when the first call without an answer is made, or with the last answer if that is later.
  explicit breaker(time patience = silence_min) noexcept : silence_(std::max(patience, silence_min)) {}

  /// Whether to ask now. While the breaker is open, this is true once in each pause: the caller is the probe.
  bool allows(time now) noexcept {
    if (!is_open_) return true;
    if (now < retry_at_) return false;
    retry_at_ = now + pause_;
    return true;
  }
  void answered(time now) noexcept {
    is_open_ = false;
    failures_ = 0;
    answered_at_ = now;
    pause_ = pause_min;
  }
  void failed(time now, time asked_at) noexcept {
    if (is_open_)
      probe_failed(now, asked_at);
    else
      count_failure(now, asked_at);
  }
  bool is_open() const noexcept { return is_open_; }
  /// The time before which `allows` returns false; 0 while the breaker is closed.
  time refuses_until() const noexcept { return is_open_ ? retry_at_ : time{0}; }

 private:
  void count_failure(time now, time asked_at) noexcept {
    if (failures_ != 0 && asked_at < failed_at_) return;
    if (failures_ != 0 && asked_at - failed_at_ > 2 * silence_) failures_ = 0;  // it was too long ago
    if (failures_ == 0) silent_since_ = std::max(asked_at, answered_at_);
    failures_ = std::min(failures_ + 1, failures_min);
    failed_at_ = now;
    if (failures_ < failures_min || now - silent_since_ < silence_) return;
    is_open_ = true;
    judged_at_ = retry_at_ = now + pause_;
  }
  /// A call made before the breaker opened, or before the last counted failure, does not count. Several probes may be
  /// under way, because each takes as long as its caller waits.
  void probe_failed(time now, time asked_at) noexcept {
    if (asked_at < judged_at_) return;
    judged_at_ = now;
    pause_ = std::min(2 * pause_, pause_max);
    retry_at_ = now + pause_;
  }

  time const silence_;
  bool is_open_ = false;
  int failures_ = 0;  ///< counted failures since the last answer
  time failed_at_{0};
  time silent_since_{0};
  time answered_at_{0};
  time pause_ = pause_min;
  time retry_at_{0};
  time judged_at_{0};  ///< calls made earlier do not count
};

}  // namespace petstore::quota
