// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>

namespace petstore::quota {

/// Whether a server that has failed is worth asking: when it has answered nothing for a while nobody waits for it any
/// more, but for one probe now and then.
///
///     [closed] --no answer for a silence--> [open] --retry_at--> one probe --answered--> [closed]
///                                             ^-------failed, twice the pause---'
///
/// Time decides, not how many calls were under way: those that fail together are one failure, however many they are. A
/// failure counts when its call was made after the failure counted before it, and it takes two, one soon after the
/// other, so that one call that was allowed to take long is no silence of the server.
///
/// Not thread-safe. Times are of any one clock that does not step back.
class breaker {
 public:
  using time = std::chrono::nanoseconds;

  static constexpr int failures_min = 2;
  static constexpr time silence_min = std::chrono::milliseconds{500};
  static constexpr time pause_min = std::chrono::milliseconds{100};
  static constexpr time pause_max = std::chrono::seconds{1};

  /// `patience`: how long callers wait for one answer. A silence is as long, and not shorter than `silence_min`. It
  /// counts from when the first call was made that got no answer, or from the last answer if that is later.
  explicit breaker(time patience = silence_min) noexcept : silence_(std::max(patience, silence_min)) {}

  /// Whether to ask now. While open, true once for each pause: the caller is the probe.
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
  /// Until then nobody is allowed anything; 0 while it is closed.
  time refuses_until() const noexcept { return is_open_ ? retry_at_ : time{0}; }

 private:
  void count_failure(time now, time asked_at) noexcept {
    if (failures_ != 0 && asked_at < failed_at_) return;
    if (failures_ != 0 && asked_at - failed_at_ > 2 * silence_) failures_ = 0;  // that was another time
    if (failures_ == 0) silent_since_ = std::max(asked_at, answered_at_);
    failures_ = std::min(failures_ + 1, failures_min);
    failed_at_ = now;
    if (failures_ < failures_min || now - silent_since_ < silence_) return;
    is_open_ = true;
    judged_at_ = retry_at_ = now + pause_;
  }
  /// What was asked before the breaker opened, or before the last failure that counted, says nothing new. Several
  /// probes may be under way, because each takes as long as its caller is patient.
  void probe_failed(time now, time asked_at) noexcept {
    if (asked_at < judged_at_) return;
    judged_at_ = now;
    pause_ = std::min(2 * pause_, pause_max);
    retry_at_ = now + pause_;
  }

  time const silence_;
  bool is_open_ = false;
  int failures_ = 0;  ///< counted since the last answer
  time failed_at_{0};
  time silent_since_{0};
  time answered_at_{0};
  time pause_ = pause_min;
  time retry_at_{0};
  time judged_at_{0};  ///< when the pause became what it is
};

}  // namespace petstore::quota
