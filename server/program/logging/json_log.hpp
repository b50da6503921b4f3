// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "config/settings.hpp"
#include "petstore/server/log.hpp"

namespace petstore::program {

/// A file of the log that cannot be opened: a sentence that begins with its setting.
struct log_file_error : std::runtime_error {
  log_file_error(std::string_view its_setting, std::string const& sentence)
      : std::runtime_error(sentence), setting(its_setting) {}
  std::string_view setting;  ///< a literal
};

/// The log and the access log of a server: JSON lines, written by threads of their own, so that a thread that serves
/// requests never waits for a disk, nor for whoever should read a pipe. Each has a bounded queue; when one is full, its
/// oldest lines are dropped and counted. The two queues are separate, so a flood of requests never costs a line of the
/// log. Lines of the log are written at once, access lines within a second; the destructor writes what is left.
///
/// Thread safety: any thread.
class json_log {
 public:
  static constexpr std::size_t log_queue_max = 1024;
  static constexpr std::size_t access_queue_max = 8192;
  static constexpr std::chrono::seconds flush_interval{1};

  /// Throws log_file_error.
  explicit json_log(log_settings const&);
  ~json_log();

  void write(server::severity, std::string_view event, std::string_view detail, std::string_view request_id) noexcept;
  void write_access(server::access_record const&) noexcept;

  /// The two as the library takes them; they refer to this log.
  server::log_function log_function();
  server::access_log_function access_log_function();  ///< empty when the access log is off

  /// Opens files anew, after they were renamed away. False: one could not be, and the old one stays in use.
  bool reopen();

  std::uint64_t dropped_lines() const noexcept;
  std::uint64_t failed_writes() const noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace petstore::program
