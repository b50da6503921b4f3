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

/// Limits the lines of each event, so that a fault that comes with every request does not flood the log. The first few
/// lines of a second are written, the others are counted. The count is logged when the second is over.
///
/// Thread safety: any thread.
class repeat_limit {
 public:
  using time = std::chrono::steady_clock::time_point;

  static constexpr std::uint64_t lines_max = 10;  ///< of one event in a period
  static constexpr std::chrono::seconds period{1};
  static constexpr std::size_t events_max = 128;  ///< all further events count as one

  /// Whether a line of this event is to be written.
  bool admit(std::string_view event, time now);

  struct left_out {
    std::string event;
    std::uint64_t lines;
  };
  /// Returns the number of lines left out in the periods that are over, each number once.
  std::vector<left_out> take_left_out(time now);

 private:
  struct repeated {
    std::string event;
    time end{};                    ///< of the open period
    std::uint64_t lines = 0;       ///< in the open period
    std::uint64_t unreported = 0;  ///< left out in earlier periods
  };
  static void close_period(repeated&);
  repeated& find(std::string_view event);

  std::mutex mutex_;
  std::vector<repeated> events_;
};

}  // namespace petstore::program
