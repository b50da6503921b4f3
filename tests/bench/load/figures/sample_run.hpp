// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A run that was never measured, for tests of what is told of runs: everything that results can hold is in it.
#pragma once

#include <string>

#include "figures/results.hpp"

namespace petstore::load {

struct sample {
  int seconds = 20;
  double slower = 1;                ///< factor on all latencies
  std::string operation = "adopt";  ///< the name of the last of three operations
  std::uint64_t seed = 1;
  bool stalls = true;  ///< the server stands still for almost a second after half of the run
};

/// A search of two rounds, with a try whose service was broken.
capacity_figures sample_capacity();

results sample_run(sample const&);

/// A request of the first operation that was answered with 200 after `latency`, sent when it was due.
answered answer_of(instant begin, std::chrono::nanoseconds due, std::chrono::nanoseconds latency);

inline constexpr instant sample_begin{std::chrono::hours(5)};

}  // namespace petstore::load
