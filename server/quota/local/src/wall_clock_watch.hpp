// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>

#include "petstore/limits/instant.hpp"

namespace petstore::quota {

/// Decides when the wall clock can be trusted. One thread.
class wall_clock_watch {
 public:
  explicit wall_clock_watch(limits::instant now) : set_at_(now) {}

  /// Whether the clock has not been set for so long that it can be trusted. Before that, the day that was reached may
  /// have been the right one, and leaving it would open it a second time.
  bool is_believed(limits::instant now) {
    if (limits::was_set_between(set_at_, now)) set_at_ = now;
    return now.boot - set_at_.boot >= believed_after;
  }

 private:
  static constexpr std::chrono::hours believed_after{24};

  limits::instant set_at_;
};

}  // namespace petstore::quota
