// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The progress of a run: one line on a terminal that is redrawn, or lines of a log otherwise. It decides what to write
// and when; the caller writes it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "figures/recorder.hpp"

namespace petstore::load {

struct live_style {
  bool terminal = false;
  bool colour = false;
  std::size_t width = 80;              ///< columns of the terminal; may change with every update
  std::chrono::nanoseconds planned{};  ///< the planned duration of the run; zero if unknown
};

/// Runs longer than this write a log line every `sparse_lines_every`, shorter ones every second.
inline constexpr std::chrono::minutes sparse_lines_from{1};
inline constexpr std::chrono::seconds sparse_lines_every{10};

struct live_status {
  std::chrono::nanoseconds elapsed{};  ///< since the beginning of the run, after its warm-up
  std::optional<std::chrono::nanoseconds> left;
  bool warming_up = false;
  live_interval last;          ///< of all workers
  tally total;                 ///< since the end of the warm-up
  std::uint64_t errors = 0;    ///< since the beginning
  std::uint64_t withheld = 0;  ///< since the beginning; shown if there are any
};

/// "12 s  500/s  p50 1.20 ms  p99 4.70 ms  errors 0  18 s left". If it is wider than `width` columns, parts of lower
/// weight are left out.
std::string live_text(live_status const&, std::size_t width, bool colour);

/// Not thread-safe: one thread draws.
class live_line {
 public:
  explicit live_line(live_style style) : style_(style) {}

  /// The text to write now; often empty if the output is not a terminal.
  std::string update(live_status const&);
  void resize(std::size_t width) noexcept { style_.width = width; }
  /// The text to write before other output: it clears the terminal's line.
  std::string clear();

 private:
  live_style style_;
  bool drawn_ = false;
  std::optional<std::chrono::nanoseconds> last_line_;
};

}  // namespace petstore::load
