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

/// One reading for the console, which takes one a second: all counters, and the state.
struct observation {
  std::chrono::steady_clock::time_point at;
  std::int64_t unix_ms = 0;
  server::metrics_reading requests;
  figures state;
  process_figures process;
  bool draining = false;
  bool store_ready = true;
  bool quotas_ready = true;
  bool has_actions = false;        ///< whether the console may act
  std::vector<std::string> plans;  ///< the plans that a key may get
  std::string node;                ///< the name of this machine
  std::string environment;         ///< of the store
  std::string service;             ///< the public address
};

/// Makes the text that the console's page shows, from two observations: a JSON object on one line. Rates are per
/// second. Percentiles are in milliseconds, computed from the histogram as Prometheus does (linear within a bucket);
/// null if there was no request.
std::string render_sample(observation const& before, observation const& now, std::span<key_rate const> by_use,
                          std::span<key_rate const> by_refusals);

/// Returns the duration in microseconds below which a share of the counted durations lies: NaN for an empty histogram,
/// the last bound for durations above it.
double quantile_us(std::span<std::uint64_t const> counts, std::span<std::uint64_t const> bounds_us, double share);

}  // namespace petstore::program
