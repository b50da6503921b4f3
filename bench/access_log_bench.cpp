// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.

// What does the access log cost the thread that serves requests, and the whole process? Two parts are measured, each
// with a baseline: to format a line (fmt and a growing string), and to hand it over (spdlog's asynchronous logger).
// Lines come a few microseconds apart, as requests do, because a queue that is never empty hides the cost of waking its
// reader. The row without a log has only this distance, to be subtracted from the others. Processor time is that of all
// threads, including the log's.

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/sinks/basic_file_sink.h>

#include <chrono>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include "log/access_line.hpp"
#include "log/line_sink.hpp"
#include "log/line_writer.hpp"
#include "petstore/json.hpp"
#include "petstore/server/address_range.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace petstore;
using namespace petstore::program;

constexpr std::int64_t lines_count = 200'000;

struct answered {
  server::request request;
  server::response response;

  answered() {
    request.target = request.path = "/v1/pets/7";
    request.request_id = "0123456789abcdef";
    request.peer = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 203, 0, 113, 9};
    response.notes.operation = "getPet";
    response.notes.key = 17;
    response.notes.decision = limits::decision::admitted;
  }
  server::access_record record() const { return {request, response, std::chrono::microseconds(12), 724}; }
};

log_time now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

/// The same line, written with a library.
void append_with_fmt(std::string& out, log_time time, server::access_record const& r) {
  auto const text = [&out](std::string_view name, std::string_view value) {
    out.append(",\"").append(name).append("\":");
    append_json_text(out, value);
  };
  auto const& notes = r.response.notes;
  out += R"({"time":")";
  append_rfc3339(out, time);
  out += '"';
  text("request_id", r.request.request_id);
  fmt::format_to(std::back_inserter(out), R"(,"key":"k{}")", notes.key);
  text("peer", server::address_text(r.request.peer));
  text("method", to_string(r.request.method));
  text("path", r.request.path);
  text("operation", notes.operation);
  fmt::format_to(std::back_inserter(out), R"(,"status":{})", r.response.status);
  text("decision", "admitted");
  fmt::format_to(std::back_inserter(out), R"(,"bytes":{},"duration_us":{}}})", r.bytes_sent,
                 std::chrono::duration_cast<std::chrono::microseconds>(r.duration).count());
}

/// The work of a thread between two lines: some five microseconds.
void serve_a_request() {
  std::uint32_t n = 1;
  for (int i = 0; i < 5'000; ++i) benchmark::DoNotOptimize(n = n * 1'664'525 + 1'013'904'223);
}

/// A log to a file in a directory of its own, which is removed at the end of the row. The threads of a row share it.
template <class Log>
struct shared_log {
  tests::temporary_directory directory;
  Log log{(directory / "access.log").string()};
};

struct own_way {
  explicit own_way(std::string const& path)
      : sink(path), writer([this](std::string_view lines) { sink.write(lines); }) {}

  class thread {
   public:
    explicit thread(own_way& w) : buffer_(w.writer.add_buffer()) {}
    void write(server::access_record const& r) {
      buffer_.add(access_line::bytes_max(r), [&](char* to) { return line_.write(to, now(), r); });
    }

   private:
    access_line line_;
    line_writer::buffer& buffer_;
  };
  std::uint64_t dropped() const { return writer.dropped_lines(); }

  line_sink sink;
  line_writer writer;
};

/// spdlog with the queue and the interval of flushes that the service used before.
struct spdlog_way {
  explicit spdlog_way(std::string const& path)
      : pool(std::make_shared<spdlog::details::thread_pool>(8192, 1)),
        logger(std::make_shared<spdlog::async_logger>("", std::make_shared<spdlog::sinks::basic_file_sink_mt>(path),
                                                      pool, spdlog::async_overflow_policy::overrun_oldest)) {
    logger->set_pattern("%v");
  }
  ~spdlog_way() { pool.reset(); }

  class thread {
   public:
    explicit thread(spdlog_way& w) : logger_(*w.logger) {}
    void write(server::access_record const& r) {
      line_.clear();
      append_with_fmt(line_, now(), r);
      logger_.log(spdlog::level::info, line_);
    }

   private:
    std::string line_;
    spdlog::async_logger& logger_;
  };
  std::uint64_t dropped() const { return pool->overrun_counter(); }

  std::shared_ptr<spdlog::details::thread_pool> pool;
  std::shared_ptr<spdlog::async_logger> logger;
};

void BM_make_line_own(benchmark::State& state) {
  answered const a;
  access_line line;
  std::string space(access_line::bytes_max(a.record()), ' ');
  for (auto _ : state) benchmark::DoNotOptimize(line.write(space.data(), now(), a.record()));
}
BENCHMARK(BM_make_line_own);

void BM_make_line_fmt(benchmark::State& state) {
  answered const a;
  std::string line;
  for (auto _ : state) {
    line.clear();
    append_with_fmt(line, now(), a.record());
    benchmark::DoNotOptimize(line.data());
  }
}
BENCHMARK(BM_make_line_fmt);

void BM_serve_without_log(benchmark::State& state) {
  for (auto _ : state) serve_a_request();
}
BENCHMARK(BM_serve_without_log)
    ->Iterations(lines_count)
    ->Threads(1)
    ->Threads(2)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

template <class Log>
void BM_serve_with_log(benchmark::State& state) {
  static std::optional<shared_log<Log>> shared;  // for the threads of one row; the first creates and destroys it
  if (state.thread_index() == 0) shared.emplace();
  answered const a;
  std::optional<typename Log::thread> thread;
  for (auto _ : state) {
    if (!thread) thread.emplace(shared->log);  // all threads have passed the barrier, so the log exists
    serve_a_request();
    thread->write(a.record());
  }
  if (state.thread_index() != 0) return;
  state.counters["dropped"] = static_cast<double>(shared->log.dropped());
  shared.reset();
}
BENCHMARK_TEMPLATE(BM_serve_with_log, own_way)
    ->Iterations(lines_count)
    ->Threads(1)
    ->Threads(2)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_TEMPLATE(BM_serve_with_log, spdlog_way)
    ->Iterations(lines_count)
    ->Threads(1)
    ->Threads(2)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
