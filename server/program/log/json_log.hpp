// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "config/settings.hpp"
#include "petstore/server/access_log.hpp"
#include "petstore/server/log.hpp"

namespace petstore::program {

/// A log file cannot be opened. The sentence begins with the setting that names the file.
struct log_file_error : std::runtime_error {
  log_file_error(std::string_view its_setting, std::string const& sentence, std::error_code its_cause)
      : std::runtime_error(sentence), setting(its_setting), cause(its_cause) {}
  std::string_view setting;  ///< a literal
  std::error_code cause;
};

/// The log and the access log of a server: JSON lines. Threads of their own write them, so that a thread that serves
/// requests never waits for a disk or for the reader of a pipe. The number of lines that wait to be written is limited:
/// beyond it, the log drops its oldest lines, and the access log its newest. Both count them. The two logs have
/// separate queues, so a flood of requests drops no line of the log. Lines of the log are written at once, access lines
/// within `line_writer`'s pause. The destructor writes the rest.
///
/// `adjust` changes at any time which lines are written.
///
/// spdlog writes the log. The access log has its own code (`access_line`, `line_writer`), because every request pays
/// for it. bench/access_log_bench.cpp measures both.
///
/// Thread safety: any thread.
class json_log {
 public:
  static constexpr std::size_t log_queue_max = 1024;
  /// The number of access lines in a second, for each thread that serves, about refusals that cost nobody a token (429,
  /// 5xx, and errors without a valid key). The next line of the thread says how many more there were (`suppressed`).
  static constexpr std::uint64_t limited_lines_max = 100;

  /// Throws log_file_error.
  explicit json_log(log_settings const&);
  ~json_log();

  void write(server::severity, std::string_view event, std::string_view detail, server::log_origin const&) noexcept;

  /// Both functions below have the types that the library takes, and refer to this log. A client may cause an
  /// event with every request or connection, so the lines of one event are limited (`repeat_limit`).
  server::log_function log_function();
  /// Call it once for each thread. The function that it returns writes the access line, unless the access log is off or
  /// sampling leaves the line out. It also writes a line of the log about a slow request (`slow_line`).
  server::access_log_function access_log_function();

  /// Changes the level, the sampling and the limit for slow requests. The destinations stay as they are.
  void adjust(log_settings const&) noexcept;

  /// Logs how many lines were left out since the last time. Call it now and then; the destructor does, too.
  void tell_left_out(std::chrono::steady_clock::time_point now) noexcept;

  /// Opens the files again, after they were renamed. Returns false if one cannot be opened; the old one stays in use.
  bool reopen();

  /// The number of lines that were dropped because a queue was full or a write failed.
  std::uint64_t dropped_lines() const noexcept;
  std::uint64_t failed_writes() const noexcept;

 private:
  void write_slow(server::access_record const&) noexcept;

  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace petstore::program
