// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>

#include "petstore/limits/instant.hpp"

namespace petstore::quota {

/// Decides when a wall clock that was set can be trusted. One thread.
class wall_clock_watch {
 public:
  explicit wall_clock_watch(limits::instant now) : since_(now) {}

  /// Whether the clock was set, and has not been set since for so long that it can be trusted. Before that, the day
  /// that was reached may have been the right one, and leaving it would open it a second time. A clock that was never
  /// set has led to no wrong day.
  bool is_believed_again(limits::instant now) {
    if (limits::was_set_between(since_, now)) {
      since_ = now;
      was_set_ = true;
    }
    return was_set_ && now.boot - since_.boot >= believed_after;
  }
  /// What was wrong has been corrected.
  void forget_setting() { was_set_ = false; }

 private:
  static constexpr std::chrono::hours believed_after{24};

  limits::instant since_;
  bool was_set_ = false;
};

}  // namespace petstore::quota
