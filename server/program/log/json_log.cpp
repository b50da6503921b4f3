// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/json_log.hpp"

#include <fmt/format.h>
#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "log/access_line.hpp"
#include "log/json_line.hpp"
#include "log/line_clock.hpp"
#include "log/line_sink.hpp"
#include "log/line_writer.hpp"
#include "log/repeat_limit.hpp"
#include "log/slow_line.hpp"

namespace petstore::program {
namespace {

log_time now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

/// Whether each line of the event counts: an operator's change, or a quota that a key crosses once in its period.
bool is_never_left_out(std::string_view event) {
  return event == "admin_action" || event == "quota_threshold";
}

/// The queue of the log's lines: spdlog's, with the one thread that empties it.
class log_queue {
 public:
  explicit log_queue(std::shared_ptr<line_sink> sink)
      : thread_(std::make_shared<spdlog::details::thread_pool>(json_log::log_queue_max, 1)),
        logger_(std::make_shared<spdlog::async_logger>("", std::move(sink), thread_,
                                                       spdlog::async_overflow_policy::overrun_oldest)) {
    // The sink does not throw. The only other error is a lack of memory; it costs a line, and must not end the process.
    logger_->set_error_handler([](std::string const&) {});
  }
  /// Joins the thread first, while `logger_` still owns the logger, too. Otherwise the thread's last lines would
  /// destroy the logger. ThreadSanitizer does not see the reference counting inside Debian's spdlog library, and would
  /// report a race.
  ~log_queue() { thread_.reset(); }
  log_queue(log_queue const&) = delete;
  log_queue& operator=(log_queue const&) = delete;

  void write(std::string const& line) { logger_->log(spdlog::level::info, line); }
  std::uint64_t dropped() const { return thread_->overrun_counter(); }

 private:
  std::shared_ptr<spdlog::details::thread_pool> thread_;
  std::shared_ptr<spdlog::async_logger> logger_;
};

/// Decides which lines are written. Every thread reads it for each line. The values are independent of each other, so
/// relaxed order is enough.
struct log_filter {
  explicit log_filter(log_settings const& s) { take(s); }
  void take(log_settings const& s) noexcept {
    level.store(s.level, std::memory_order_relaxed);
    access_one_in.store(s.access_one_in, std::memory_order_relaxed);
    slow_ns.store(std::chrono::nanoseconds(s.slow).count(), std::memory_order_relaxed);
  }
  bool has(server::severity of) const noexcept { return of >= level.load(std::memory_order_relaxed); }
  bool is_slow(std::chrono::nanoseconds duration) const noexcept {
    auto const slow = slow_ns.load(std::memory_order_relaxed);
    return slow != 0 && duration.count() >= slow;
  }

  std::atomic<server::severity> level;
  std::atomic<std::uint32_t> access_one_in;
  std::atomic<std::int64_t> slow_ns;
};

/// Whether anybody can cause any number of these answers without using up a quota: refusals for the rate, errors of the
/// server, which give their tokens back, and errors without a valid key.
bool is_free_of_charge(server::response const& r) {
  return r.status == 429 || r.status >= 500 || (r.status >= 400 && r.notes.key == 0);
}

/// The queue of the access log's lines, with a buffer for each thread.
class access_lines {
 public:
  access_lines(line_sink& sink, log_filter const& f)
      : filter_(f), writer_([&sink](std::string_view lines) { sink.write(lines); }) {}

  /// The access log of one thread that serves requests.
  class thread {
   public:
    thread(line_writer::buffer& l, log_filter const& f, unsigned number) : buffer_(l), filter_(f), random_(number) {}
    void write(server::access_record const& r, bool is_slow) noexcept {
      auto const one_in = filter_.access_one_in.load(std::memory_order_relaxed);
      bool const is_limited = is_free_of_charge(r.response);
      bool const is_sampled = one_in > 1 && !is_slow && r.response.status < 400;  // sampling leaves out no errors
      if (is_sampled && random_() % one_in != 0) return;
      auto const time = clock_.at(r.ended);
      if (is_limited && !admit(time)) {
        ++suppressed_;
        return;
      }
      buffer_.add(access_line::bytes_max(r),
                  [&](char* to) {  // not called for a line that is dropped
                    return line_.write(to, time, r, is_sampled ? one_in : 1, std::exchange(suppressed_, 0));
                  });
    }
    /// The requests since the last line that have no line. Call it when the thread writes no more.
    std::uint64_t suppressed() const noexcept { return suppressed_; }

   private:
    /// Whether one more limited line may be written in this second.
    bool admit(log_time time) noexcept {
      auto const second = std::chrono::floor<std::chrono::seconds>(time);
      if (second != std::exchange(limited_second_, second)) limited_lines_ = 0;
      return limited_lines_++ < json_log::limited_lines_max;
    }

    line_clock clock_;
    access_line line_;
    line_writer::buffer& buffer_;
    log_filter const& filter_;
    std::chrono::sys_seconds limited_second_{};
    std::uint64_t limited_lines_ = 0;  ///< in that second, written or not
    std::uint64_t suppressed_ = 0;
    std::minstd_rand random_;  ///< chance instead of every n-th request, which might always be of the same kind
  };

