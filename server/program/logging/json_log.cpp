// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "logging/json_log.hpp"

#include <fmt/format.h>
#include <spdlog/async_logger.h>
#include <spdlog/details/periodic_worker.h>
#include <spdlog/details/thread_pool.h>

#include <exception>
#include <optional>
#include <string>
#include <system_error>

#include "logging/json_line.hpp"
#include "logging/line_sink.hpp"

namespace petstore::program {
namespace {

/// One queue, one thread that empties it, one destination.
class stream {
 public:
  stream(std::shared_ptr<line_sink> sink, std::size_t queue_max)  // shared: log and access log may be one file
      : sink_(std::move(sink)),
        thread_(std::make_shared<spdlog::details::thread_pool>(queue_max, 1)),
        logger_(
            std::make_shared<spdlog::async_logger>("", sink_, thread_, spdlog::async_overflow_policy::overrun_oldest)) {
    // Nothing in the sink throws; what remains is memory, and a line lost to that must not end the process.
    logger_->set_error_handler([](std::string const&) {});
  }
  /// Joins the thread first, while the logger that its last lines hold is ours too: ThreadSanitizer does not see the
  /// reference counts that Debian's spdlog drops inside its library, and would report the end of the logger as a race.
  ~stream() { thread_.reset(); }
  stream(stream const&) = delete;
  stream& operator=(stream const&) = delete;

  void write(std::string const& line) { logger_->log(spdlog::level::info, line); }
  void flush() { logger_->flush(); }
  void flush_every_line() { logger_->flush_on(spdlog::level::info); }
  std::uint64_t dropped() const { return thread_->overrun_counter(); }
  std::shared_ptr<line_sink> const& sink() const { return sink_; }

 private:
  std::shared_ptr<line_sink> sink_;
  std::shared_ptr<spdlog::details::thread_pool> thread_;
  std::shared_ptr<spdlog::async_logger> logger_;
};

std::shared_ptr<line_sink> open_sink(std::string_view setting, std::string const& path) {
  try {
    return std::make_shared<line_sink>(path);
  } catch (std::system_error const& failure) {
    throw log_file_error(setting,
                         fmt::format("{}: `{}` cannot be opened: {}", setting, path, failure.code().message()));
  }
}

log_time now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

}  // namespace

struct json_log::impl {
  server::severity level;
  stream log;
  std::optional<stream> access;
  std::optional<spdlog::details::periodic_worker> flusher;  ///< last: it refers to the streams

  explicit impl(log_settings const& s) : level(s.level), log(open_sink("log-file", s.file), log_queue_max) {
    log.flush_every_line();
    if (auto sink = access_sink(s)) access.emplace(std::move(sink), access_queue_max);
    if (access) flusher.emplace([this] { access->flush(); }, flush_interval);
  }

  std::shared_ptr<line_sink> access_sink(log_settings const& s) {
    if (s.access == "off") return nullptr;
    bool const where_the_log_goes = s.access == "log" || s.access == s.file || (s.access == "stderr" && s.file.empty());
    if (where_the_log_goes) return log.sink();
    return open_sink("access-log", s.access == "stderr" ? "" : s.access);
  }
};

json_log::json_log(log_settings const& s) : impl_(std::make_unique<impl>(s)) {}
json_log::~json_log() = default;

void json_log::write(server::severity level, std::string_view event, std::string_view detail,
                     std::string_view request_id) noexcept try {
  if (level < impl_->level) return;
  std::string line;
  append_log_line(line, now(), level, event, detail, request_id);
  impl_->log.write(line);
} catch (std::exception const&) {
  // Out of memory: the line is lost, the request is not.
}

void json_log::write_access(server::access_record const& record) noexcept try {
  if (!impl_->access) return;
  thread_local std::string line;  // keeps its memory from one request to the next
  line.clear();
  append_access_line(line, now(), record);
  impl_->access->write(line);
} catch (std::exception const&) {
  // As above.
}

server::log_function json_log::log_function() {
  return [this](server::severity level, std::string_view event, std::string_view detail, std::string_view request_id) {
    write(level, event, detail, request_id);
  };
}

server::access_log_function json_log::access_log_function() {
  if (!impl_->access) return {};
  return [this](server::access_record const& record) { write_access(record); };
}

bool json_log::reopen() {
  bool const log_open = impl_->log.sink()->reopen();
  return (!impl_->access || impl_->access->sink()->reopen()) && log_open;
}

std::uint64_t json_log::dropped_lines() const noexcept {
  return impl_->log.dropped() + (impl_->access ? impl_->access->dropped() : 0);
}

std::uint64_t json_log::failed_writes() const noexcept {
  auto const& log = impl_->log.sink();
  bool const two_files = impl_->access && impl_->access->sink() != log;
  return log->failed_writes() + (two_files ? impl_->access->sink()->failed_writes() : 0);
}

}  // namespace petstore::program
