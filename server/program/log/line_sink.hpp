// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <spdlog/sinks/base_sink.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace petstore::program {

/// Writes lines of the log to a file opened for appending, to standard error, or to standard output. It takes whole
/// lines, one from spdlog or many at once, so that the log and the access log can share a sink. A write that fails
/// (full disk, closed pipe) loses its lines; they are counted, and the next write is tried as usual. It buffers nothing
/// and never throws. For a pipe or terminal that nobody reads it waits once, as long as `patience`. After that, lines
/// are lost and counted at once until somebody reads again.
///
/// Thread safety: any thread. `reopen` never waits for a thread that writes.
class line_sink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  static constexpr std::chrono::milliseconds patience{1000};

  /// An empty path and `stderr` are standard error, `stdout` is standard output. Throws std::system_error when the file
  /// cannot be opened.
  explicit line_sink(std::string const& path);
  ~line_sink() override;

  /// Lines with their ends.
  void write(std::string_view lines) noexcept;

  /// Opens the file again, after it was renamed; the next line goes to the new file. Returns false if it cannot be
  /// opened; the old one stays in use. A standard stream stays as it is.
  bool reopen();
  std::uint64_t lost_lines() const noexcept { return lost_lines_.load(std::memory_order_relaxed); }
  std::uint64_t failed_writes() const noexcept { return failed_writes_.load(std::memory_order_relaxed); }

 protected:
  void sink_it_(spdlog::details::log_msg const&) override;
  void flush_() override {}

 private:
  void take_fresh_descriptor();
  void write_or_lose(std::string_view lines) noexcept;
  std::size_t write_some(std::string_view bytes) noexcept;
  bool wait_until_writable();

  std::string const path_;                 ///< empty: a standard stream, which is never closed
  std::atomic<int> fresh_descriptor_{-1};  ///< handed from `reopen` to the thread that writes next
  std::atomic<std::uint64_t> failed_writes_{0};
  std::atomic<std::uint64_t> lost_lines_{0};

  // Under the mutex of the base class.
  int descriptor_;
  bool may_block_ = true;  ///< not a file on a disk
  bool stuck_ = false;     ///< nobody reads the pipe or terminal
  bool line_cut_ = false;  ///< the last write ended within a line
  std::string line_;       ///< a line from spdlog, with its line end
};

}  // namespace petstore::program
