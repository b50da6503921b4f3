// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "config/settings.hpp"
#include "petstore/server/access_log.hpp"
#include "petstore/server/log.hpp"

namespace petstore::program {

/// A file of the log that cannot be opened: a sentence that begins with its setting.
struct log_file_error : std::runtime_error {
  log_file_error(std::string_view its_setting, std::string const& sentence)
      : std::runtime_error(sentence), setting(its_setting) {}
  std::string_view setting;  ///< a literal
};

/// The log and the access log of a server: JSON lines, written by threads of their own, so that a thread that serves
/// requests never waits for a disk, nor for whoever should read a pipe. What waits to be written is bounded: of the log
/// the oldest lines are dropped, of the access log the newest, and both are counted. The two are separate, so a flood
/// of requests never costs a line of the log. Lines of the log are written at once, access lines within `line_writer`'s
/// pause; the destructor writes what is left.
///
/// Which lines are written may change while it runs: `adjust`.
///
/// spdlog writes the log. The access log has a way of its own (`access_line`, `line_writer`), because every request
/// pays for it: bench/access_log_bench.cpp has both.
///
/// Thread safety: any thread.
class json_log {
 public:
  static constexpr std::size_t log_queue_max = 1024;
  /// In a second, for each thread that serves: access lines of refusals that cost nobody a token (429, and errors
  /// without a valid key). The next line of the thread says how many more there were (`suppressed`).
  static constexpr std::uint64_t limited_lines_max = 100;

  /// Throws log_file_error.
  explicit json_log(log_settings const&);
  ~json_log();

  void write(server::severity, std::string_view event, std::string_view detail, server::log_origin const&) noexcept;

  /// The two as the library takes them; they refer to this log. What the library reports may come with every request,
  /// so warnings and errors of one event are limited (`repeat_limit`).
  server::log_function log_function();
  /// For one thread, each its own. Writes the access line, unless the access log is off or the line is one of those
  /// that sampling leaves out, and a line of the log about a request that was slow (`slow_line`).
  server::access_log_function access_log_function();

  /// From now on the level, the sampling and what is slow are these; where lines go stays as it is.
  void adjust(log_settings const&) noexcept;

  /// Tells how many lines were left out since the last time; to be called now and then, and the destructor does.
  void tell_left_out(std::chrono::steady_clock::time_point now) noexcept;

  /// Opens files anew, after they were renamed away. False: one could not be, and the old one stays in use.
  bool reopen();

  /// Lines that no queue had room for, and lines of writes that failed.
  std::uint64_t dropped_lines() const noexcept;
  std::uint64_t failed_writes() const noexcept;

 private:
  void write_slow(server::access_record const&) noexcept;

  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace petstore::program
