// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What is shown while a run goes on: one line, drawn again and again where a terminal listens, lines of a log
// elsewhere. Decides what to write and when; the caller writes it.
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
  std::chrono::nanoseconds planned{};  ///< of the run; zero when unknown
};

/// Runs longer than this write a line of their log every `sparse_lines_every`, shorter ones every second.
inline constexpr std::chrono::minutes sparse_lines_from{1};
inline constexpr std::chrono::seconds sparse_lines_every{10};

struct live_status {
  std::chrono::nanoseconds elapsed{};  ///< since the beginning of the run, after its warm-up
  std::optional<std::chrono::nanoseconds> left;
  bool warming_up = false;
  live_interval last;          ///< of all workers
  std::uint64_t errors = 0;    ///< since the beginning
  std::uint64_t withheld = 0;  ///< likewise; shown when there are any
};

/// "12 s  500/s  p50 1.20 ms  p99 4.70 ms  errors 0  18 s left", cut to `width` columns; parts of less weight go
/// first.
std::string live_text(live_status const&, std::size_t width, bool colour);

/// Not thread-safe: one thread draws.
class live_line {
 public:
  explicit live_line(live_style style) : style_(style) {}

  /// What to write now; often nothing, where no terminal listens.
  std::string update(live_status const&);
  void resize(std::size_t width) noexcept { style_.width = width; }
  /// What to write before anything else is written: the terminal's line is wiped.
  std::string clear();

 private:
  live_style style_;
  bool drawn_ = false;
  std::optional<std::chrono::nanoseconds> last_line_;
};

}  // namespace petstore::load
