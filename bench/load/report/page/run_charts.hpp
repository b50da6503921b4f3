// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The charts of a run. A run of many intervals is drawn with at most `points_max` points. For intervals that share a
// point, the rates are added up, and the worst latency and reading is shown.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "figures/results.hpp"
#include "report/page/plot.hpp"

namespace petstore::load {

inline constexpr std::size_t points_max = 480;

/// The classes of outcomes in reports, in the order of their bands.
struct outcome_class {
  std::string name;   ///< "2xx", "429", "no answer"
  std::string style;  ///< a class of page.css, with a pattern of its own
  std::uint64_t count = 0;
};
std::vector<outcome_class> outcomes_of(tally const&);

/// The kinds of errors that occurred, the most frequent first.
std::vector<outcome_class> errors_of(results const&);

plot throughput_plot(results const&);
plot latency_plot(results const&);
/// The share of each class of outcomes; a class that occurred is always visible.
plot outcome_plot(results const&);

/// Errors a second, by kind, when they became known.
plot error_plot(results const&);

struct named_histogram {
  std::string name;
  std::string style;
  histogram const& values;
};
/// Latency at each percentile, up to the last one with a request beyond it. Empty histograms are left out.
plot percentile_plot(std::span<named_histogram const>);

/// For each quota of a key, a chart of the remaining tokens; then a chart of admitted and refused requests.
std::vector<plot> quota_plots(results const&, key_figures const&);

}  // namespace petstore::load
