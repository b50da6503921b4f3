// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Two runs side by side. A difference is only called one when it is larger than what the intervals of the runs differ
// by among themselves (see resampling.hpp). What changes from run to run on one machine (its temperature, its
// neighbours) is not in that range: only more runs show it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "columns.hpp"
#include "figures/results.hpp"
#include "resampling.hpp"

namespace petstore::load {

struct difference {
  enum class verdict {
    unknown,        ///< too few intervals, or a figure of which intervals say nothing
    within_noise,   ///< no difference within the noise
    few_intervals,  ///< the whole runs differ by more, or the other way, than their intervals do
    better,
    worse,
  };

  std::string name;    ///< "p99"
  std::string before;  ///< the figure of the first run, in words
  std::string after;
  std::optional<double> ratio;       ///< after / before of the whole runs; none where before is 0
  std::optional<ratio_range> noise;  ///< of the ratio of the means of the intervals
  verdict judged = verdict::unknown;
};

struct comparison {
  std::vector<std::string> cautions;  ///< what else the runs differ in, and what they were warned of
  std::vector<difference> differences;
};

comparison compare(results const& before, results const& after);

/// What tells the runs apart for a reader: the names of their files.
struct run_names {
  std::string before;
  std::string after;
};
std::string verdict_text(difference const&);
std::string comparison_table(comparison const&, run_names const&, text_style);
std::string comparison_html(results const& before, results const& after, run_names const&);

}  // namespace petstore::load
