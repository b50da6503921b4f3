// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "serve/metrics_text.hpp"

#include <fmt/format.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "serve/process_figures.hpp"

namespace petstore::program {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using labels = std::vector<ClientMetric::Label>;

class page {
 public:
  void begin(std::string name, std::string help, MetricType type) {
    families_.push_back({std::move(name), std::move(help), type, {}});
  }
  void counter(labels l, double value) {
    auto& metric = families_.back().metric.emplace_back();
    metric.label = std::move(l);
    metric.counter.value = value;
  }
  void gauge(labels l, double value) {
    auto& metric = families_.back().metric.emplace_back();
    metric.label = std::move(l);
    metric.gauge.value = value;
  }
  ClientMetric::Histogram& histogram(labels l) {
    auto& metric = families_.back().metric.emplace_back();
    metric.label = std::move(l);
    return metric.histogram;
  }
  void single_gauge(std::string name, std::string help, double value) {
    begin(std::move(name), std::move(help), MetricType::Gauge);
    gauge({}, value);
  }
  void single_counter(std::string name, std::string help, double value) {
    begin(std::move(name), std::move(help), MetricType::Counter);
    counter({}, value);
  }
  std::string text() const { return prometheus::TextSerializer().prometheus::Serializer::Serialize(families_); }

 private:
  std::vector<MetricFamily> families_;
};

double number(auto n) {
  return static_cast<double>(n);
}

void add_requests(page& out, server::metrics_reading const& reading) {
  out.begin("petstore_http_requests_total", "Answers by operation and class of status.", MetricType::Counter);
  for (auto const& op : reading.operations) {
    for (std::size_t i = 0; i < op.by_status_class.size(); ++i) {
      if (op.by_status_class[i] == 0) continue;
      out.counter({{"operation", op.name}, {"status", fmt::format("{}xx", i + 1)}}, number(op.by_status_class[i]));
    }
  }
}

void add_latency(page& out, server::metrics_reading const& reading) {
  out.begin("petstore_http_request_duration_seconds", "Time from a request to its answer.", MetricType::Histogram);
  for (auto const& op : reading.operations) {
    std::uint64_t cumulative = 0;
    std::vector<ClientMetric::Bucket> buckets;
    for (std::size_t i = 0; i < op.latency.size(); ++i) {
      cumulative += op.latency[i];
      bool const last = i == server::latency_bounds_us.size();
      auto const bound = last ? std::numeric_limits<double>::infinity() : number(server::latency_bounds_us[i]) / 1e6;
      buckets.push_back({cumulative, bound});
    }
    if (cumulative == 0) continue;
    auto& histogram = out.histogram({{"operation", op.name}});
    histogram.sample_count = cumulative;
    histogram.sample_sum = number(op.latency_sum_ns) / 1e9;
    histogram.bucket = std::move(buckets);
  }
}

void add_decisions(page& out, server::metrics_reading const& reading) {
  static constexpr std::array names{"admitted", "rate_limited", "banned", "observed"};  // as limits::decision
  out.begin("petstore_limiter_decisions_total", "What the limiter decided.", MetricType::Counter);
  for (std::size_t i = 0; i < names.size(); ++i) out.counter({{"decision", names[i]}}, number(reading.decisions[i]));

  out.begin("petstore_http_protocol_refusals_total", "Answers to what never became a request, by status.",
            MetricType::Counter);
  for (auto const& [status, count] : reading.protocol_refusals) {
    out.counter({{"status", std::to_string(status)}}, number(count));
  }
}

void add_figures(page& out, figures const& f) {
  out.begin("petstore_build_info", "1; the label says which build this is.", MetricType::Gauge);
  out.gauge({{"version", f.version}, {"compiler", __VERSION__}}, 1);
  out.single_gauge("petstore_ready", "1 when the process should get traffic.", f.ready ? 1 : 0);
  out.single_gauge("petstore_connections", "Open connections of the public listener.", number(f.connections));
  out.single_gauge("petstore_connections_max", "The setting max-connections.", number(f.connections_max));
  out.single_gauge("petstore_threads", "Threads that serve requests.", number(f.threads));
  out.single_gauge("petstore_keys", "API keys that are not revoked.", number(f.keys));
  out.single_counter("petstore_log_lines_dropped_total",
                     "Lines of the log that were lost: no room to keep them, or a write failed.",
                     number(f.log_lines_dropped));
  out.single_counter("petstore_log_writes_failed_total", "Writes of the log that failed (disk full, pipe closed).",
                     number(f.log_writes_failed));
}

void add_process(page& out, process_figures const& p) {
  out.single_gauge("process_start_time_seconds", "When the process started, in Unix time.", p.start_unix_s);
  out.single_counter("process_cpu_seconds_total", "Processor time, user and system.", p.cpu_s);
  out.single_gauge("process_resident_memory_bytes", "Memory in use.", p.resident_bytes);
  out.single_gauge("process_open_fds", "Open file descriptors.", p.open_files);
  out.single_gauge("process_max_fds", "Most file descriptors the process may open.", p.open_files_max);
}

}  // namespace

std::string metrics_text(server::metrics_reading const& reading, figures const& f) {
  page out;
  add_requests(out, reading);
  add_latency(out, reading);
  add_decisions(out, reading);
  add_figures(out, f);
  add_process(out, read_process_figures());
  return out.text();
}

}  // namespace petstore::program
