// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <array>
#include <cmath>

#include "report/page/over_time.hpp"
#include "report/page/run_charts.hpp"
#include "report/wording.hpp"

namespace petstore::load {
namespace {

using std::chrono::nanoseconds;

struct latency_line {
  char const* name;
  char const* style;
  nanoseconds interval_latency::*figure;
};

/// A chart of lines over time, with a scale that fits them.
void add_latency(plot& to, std::vector<interval_group> const& groups, std::span<latency_line const> lines) {
  for (auto const& line : lines) {
    auto const value = [&](interval_group const& g) {
      return worst_of(g, [&](interval_figures const& i) { return i.latency.*line.figure; });
    };
    to.lines.push_back({line.name, line.style, points_of(groups, value)});
  }
}

/// The values of the tooltip, from lines with a point for each group and one at each end.
void add_line_values(plot& to, std::size_t groups) {
  for (auto const& line : to.lines) {
    to.values.names.push_back(line.name);
    for (std::size_t i = 0; i < groups; ++i) to.values.rows[i].push_back(duration_or_dash(line.points[i + 1].y));
  }
}

}  // namespace

plot latency_plot(results const& found) {
  constexpr latency_line lines[] = {{"max", "line-max", &interval_latency::max},
                                    {"p99", "line-p99", &interval_latency::p99},
                                    {"p90", "line-p90", &interval_latency::p90},
                                    {"p50", "line-p50", &interval_latency::p50}};
  auto const groups = groups_of(found);
  plot p;
  p.description = "Latency from when requests were due, over the time of the run";
  p.y_title = "latency, logarithmic";
  set_time_axis(p, groups);
  add_latency(p, groups, lines);
  p.y = axis::of_durations(lowest(p.lines), highest(p.lines));
  add_times(p.values, groups);
  add_line_values(p, groups.size());
  return p;
}

}  // namespace petstore::load
