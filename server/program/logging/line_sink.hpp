// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <spdlog/sinks/base_sink.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace petstore::program {

/// Where log lines end up: a file opened for appending, or standard error. Lines are gathered and written together; a
/// write that fails (full disk, closed pipe) loses the lines gathered, is counted, and the next one is tried afresh.
/// It never throws and never keeps more than `gathered_bytes_max` in memory.
///
/// Thread safety: any thread.
class line_sink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  static constexpr std::size_t gathered_bytes_max = 64 * 1024;

  /// An empty path is standard error. Throws std::system_error when the file cannot be opened.
  explicit line_sink(std::string path);
  ~line_sink() override;

  /// Opens the file anew, for whoever renamed it away. False: it could not be, and the old one stays in use.
  bool reopen();
  std::uint64_t failed_writes() const noexcept { return failed_writes_.load(std::memory_order_relaxed); }

 protected:
  void sink_it_(spdlog::details::log_msg const&) override;
  void flush_() override;

 private:
  std::string const path_;
  int descriptor_;
  bool line_cut_ = false;  ///< the last write ended within a line
  std::string gathered_;
  std::atomic<std::uint64_t> failed_writes_{0};
};

}  // namespace petstore::program
