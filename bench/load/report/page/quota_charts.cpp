// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <cmath>

#include "report/page/over_time.hpp"
#include "report/page/run_charts.hpp"
#include "report/wording.hpp"

namespace petstore::load {
namespace {

plot left_plot(quota_series const& quota, std::vector<interval_group> const& groups) {
  auto const least = [&](interval_group const& g) {
    double fewest = no_value;
    for (std::size_t i = g.first; i < g.first + g.intervals.size(); ++i)
      if (quota.remaining[i] >= 0) fewest = std::fmin(fewest, static_cast<double>(quota.remaining[i]));
    return fewest;
  };
  plot p;
  p.description = "Requests that the quota of this key had left, as announced";
  p.y_title = (quota.resource.empty() ? std::string() : quota.resource + ": ") + "left, as announced";
  p.height = 110;
  set_time_axis(p, groups);
  if (quota.limit >= 0) {
    auto const limit = static_cast<double>(quota.limit);
    p.lines.push_back({"limit", "line-due", points_of(groups, [&](interval_group const&) { return limit; })});
  }
  p.lines.push_back({"left", "line-answered", points_of(groups, least)});
  p.y = axis::from_zero(highest(p.lines), 3, [](double v) { return count_text(static_cast<std::uint64_t>(v)); });
  p.values.names = {"left"};
  add_times(p.values, groups);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    auto const value = least(groups[i]);
    p.values.rows[i].push_back(std::isnan(value) ? "–" : count_text(static_cast<std::uint64_t>(value)));
  }
  return p;
}

plot admissions_plot(key_figures const& key, std::vector<interval_group> const& groups) {
  plot p;
  p.description = "Requests of this key that were admitted and refused over the time of the run";
  p.y_title = "requests/s, admitted and refused";
  p.height = 90;
  set_time_axis(p, groups);
  p.values.names = {"admitted", "refused"};
  add_times(p.values, groups);
  double most = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    auto const& g = groups[i];
    double admitted = 0;
    double refused = 0;
    for (std::size_t k = g.first; k < g.first + g.intervals.size(); ++k) {
      admitted += static_cast<double>(key.admitted_over_time[k]);
      refused += static_cast<double>(key.refused_over_time[k]);
    }
    p.values.rows[i] = {count_text(static_cast<std::uint64_t>(admitted)),
                        count_text(static_cast<std::uint64_t>(refused))};
    admitted /= g.width();
    refused /= g.width();
    most = std::max(most, admitted + refused);
    if (admitted > 0) p.bars.push_back({"band-2xx", g.begin(), g.end(), 0, admitted});
    if (refused > 0) p.bars.push_back({"band-429", g.begin(), g.end(), admitted, admitted + refused});
  }
  p.y = axis::from_zero(most, 3, round_number_words);
  return p;
}

}  // namespace

std::vector<plot> quota_plots(results const& found, key_figures const& key) {
  std::vector<plot> plots;
  if (key.admitted_over_time.empty()) return plots;
  auto const groups = groups_of(found);
  for (auto const& quota : key.quotas) plots.push_back(left_plot(quota, groups));
  plots.push_back(admissions_plot(key, groups));
  return plots;
}

}  // namespace petstore::load
