// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace petstore::program {

/// Keeps a fault that comes with every request from flooding the log: of each event the first few lines of a second are
/// written, the others are counted, and the count is told once the second is over.
///
/// Thread safety: any thread.
class repeat_limit {
 public:
  using time = std::chrono::steady_clock::time_point;

  static constexpr std::uint64_t lines_max = 10;  ///< in a period, of one event
  static constexpr std::chrono::seconds period{1};
  static constexpr std::size_t events_max = 64;  ///< told apart; the rest are one event

  /// Whether a line of this event is to be written.
  bool admit(std::string_view event, time now);

  struct left_out {
    std::string event;
    std::uint64_t lines;
  };
  /// What was left out in periods that are over by now, each told once.
  std::vector<left_out> take_left_out(time now);

 private:
  struct repeated {
    std::string event;
    time end{};                ///< of the open period
    std::uint64_t lines = 0;   ///< in the open period
    std::uint64_t untold = 0;  ///< left out in periods before
  };
  static void close_period(repeated&);
  repeated& find(std::string_view event);

  std::mutex mutex_;
  std::vector<repeated> events_;
};

}  // namespace petstore::program
