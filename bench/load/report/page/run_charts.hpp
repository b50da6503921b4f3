// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What a run found as charts. A run of many intervals is drawn in at most `points_max` points: of those that share one,
// rates are added up, and of latencies and readings the worst is shown.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "figures/results.hpp"
#include "report/page/plot.hpp"

namespace petstore::load {

inline constexpr std::size_t points_max = 480;

/// The classes into which reports sort what came of requests, in the order of their bands.
struct outcome_class {
  std::string name;   ///< "2xx", "429", "no answer"
  std::string style;  ///< a class of page.css, with a pattern of its own
  std::uint64_t count = 0;
};
std::vector<outcome_class> outcomes_of(tally const&);

plot throughput_plot(results const&);
plot latency_plot(results const&);
/// The share of each class of outcomes; what occurred at all can be seen.
plot outcome_plot(results const&);

struct named_histogram {
  std::string name;
  std::string style;
  histogram const& values;
};
/// Latency at each percentile, up to the last that has a request beyond it. Those that are empty are left out.
plot percentile_plot(std::span<named_histogram const>);

/// What a key's quotas had left, a chart for each, and after them what was admitted and refused.
std::vector<plot> quota_plots(results const&, key_figures const&);

/// p50 and p99 of two runs over their time.
plot latency_plot_of_two(results const& before, results const& after);

}  // namespace petstore::load
