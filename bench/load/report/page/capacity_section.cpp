// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/page/capacity_section.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "report/page/markup.hpp"
#include "report/page/over_time.hpp"
#include "report/page/page.hpp"
#include "report/wording.hpp"
#include "search/capacity.hpp"

namespace petstore::load {
namespace {

using tries = std::vector<capacity_try>;

tries by_rate(capacity_figures const& found) {
  auto sorted = found.tries;
  std::ranges::sort(sorted, {}, &capacity_try::rate);
  std::erase_if(sorted, [](capacity_try const& t) { return t.p50.count() <= 0; });
  return sorted;
}

plot_line line_of(tries const& sorted, std::string name, std::string style,
                  std::chrono::nanoseconds capacity_try::*of) {
  plot_line line{std::move(name), std::move(style), {}};
  for (auto const& t : sorted) line.points.push_back({t.rate, static_cast<double>((t.*of).count())});
  return line;
}

plot latency_by_rate(capacity_figures const& found, tries const& sorted) {
  plot p;
  p.description = "Latency at each rate that was tried";
  p.y_title = "latency, logarithmic; by requests a second";
  auto const highest_rate = sorted.back().rate;
  p.x = axis::from_zero(highest_rate, 8, rate_words);
  p.x_narrow = axis::from_zero(highest_rate, 3, rate_words);
  p.lines = {line_of(sorted, "p99", "line-p99", &capacity_try::p99),
             line_of(sorted, "p50", "line-p50", &capacity_try::p50)};
  p.y = axis::of_durations(lowest(p.lines), highest(p.lines));
  if (found.median > 0) p.lines.push_back({"", "line-due", {{found.median, p.y.low()}, {found.median, p.y.high()}}});
  p.values.names = {"p99", "p50", ""};
  for (auto const& t : sorted) {
    p.values.x.push_back(t.rate);
    p.values.x_words.push_back(rate_words(t.rate));
    p.values.rows.push_back({duration_words(t.p99), duration_words(t.p50), outcome_words(t)});
  }
  return p;
}

}  // namespace

std::string capacity_section(capacity_figures const& found) {
  auto html = element("h2", "Capacity") + element("p", escaped(capacity_verdict(found)));
  if (auto const warning = capacity_warning(found); !warning.empty()) html += warning_box(warning);
  if (auto const sorted = by_rate(found); !sorted.empty()) {
    html += figure_of(latency_by_rate(found, sorted));
    html +=
        element("p", "The dashed line is the knee. All that follows is of the try that held nearest to it.", "note");
  }
  std::vector<std::vector<std::string>> rows;
  for (auto const& t : found.tries) {
    rows.push_back({std::to_string(t.round), rate_words(t.rate), rate_words(t.answered), duration_words(t.p50),
                    duration_words(t.p99), outcome_words(t), t.observed});
  }
  constexpr std::array<std::size_t, 2> texts{5, 6};
  return html + html_table({"round", "due", "answered", "p50", "p99", "", found.objective}, rows, texts);
}

}  // namespace petstore::load
