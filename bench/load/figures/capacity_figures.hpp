// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The results of a search for the capacity of a service (`--find-capacity`, search/capacity.hpp), for the reports.
//
// Thread safety: that of a plain value.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace petstore::load {

/// The result of one try.
struct capacity_try {
  double rate = 0;    ///< the rate of the try, in requests a second
  bool held = false;  ///< whether the objective held and the rate was reached
  /// If true, a try that did not hold says nothing about the server. A try that held is valid, since latency includes
  /// the tool's own lag.
  bool tool_was_limit = false;
  std::string observed;                         ///< the figures, in words
  unsigned round = 0;                           ///< from 1; set by the search
  double answered = 0;                          ///< answers a second
  std::chrono::nanoseconds p50 = {}, p99 = {};  ///< latencies; zero if nothing was answered
  bool operator==(capacity_try const&) const = default;
};

struct capacity_figures {
  std::string objective;  ///< the text of the objective
  /// The result of each round: the highest rate that held below the lowest that did not; 0 if none held.
  std::vector<double> knees;
  double median = 0;            ///< the median of the knees
  double least = 0;             ///< the lowest knee
  double most = 0;              ///< the highest knee
  bool tool_was_limit = false;  ///< the tool, not the objective, ended a round, so the capacity may be higher
  bool end_of_range = false;    ///< every rate up to the highest allowed one held, so the capacity may be higher
  std::vector<capacity_try> tries;
  bool operator==(capacity_figures const&) const = default;
};

}  // namespace petstore::load
