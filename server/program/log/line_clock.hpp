// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>

#include "log/json_line.hpp"

namespace petstore::program {

/// Tells the time of a line from the moment of the steady clock at which its request ended, so that the line needs no
/// reading of a clock. Both clocks are read again every millisecond, so a change of the wall clock is noticed a
/// millisecond late.
///
/// Thread safety: one thread.
class line_clock {
 public:
  using steady_time = std::chrono::steady_clock::time_point;
  using wall_time = std::chrono::sys_time<std::chrono::nanoseconds>;
  /// The same moment on both clocks.
  struct reading {
    steady_time steady;
    wall_time wall;
  };
  using reader = reading (*)() noexcept;

  /// Reads the clocks of the machine. For tests: those of the caller.
  explicit line_clock(reader read = &read_both) noexcept : read_{read} {}

  log_time at(steady_time moment) noexcept {
    if (moment >= last_.steady + valid_for) last_ = read_();
    return std::chrono::floor<std::chrono::milliseconds>(last_.wall + (moment - last_.steady));
  }

 private:
  static constexpr std::chrono::milliseconds valid_for{1};

  static reading read_both() noexcept { return {std::chrono::steady_clock::now(), std::chrono::system_clock::now()}; }

  reader read_;
  reading last_{steady_time::min(), {}};
};

}  // namespace petstore::program
