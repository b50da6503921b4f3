// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <prometheus/metric_family.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "admin/figures.hpp"
#include "admin/process_figures.hpp"
#include "petstore/server/counters.hpp"
#include "petstore/server/metrics.hpp"

namespace petstore::program {

/// What the page of metrics shows, read at one moment.
struct metric_sources {
  server::metrics_reading const& requests;
  figures const& node;
  process_figures process;
};

/// Writes the samples of one family.
class sample_writer {
 public:
  using labels = std::vector<prometheus::ClientMetric::Label>;

  explicit sample_writer(prometheus::MetricFamily& to) : to_{to} {}
  /// Adds a counter or a gauge, as the family's type says.
  void add(labels l, auto value) { set(std::move(l), static_cast<double>(value)); }
  /// Adds the only sample of the family.
  void add(auto value) { set({}, static_cast<double>(value)); }
  /// Adds a histogram. `buckets` is not cumulative; its last one has no bound.
  void add_durations(labels, std::span<std::uint64_t const> bounds_us, std::span<std::uint64_t const> buckets,
                     std::uint64_t sum_ns);

 private:
  void set(labels, double value);

  prometheus::MetricFamily& to_;
};

/// A family of metrics: its row in docs/metrics.md and on the page.
struct metric_family {
  std::string_view name;
  prometheus::MetricType type;
  std::string_view help;     ///< a sentence, for both
  std::string_view labels;   ///< for the manual, in Markdown; empty: none
  std::string_view details;  ///< what the manual says after the help, in Markdown; may be empty
  void (*write)(sample_writer&, metric_sources const&);
};

/// Families that are there together. Those that threads count for themselves follow from `server::counter_families`.
struct metric_section {
  std::string_view title;                           ///< in the manual; says with which setting the section is there
  bool (*is_there)(figures const&);                 ///< whether the page has it
  std::span<metric_family const> families;          ///< the first ones
  std::optional<server::counter_group> counters{};  ///< those that follow
};

/// All sections in the order of the page.
std::span<metric_section const> metric_sections();

}  // namespace petstore::program
