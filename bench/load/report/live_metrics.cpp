// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/live_metrics.hpp"

#include <array>
#include <charconv>
#include <chrono>

namespace petstore::load {
namespace {

std::string number(double value) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

/// Writes one metric after the other.
class exposition {
 public:
  void begin(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_.append("# HELP ").append(name).append(" ").append(help).append("\n");
    text_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
  }
  void sample(std::string const& value, std::string_view labels = {}) {
    text_.append(name_).append(labels).append(" ").append(value).append("\n");
  }
  void counter(std::string_view name, std::string_view help, std::uint64_t value) {
    begin(name, "counter", help);
    sample(std::to_string(value));
  }
  std::string take() { return std::move(text_); }

 private:
  std::string_view name_;
  std::string text_;
};

double in_seconds(std::chrono::nanoseconds d) noexcept {
  return std::chrono::duration<double>(d).count();
}

void write_answers(exposition& out, tally const& all) {
  out.begin("petstore_load_answers_total", "counter", "Answers to all attempts, by class of status.");
  constexpr std::array<std::string_view, 6> classes{"other", "1xx", "2xx", "3xx", "4xx", "5xx"};
  for (std::size_t i = 0; i < classes.size(); ++i)
    out.sample(std::to_string(all.classes[i]), "{status=\"" + std::string(classes[i]) + "\"}");
  out.sample(std::to_string(all.too_many), "{status=\"429\"}");
}

void write_latency(exposition& out, live_interval const& last) {
  out.begin("petstore_load_latency_seconds", "gauge",
            "Quantiles of latency in the last second, from when requests were due.");
  if (last.latency.empty()) return;
  for (double const q : {0.5, 0.9, 0.99, 0.999})
    out.sample(number(in_seconds(last.latency.quantile(q))), "{quantile=\"" + number(q) + "\"}");
  out.sample(number(in_seconds(last.latency.max())), "{quantile=\"1\"}");
}

}  // namespace

std::string live_metrics(live_status const& now) {
  exposition out;
  out.begin("petstore_load_elapsed_seconds", "gauge", "Time since the end of the warm-up.");
  out.sample(number(in_seconds(now.elapsed)));
  write_answers(out, now.total);
  out.counter("petstore_load_errors_total", "Requests that failed.", now.total.errors);
  out.counter("petstore_load_retried_total", "Attempts that were tried again.", now.total.retried);
  out.counter("petstore_load_withheld_total", "Due requests that were not sent because every key paused.",
              now.withheld);
  out.counter("petstore_load_received_bytes_total", "Bytes received.", now.total.bytes_in);
  out.counter("petstore_load_sent_bytes_total", "Bytes sent.", now.total.bytes_out);
  write_latency(out, now.last);
  return out.take();
}

}  // namespace petstore::load
