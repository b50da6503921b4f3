// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What a search for the capacity of a service found (`--find-capacity`, search/capacity.hpp), as plain values for the
// reports.
//
// Thread safety: that of a plain value.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace petstore::load {

/// How one try went.
struct capacity_try {
  double rate = 0;    ///< what was tried, in requests a second
  bool held = false;  ///< the objective did, and the rate was reached
  /// Then a rate that was not held says nothing of the server. One that was held, was: latency has the tool's own lag
  /// in it.
  bool tool_was_limit = false;
  std::string observed;                         ///< the figures, in words
  unsigned round = 0;                           ///< from 1; filled in by the search
  double answered = 0;                          ///< answers a second
  std::chrono::nanoseconds p50 = {}, p99 = {};  ///< of the latency; zero when nothing was answered
  bool operator==(capacity_try const&) const = default;
};

struct capacity_figures {
  std::string objective;  ///< as it was given
  /// Where each round ended: the highest rate that held below the lowest that did not; 0 when none held.
  std::vector<double> knees;
  double median = 0;  ///< of the knees, as the next two
  double least = 0;
  double most = 0;
  bool tool_was_limit = false;  ///< in one of the rounds the tool, not the objective, was what ended it: "at least"
  bool end_of_range = false;    ///< every rate up to the highest allowed held: "at least", too
  std::vector<capacity_try> tries;
  bool operator==(capacity_figures const&) const = default;
};

}  // namespace petstore::load
