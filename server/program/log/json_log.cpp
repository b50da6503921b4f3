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
#include "log/line_sink.hpp"
#include "log/line_writer.hpp"
#include "log/repeat_limit.hpp"
#include "log/slow_line.hpp"

namespace petstore::program {
namespace {

log_time now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

/// The way of the log's lines: spdlog's queue and the one thread that empties it.
class log_queue {
 public:
  explicit log_queue(std::shared_ptr<line_sink> sink)
      : thread_(std::make_shared<spdlog::details::thread_pool>(json_log::log_queue_max, 1)),
        logger_(std::make_shared<spdlog::async_logger>("", std::move(sink), thread_,
                                                       spdlog::async_overflow_policy::overrun_oldest)) {
    // Nothing in the sink throws; what remains is memory, and a line lost to that must not end the process.
    logger_->set_error_handler([](std::string const&) {});
  }
  /// Joins the thread first, while the logger that its last lines hold is ours too: ThreadSanitizer does not see the
  /// reference counts that Debian's spdlog drops inside its library, and would report the end of the logger as a race.
  ~log_queue() { thread_.reset(); }
  log_queue(log_queue const&) = delete;
  log_queue& operator=(log_queue const&) = delete;

  void write(std::string const& line) { logger_->log(spdlog::level::info, line); }
  std::uint64_t dropped() const { return thread_->overrun_counter(); }

 private:
  std::shared_ptr<spdlog::details::thread_pool> thread_;
  std::shared_ptr<spdlog::async_logger> logger_;
};

/// Which lines are written. Read for each line, by every thread; each value stands for itself, so relaxed is enough.
struct log_choice {
  explicit log_choice(log_settings const& s) { take(s); }
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

/// An answer of which whoever likes to may have any number, at no cost of a quota: a refusal for the rate, or an error
/// without a valid key.
bool is_for_anybody(server::response const& r) {
  return r.status == 429 || (r.status >= 400 && r.notes.key == 0);
}

/// The way of the access log's lines.
class access_lines {
 public:
  access_lines(line_sink& sink, log_choice const& c)
      : choice_(c), writer_([&sink](std::string_view lines) { sink.write(lines); }) {}

  /// What one thread that serves requests writes with.
  class thread {
   public:
    thread(line_writer::buffer& l, log_choice const& c, unsigned number) : buffer_(l), choice_(c), dice_(number) {}
    void write(server::access_record const& r, bool is_slow) noexcept try {
      auto const one_in = choice_.access_one_in.load(std::memory_order_relaxed);
      bool const is_limited = is_for_anybody(r.response);
      bool const is_sampled = one_in > 1 && !is_slow && r.response.status < 400;  // errors have to be found
      if (is_sampled && dice_() % one_in != 0) return;
      auto const time = now();
      if (is_limited && !admit(time)) {
        ++suppressed_;
        return;
      }
      buffer_.add(line_.format(time, r, is_sampled ? one_in : 1, suppressed_));
      suppressed_ = 0;
    } catch (std::exception const&) {
      buffer_.count_dropped_line();  // out of memory: the line is lost, the request is not
    }
    /// Those that no line has told of. Once the thread writes no more.
    std::uint64_t suppressed() const noexcept { return suppressed_; }

   private:
    /// Whether this second has room for one more line of the kind that anybody may have any number of.
    bool admit(log_time time) noexcept {
      auto const second = std::chrono::floor<std::chrono::seconds>(time);
      if (second != std::exchange(limited_second_, second)) limited_lines_ = 0;
      return limited_lines_++ < json_log::limited_lines_max;
    }

    access_line line_;
    line_writer::buffer& buffer_;
    log_choice const& choice_;
    std::chrono::sys_seconds limited_second_{};
    std::uint64_t limited_lines_ = 0;  ///< in that second, written or not
    std::uint64_t suppressed_ = 0;
    std::minstd_rand dice_;  ///< not every n-th request: what comes in a rhythm would be seen wholly or not at all
  };

  thread& add_thread() {
    auto& buffer = writer_.add_buffer();
    std::lock_guard const lock(mutex_);
    auto const number = static_cast<unsigned>(threads_.size() + 1);
    return *threads_.emplace_back(std::make_unique<thread>(buffer, choice_, number));
  }
  std::uint64_t dropped() const { return writer_.dropped_lines(); }
  /// Requests that no line has told of. Once no thread writes any more.
  std::uint64_t suppressed() const {
    std::lock_guard const lock(mutex_);
    std::uint64_t count = 0;
    for (auto const& one : threads_) count += one->suppressed();
    return count;
  }

 private:
  std::mutex mutable mutex_;
  std::vector<std::unique_ptr<thread>> threads_;  ///< with mutex_; what they point to is their thread's
  log_choice const& choice_;
  line_writer writer_;
};

std::shared_ptr<line_sink> open_sink(std::string_view setting, std::string const& path) {
  try {
    return std::make_shared<line_sink>(path);
  } catch (std::system_error const& failure) {
    throw log_file_error(setting,
                         fmt::format("{}: `{}` cannot be opened: {}", setting, path, failure.code().message()));
  }
}

}  // namespace

struct json_log::impl {
  log_choice choice;
  std::shared_ptr<line_sink> sink;         ///< of the log; shared with spdlog, which wants that
  std::shared_ptr<line_sink> access_sink;  ///< may be the same one; null when the access log is off
  log_queue log;
  repeat_limit repeats;
  std::optional<access_lines> access;

  explicit impl(log_settings const& s)
      : choice(s), sink(open_sink("log-file", s.file)), access_sink(find_access_sink(s)), log(sink) {
    if (access_sink) access.emplace(*access_sink, choice);
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
          fmt::format("the access log has no line of the last {} refusals", count), {});
  }
}

void json_log::write(server::severity level, std::string_view event, std::string_view detail,
                     server::log_origin const& origin) noexcept try {
  if (!impl_->choice.has(level)) return;
  std::string line;
  begin_log_line(line, now(), level, event, detail, origin).close();
  impl_->log.write(line);
} catch (std::exception const&) {
  // Out of memory: the line is lost, the request is not.
}

server::log_function json_log::log_function() {
  return [this](server::severity level, std::string_view event, std::string_view detail,
                server::log_origin const& origin) {
    if (level >= server::severity::warning) {
      auto const now = std::chrono::steady_clock::now();
      if (!impl_->repeats.admit(event, now)) return;
      tell_left_out(now);
    }
    write(level, event, detail, origin);
  };
}

server::access_log_function json_log::access_log_function() {
  auto* const own = impl_->access ? &impl_->access->add_thread() : nullptr;
  return [this, own](server::access_record const& r) {
    bool const is_slow = impl_->choice.is_slow(r.duration);
    if (is_slow) write_slow(r);
    if (own) own->write(r, is_slow);
  };
}

void json_log::adjust(log_settings const& s) noexcept {
  impl_->choice.take(s);
}

void json_log::write_slow(server::access_record const& r) noexcept try {
  auto const when = std::chrono::steady_clock::now();
  if (!impl_->choice.has(server::severity::warning) || !impl_->repeats.admit("slow_request", when)) return;
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
  // As above.
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
