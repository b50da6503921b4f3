// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Compares two runs. A difference counts only if it is larger than the differences between the intervals of each run
// (see resampling.hpp). Differences from run to run on one machine (temperature, other programs) are not in that range:
// only more runs show them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "columns.hpp"
#include "figures/results.hpp"
#include "parsed.hpp"
#include "resampling.hpp"

namespace petstore::load {

struct difference {
  enum class verdict {
    unknown,        ///< too few intervals, or a figure that intervals do not have
    within_noise,   ///< no difference beyond the noise
    few_intervals,  ///< the whole runs differ by more than their intervals, or in the other direction
    better,
    worse,
  };

  std::string name;    ///< "p99"
  std::string before;  ///< the figure of the first run, in words
  std::string after;
  std::optional<double> ratio;       ///< after / before of the whole runs; nullopt if before is 0
  std::optional<ratio_range> noise;  ///< the range of the ratio of the intervals' means
  verdict judged = verdict::unknown;
};

struct comparison {
  std::vector<std::string> cautions;  ///< other differences of the runs, and their warnings
  std::vector<difference> differences;
};

comparison compare(results const& before, results const& after);

/// The names of the runs for readers: those of their files.
struct run_names {
  std::string before;
  std::string after;
};
std::string verdict_text(difference const&);
std::string comparison_table(comparison const&, run_names const&, text_style);

/// Reads a condition of `compare --fail-if`: the name of a figure and the word `worse`, as "p99 worse". Returns the
/// name.
parsed<std::string> parse_comparison_condition(std::string_view);
/// Whether that figure is worse beyond the noise. One that the runs do not have, or that too few intervals show, counts
/// as failed, because nothing is known of it.
judged_condition judged(std::string const& name, comparison const&);

}  // namespace petstore::load
