// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Common parts of charts over the time of a run: groups of intervals as points, and the axis of time.
#pragma once

#include <chrono>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "figures/results.hpp"
#include "report/page/plot.hpp"

namespace petstore::load {

double seconds_of(std::chrono::nanoseconds) noexcept;

/// Intervals of the results that share a point of a chart. The results must outlive it.
struct interval_group {
  std::span<interval_figures const> intervals;
  std::size_t first = 0;  ///< index of the first

  double begin() const noexcept { return seconds_of(intervals.front().begin); }
  double end() const noexcept { return seconds_of(intervals.back().begin + intervals.back().width); }
  double middle() const noexcept { return (begin() + end()) / 2; }
  double width() const noexcept { return std::max(end() - begin(), 1e-9); }
};

/// At most `points_max` groups (run_charts.hpp). A very short interval after the end of the schedule has none.
std::vector<interval_group> groups_of(results const&);

template <class Figure>
double sum_of(interval_group const& g, Figure&& figure) {
  double sum = 0;
  for (auto const& i : g.intervals) sum += static_cast<double>(figure(i));
  return sum;
}

/// The worst value of a group; no_value if nothing was answered.
template <class Figure>
double worst_of(interval_group const& g, Figure&& figure) {
  double worst = no_value;
  for (auto const& i : g.intervals) {
    auto const value = figure(i);
    if (value.count() > 0) worst = std::fmax(worst, static_cast<double>(value.count()));
  }
  return worst;
}

/// A value for each group, at its middle, and at both ends of the time, so that even one group makes a line.
template <class Value>
std::vector<plot_point> points_of(std::vector<interval_group> const& groups, Value&& value) {
  std::vector<plot_point> points;
  for (auto const& g : groups) points.push_back({g.middle(), value(g)});
  if (points.empty()) return points;
  points.insert(points.begin(), {groups.front().begin(), points.front().y});
  points.push_back({groups.back().end(), points.back().y});
  return points;
}

double highest(std::vector<plot_line> const&);
/// 1 if no line has a point.
double lowest(std::vector<plot_line> const&);

/// The axis from 0 to the end of the last group.
void set_time_axis(plot& to, std::vector<interval_group> const&);
/// An empty row of values for each group, with its time.
void add_times(plot_values& to, std::vector<interval_group> const&);

std::string duration_or_dash(double ns);

}  // namespace petstore::load
