// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <cmath>

#include "report/page/over_time.hpp"
#include "report/page/run_charts.hpp"
#include "report/wording.hpp"

namespace petstore::load {

plot percentile_plot(std::span<named_histogram const> histograms) {
  constexpr int steps = 400;
  plot p;
  p.description = "Latency at each percentile";
  p.y_title = "latency, logarithmic";
  p.height = 260;
  std::uint64_t most = 0;
  for (auto const& h : histograms) most = std::max(most, h.values.count());
  auto const last = std::clamp(1 - 1 / static_cast<double>(std::max<std::uint64_t>(most, 10)), 0.9, 0.999999);
  p.x = axis::of_percentiles(last, false);
  p.x_narrow = axis::of_percentiles(last, true);
  for (int i = 0; i <= steps; ++i) {
    auto const q = 1 - std::pow(1 - last, static_cast<double>(i) / steps);
    p.values.x.push_back(q);
    p.values.x_words.push_back(i == 0 ? "min" : "p" + number_words(q * 100));
    if (q >= 0.99) p.values.x_words.back() = quantile_name(std::floor(q * 1e6) / 1e6);
    p.values.rows.emplace_back();
  }
  for (auto const& h : histograms) {
    if (h.values.empty()) continue;
    auto const own_last = 1 - 1 / static_cast<double>(h.values.count());
    std::vector<plot_point> points;
    for (std::size_t i = 0; i < p.values.x.size(); ++i) {
      auto const q = p.values.x[i];
      auto const value = i == 0                 ? static_cast<double>(h.values.min().count())
                         : q > own_last + 1e-12 ? no_value
                                                : static_cast<double>(h.values.quantile(q).count());
      points.push_back({q, value});
      p.values.rows[i].push_back(duration_or_dash(value));
    }
    p.lines.push_back({h.name, h.style, std::move(points)});
    p.values.names.push_back(h.name);
  }
  p.y = axis::of_durations(lowest(p.lines), highest(p.lines));
  return p;
}

}  // namespace petstore::load
