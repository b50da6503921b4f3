// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <array>

#include "report/compare.hpp"
#include "report/page/markup.hpp"
#include "report/page/page.hpp"
#include "report/wording.hpp"

namespace petstore::load {
namespace {

std::string about(std::string_view letter, std::string const& name, results const& found) {
  return element("p",
                 "<b>" + std::string(letter) + "</b> " + escaped(name) + ": " +
                     escaped(found.run.schedule + " for " + duration_words(found.duration) + ", " + found.run.started),
                 "quiet");
}

std::string differences_of(comparison const& compared) {
  std::vector<std::vector<std::string>> rows;
  for (auto const& d : compared.differences) {
    rows.push_back({d.name, d.before, d.after, d.ratio ? ratio_text(*d.ratio) : "–",
                    d.noise ? number_words(d.noise->low) + " to " + number_words(d.noise->high) : "–",
                    verdict_text(d)});
  }
  constexpr std::array<std::size_t, 1> texts{5};
  return html_table({"", "A", "B", "B / A", "noise", ""}, rows, texts);
}

}  // namespace

std::string comparison_html(results const& before, results const& after, run_names const& names) {
  auto const compared = compare(before, after);
  auto html = element("h1", escaped(names.before + " and " + names.after)) + about("A", names.before, before) +
              about("B", names.after, after);
  for (auto const& caution : compared.cautions) html += warning_box(caution);
  html += differences_of(compared);
  html +=
      element("p",
              "Noise is the range in which 95 of 100 such ratios lie when the intervals of both runs are drawn anew at "
              "random. A ratio whose range includes 1 is no difference. What changes from run to run on one machine is "
              "not in it: make the comparison again, the other way round, before you believe a small one.",
              "note");
  auto const a = latency_of(before);
  auto const b = latency_of(after);
  auto const curves = std::array{named_histogram{"A", "line-before", a}, named_histogram{"B", "line-after", b}};
  html += element("h2", "Percentiles") + figure_of(percentile_plot(curves));
  html += element("h2", "Latency over time") + figure_of(latency_plot_of_two(before, after));
  html += element("footer", "Made by petstore-load. This file needs no network.");
  return page_of(names.before + " and " + names.after, html);
}

}  // namespace petstore::load
