// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "admin/busiest.hpp"
#include "admin/metrics_text.hpp"
#include "admin/process_figures.hpp"
#include "petstore/server/metrics.hpp"

namespace petstore::program {

/// What the console reads once a second: everything counted so far, and the state.
struct observation {
  std::chrono::steady_clock::time_point at;
  std::int64_t unix_ms = 0;
  server::metrics_reading requests;
  figures state;
  process_figures process;
  bool draining = false;
  bool store_ready = true;
  bool quotas_ready = true;
  bool has_actions = false;        ///< whether the page may do something
  std::vector<std::string> plans;  ///< that a key may get
};

/// What happened between two observations, as the console's page reads it: one JSON object on one line. Rates are per
/// second. Percentiles are worked out of the histogram as Prometheus does (linear within a bucket), in milliseconds;
/// null where nothing was asked.
std::string render_sample(observation const& before, observation const& now, std::span<key_rate const> by_use,
                          std::span<key_rate const> by_refusals);

/// The duration in microseconds below which `share` of what the histogram counted lies; not a number when it is empty.
/// Above the last bound: the last bound.
double quantile_us(std::span<std::uint64_t const> counts, std::span<std::uint64_t const> bounds_us, double share);

}  // namespace petstore::program
