// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/page/over_time.hpp"

#include <algorithm>

#include "report/page/run_charts.hpp"
#include "report/wording.hpp"

namespace petstore::load {
namespace {

using std::chrono::nanoseconds;

constexpr std::size_t wide_ticks = 10;
constexpr std::size_t narrow_ticks = 4;

}  // namespace

double seconds_of(nanoseconds d) noexcept {
  return std::chrono::duration<double>(d).count();
}

std::vector<interval_group> groups_of(results const& found) {
  std::span<interval_figures const> all(found.intervals);
  // After the end of the schedule, a few answers come in a very short interval, and would look like a rate.
  if (all.size() > 1 && all.back().begin >= found.duration && all.back().width < found.interval / 2)
    all = all.first(all.size() - 1);
  auto const each = std::max<std::size_t>(1, (all.size() + points_max - 1) / points_max);
  std::vector<interval_group> groups;
  for (std::size_t i = 0; i < all.size(); i += each)
    groups.push_back({all.subspan(i, std::min(each, all.size() - i)), i});
  return groups;
}

double highest(std::vector<plot_line> const& lines) {
  double most = 0;
  for (auto const& line : lines)
    for (auto const& point : line.points) most = std::fmax(most, point.y);
  return most;
}

double lowest(std::vector<plot_line> const& lines) {
  double least = no_value;
  for (auto const& line : lines)
    for (auto const& point : line.points) least = std::fmin(least, point.y);
  return std::isnan(least) ? 1 : least;
}

void set_time_axis(plot& to, std::vector<interval_group> const& groups) {
  auto const end = groups.empty() ? 1 : groups.back().end();
  to.x = axis::of_time(end, wide_ticks);
  to.x_narrow = axis::of_time(end, narrow_ticks);
}

void add_times(plot_values& to, std::vector<interval_group> const& groups) {
  for (auto const& g : groups) {
    to.x.push_back(g.middle());
    to.x_words.push_back(number_words(g.begin()) + " to " + number_words(g.end()) + " s");
  }
  to.rows.resize(groups.size());
}

std::string duration_or_dash(double ns) {
  return std::isnan(ns) ? "–" : duration_words(nanoseconds(static_cast<std::int64_t>(ns)));
}

}  // namespace petstore::load