  thread& add_thread() {
    auto& buffer = writer_.add_buffer();
    std::lock_guard const lock(mutex_);
    auto const number = static_cast<unsigned>(threads_.size() + 1);
    return *threads_.emplace_back(std::make_unique<thread>(buffer, filter_, number));
  }
  std::uint64_t dropped() const { return writer_.dropped_lines(); }
  /// The same of all threads. Call it when no thread writes any more.
  std::uint64_t suppressed() const {
    std::lock_guard const lock(mutex_);
    std::uint64_t count = 0;
    for (auto const& one : threads_) count += one->suppressed();
    return count;
  }

 private:
  std::mutex mutable mutex_;
  std::vector<std::unique_ptr<thread>> threads_;  ///< under mutex_; each object belongs to its thread
  log_filter const& filter_;
  line_writer writer_;
};

std::shared_ptr<line_sink> open_sink(std::string_view setting, std::string const& path) {
  try {
    return std::make_shared<line_sink>(path);
  } catch (std::system_error const& failure) {
    throw log_file_error(setting, fmt::format("{}: `{}` cannot be opened: {}", setting, path, failure.code().message()),
                         failure.code());
  }
}

}  // namespace

struct json_log::impl {
  log_filter filter;
  std::shared_ptr<line_sink> sink;         ///< of the log; shared with spdlog, which requires that
  std::shared_ptr<line_sink> access_sink;  ///< may be the same one; null when the access log is off
  log_queue log;
  repeat_limit repeats;
  std::optional<access_lines> access;

  explicit impl(log_settings const& s)
      : filter(s), sink(open_sink("log-file", s.file)), access_sink(find_access_sink(s)), log(sink) {
    if (access_sink) access.emplace(*access_sink, filter);
  }

  std::shared_ptr<line_sink> find_access_sink(log_settings const& s) const {
    if (s.access == "off") return nullptr;
    bool const where_the_log_goes = s.access == "log" || s.access == s.file || (s.access == "stderr" && s.file.empty());
    if (where_the_log_goes) return sink;
    return open_sink("access-log", s.access);
  }

  bool has_access_file() const { return access_sink && access_sink != sink; }
};

json_log::json_log(log_settings const& s) : impl_(std::make_unique<impl>(s)) {}
json_log::~json_log() {
  tell_left_out(std::chrono::steady_clock::time_point::max());
  if (auto const count = impl_->access ? impl_->access->suppressed() : 0; count > 0) {
    write(server::severity::info, "access_lines_suppressed",
          fmt::format("the access log has no line of the last {} refusals and errors", count), {});
  }
}

void json_log::write(server::severity level, std::string_view event, std::string_view detail,
                     server::log_origin const& origin) noexcept try {
  if (!impl_->filter.has(level)) return;
  std::string line;
  begin_log_line(line, now(), level, event, detail, origin).close();
  impl_->log.write(line);
} catch (std::exception const&) {
  // Out of memory: the line is lost, the request is not.
}

server::log_function json_log::log_function() {
  return [this](server::severity level, std::string_view event, std::string_view detail,
                server::log_origin const& origin) {
    auto const now = std::chrono::steady_clock::now();
    if (!impl_->filter.has(level)) return;
    if (!is_never_left_out(event) && !impl_->repeats.admit(event, now)) return;
    tell_left_out(now);
    write(level, event, detail, origin);
  };
}

server::access_log_function json_log::access_log_function() {
  auto* const own = impl_->access ? &impl_->access->add_thread() : nullptr;
  return [this, own](server::access_record const& r) {
    bool const is_slow = impl_->filter.is_slow(r.duration);
    if (is_slow) write_slow(r);
    if (own) own->write(r, is_slow);
  };
}

void json_log::adjust(log_settings const& s) noexcept {
  impl_->filter.take(s);
}

void json_log::write_slow(server::access_record const& r) noexcept try {
  auto const when = std::chrono::steady_clock::now();
  if (!impl_->filter.has(server::severity::warning) || !impl_->repeats.admit("slow_request", when)) return;
  tell_left_out(when);
  std::string line;
  append_slow_line(line, now(), r);
  impl_->log.write(line);
} catch (std::exception const&) {
  // Out of memory: the line is lost, the request is not.
}

void json_log::tell_left_out(std::chrono::steady_clock::time_point now) noexcept try {
  for (auto const& repeated : impl_->repeats.take_left_out(now)) {
    write(server::severity::warning, "lines_left_out",
          fmt::format("{} more lines of the event {} came too fast", repeated.lines, repeated.event), {});
  }
} catch (std::exception const&) {
  // Out of memory: these lines are lost.
}

bool json_log::reopen() {
  bool const is_log_open = impl_->sink->reopen();
  return (!impl_->has_access_file() || impl_->access_sink->reopen()) && is_log_open;
}

std::uint64_t json_log::dropped_lines() const noexcept {
  return impl_->log.dropped() + (impl_->access ? impl_->access->dropped() : 0) + impl_->sink->lost_lines() +
         (impl_->has_access_file() ? impl_->access_sink->lost_lines() : 0);
}

std::uint64_t json_log::failed_writes() const noexcept {
  return impl_->sink->failed_writes() + (impl_->has_access_file() ? impl_->access_sink->failed_writes() : 0);
}

}  // namespace petstore::program
