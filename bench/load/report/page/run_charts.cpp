// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/page/run_charts.hpp"

#include <algorithm>
#include <array>

#include "report/page/over_time.hpp"
#include "report/wording.hpp"

namespace petstore::load {
namespace {

/// An outcome that occurred is drawn with at least this share of its bar.
constexpr double visible_share = 0.02;

/// The patterns of errors, the most frequent kind first. Further kinds have the last one.
constexpr std::array error_styles{"band-none", "band-429", "band-5xx", "band-4xx", "band-3xx", "band-2xx"};

}  // namespace

std::vector<outcome_class> outcomes_of(tally const& t) {
  return {{"2xx", "band-2xx", t.classes[2]}, {"3xx", "band-3xx", t.classes[3] + t.classes[1] + t.classes[0]},
          {"4xx", "band-4xx", t.classes[4]}, {"429", "band-429", t.too_many},
          {"5xx", "band-5xx", t.classes[5]}, {"no answer", "band-none", t.unanswered}};
}

plot throughput_plot(results const& found) {
  auto const groups = groups_of(found);
  auto const answered = [](interval_group const& g) {
    return sum_of(g, [](interval_figures const& i) { return i.answers(); }) / g.width();
  };
  auto const due = [](interval_group const& g) {
    return sum_of(g, [](interval_figures const& i) { return i.due; }) / g.width();
  };
  plot p;
  p.description = "Answers a second over the time of the run, beside the requests that were due";
  p.y_title = "requests/s";
  set_time_axis(p, groups);
  auto line = points_of(groups, answered);
  p.areas.push_back({"fill-answered", line, std::vector<double>(line.size())});
  // After the end of the schedule nothing was due; this is not a drop of the load.
  p.lines.push_back({"due", "line-due", points_of(groups, [&](interval_group const& g) {
                       return g.begin() >= seconds_of(found.duration) ? no_value : due(g);
                     })});
  p.lines.push_back({"answered", "line-answered", std::move(line)});
  p.y = axis::from_zero(highest(p.lines), 4, [](double v) { return count_text(static_cast<std::uint64_t>(v + 0.5)); });
  if (highest(p.lines) < 8) p.y = axis::from_zero(highest(p.lines), 4, round_number_words);
  p.values.names = {"answered", "due", "errors"};
  add_times(p.values, groups);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    auto const errors = sum_of(groups[i], [](interval_figures const& f) { return f.counted.errors; });
    p.values.rows[i] = {rate_words(answered(groups[i])), rate_words(due(groups[i])),
                        count_text(static_cast<std::uint64_t>(errors))};
  }
  return p;
}

plot outcome_plot(results const& found) {
  auto const groups = groups_of(found);
  plot p;
  p.description = "Shares of the statuses over the time of the run";
  p.y_title = "share of requests";
  p.height = 110;
  set_time_axis(p, groups);
  p.y = axis::from_zero(1, 2, [](double share) { return round_number_words(share * 100) + " %"; });
  add_times(p.values, groups);
  std::vector<std::size_t> occurred;
  auto const all = outcomes_of(totals_of(found));
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (all[c].count == 0) continue;
    occurred.push_back(c);
    p.values.names.push_back(all[c].name);
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    tally counted;
    for (auto const& interval : groups[i].intervals) counted.merge(interval.counted);
    auto const classes = outcomes_of(counted);
    double total = 0;
    double drawn = 0;
    auto const height = [&](std::size_t c) {
      return classes[c].count == 0 ? 0 : std::max(visible_share, static_cast<double>(classes[c].count) / total);
    };
    for (auto const c : occurred) total += static_cast<double>(classes[c].count);
    for (auto const c : occurred) drawn += height(c);
    double bottom = 0;
    for (auto const c : occurred) {
      p.values.rows[i].push_back(count_text(classes[c].count));
      if (classes[c].count == 0) continue;
      auto const top = bottom + height(c) / drawn;
      p.bars.push_back({classes[c].style, groups[i].begin(), groups[i].end(), bottom, top});
      bottom = top;
    }
  }
  return p;
}

std::vector<outcome_class> errors_of(results const& found) {
  std::vector<outcome_class> kinds;
  for (auto const& [kind, error] : found.errors) kinds.push_back({std::string(name_of(kind)), "", error.count});
  std::ranges::stable_sort(kinds, std::ranges::greater(), &outcome_class::count);
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i].style = error_styles[std::min(i, error_styles.size() - 1)];
  return kinds;
}

plot error_plot(results const& found) {
  auto const groups = groups_of(found);
  auto const kinds = errors_of(found);
  plot p;
  p.description = "Errors a second over the time of the run, by kind";
  p.y_title = "errors/s";
  p.height = 110;
  set_time_axis(p, groups);
  add_times(p.values, groups);
  for (auto const& kind : kinds) p.values.names.push_back(kind.name);
  double most = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    double bottom = 0;
    for (auto const& kind : kinds) {
      auto const count = sum_of(groups[i], [&](interval_figures const& f) {
        auto const at = f.errors.find(*error_kind_named(kind.name));
        return at == f.errors.end() ? 0 : at->second;
      });
      p.values.rows[i].push_back(count_text(static_cast<std::uint64_t>(count)));
      auto const top = bottom + count / groups[i].width();
      if (count > 0) p.bars.push_back({kind.style, groups[i].begin(), groups[i].end(), bottom, top});
      bottom = top;
    }
    most = std::max(most, bottom);
  }
  p.y = axis::from_zero(most, 2, round_number_words);
  return p;
}

}  // namespace petstore::load
