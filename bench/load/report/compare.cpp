// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/compare.hpp"

#include <algorithm>
#include <utility>

#include "report/wording.hpp"

namespace petstore::load {
namespace {

using std::chrono::nanoseconds;
enum class wanted { less, more };

/// The figure in each complete interval of the schedule. The last interval is left out if it was cut off.
template <class Figure>
std::vector<double> over_time(results const& run, Figure&& figure) {
  std::vector<double> values;
  for (auto const& interval : run.intervals) {
    if (interval.width < run.interval || interval.begin + interval.width > run.duration) continue;
    values.push_back(static_cast<double>(figure(interval)));
  }
  return values;
}

/// An interval without answers has no latency and is left out.
template <class Figure>
std::vector<double> latencies_over_time(results const& run, Figure&& figure) {
  auto values = over_time(run, std::forward<Figure>(figure));
  std::erase_if(values, [](double value) { return value <= 0; });
  return values;
}

/// `resolution` is the share by which a figure of an interval may be wrong. A smaller difference means nothing.
void judge_noise(difference& d, std::vector<double> const& before, std::vector<double> const& after, wanted direction,
                 mean_kind kind = mean_kind::arithmetic, double resolution = 0) {
  d.noise = ratio_noise(before, after, kind);
  if (!d.noise) return;
  d.noise->low *= 1 - resolution;
  d.noise->high *= 1 + resolution;
  auto const grew = d.noise->low > 1;
  auto const is_noise = !grew && d.noise->high >= 1;
  auto const explains = d.ratio && *d.ratio >= d.noise->low && *d.ratio <= d.noise->high;
  if (!explains && d.ratio && (is_noise || grew != (*d.ratio > 1))) {
    d.judged = difference::verdict::few_intervals;
  } else if (is_noise) {
    d.judged = difference::verdict::within_noise;
  } else {
    d.judged = grew == (direction == wanted::more) ? difference::verdict::better : difference::verdict::worse;
  }
}

template <class Words>
difference difference_of(std::string name, double before, double after, Words&& words) {
  difference d;
  d.name = std::move(name);
  d.before = words(before);
  d.after = words(after);
  if (before > 0) d.ratio = after / before;
  return d;
}

std::string duration_of(double ns) {
  return duration_words(nanoseconds(static_cast<std::int64_t>(ns)));
}
double count_of(nanoseconds d) noexcept {
  return static_cast<double>(d.count());
}

void compare_latency(comparison& to, results const& before, results const& after) {
  auto const a = latency_of(before);
  auto const b = latency_of(after);
  auto const add = [&](std::string name, double q, auto of_interval) {
    auto d = difference_of(std::move(name), count_of(a.quantile(q)), count_of(b.quantile(q)), duration_of);
    judge_noise(d, latencies_over_time(before, of_interval), latencies_over_time(after, of_interval), wanted::less,
                mean_kind::geometric, coarse_histogram::error_max);
    to.differences.push_back(std::move(d));
  };
  add("p50", 0.5, [](interval_figures const& i) { return i.latency.p50.count(); });
  add("p90", 0.9, [](interval_figures const& i) { return i.latency.p90.count(); });
  add("p99", 0.99, [](interval_figures const& i) { return i.latency.p99.count(); });
  add("p99.9", 0.999, [](interval_figures const& i) { return i.latency.p999.count(); });
  // A maximum is one request, so intervals do not show its noise.
  to.differences.push_back(difference_of("max", count_of(a.max()), count_of(b.max()), duration_of));
}

void compare_counts(comparison& to, results const& before, results const& after) {
  auto const answers_per_second = [](interval_figures const& i) {
    return static_cast<double>(i.answers()) / std::chrono::duration<double>(i.width).count();
  };
  auto rate = difference_of("rate", rate_of(before), rate_of(after), rate_words);
  judge_noise(rate, over_time(before, answers_per_second), over_time(after, answers_per_second), wanted::more);
  to.differences.push_back(std::move(rate));

  auto const share = [](std::uint64_t count, std::uint64_t of) {
    return of == 0 ? 0 : static_cast<double>(count) / static_cast<double>(of);
  };
  auto errors = difference_of("errors", share(totals_of(before).errors, before.due),
                              share(totals_of(after).errors, after.due), share_text);
  auto const errors_over_time = [&](interval_figures const& i) { return share(i.counted.errors, i.due); };
  judge_noise(errors, over_time(before, errors_over_time), over_time(after, errors_over_time), wanted::less);
  // There is no ratio to 0.
  if (totals_of(before).errors == 0 && before.due > 0 && after.due > 0)
    errors.judged = totals_of(after).errors > 0 ? difference::verdict::worse : difference::verdict::within_noise;
  to.differences.push_back(std::move(errors));
}

/// Compares two searches. Either the ranges of their rounds overlap, or the nearest ends show the difference.
void compare_capacity(comparison& to, results const& before, results const& after) {
  if (!before.capacity || !after.capacity) return;
  auto const& a = *before.capacity;
  auto const& b = *after.capacity;
  auto d = difference_of("capacity", a.median, b.median, rate_words);
  if (a.least > 0 && b.least > 0 && a.knees.size() > 1 && b.knees.size() > 1) {
    d.noise = ratio_range{b.least / a.most, b.most / a.least};
    d.judged = d.noise->low > 1    ? difference::verdict::better
               : d.noise->high < 1 ? difference::verdict::worse
                                   : difference::verdict::within_noise;
  }
  to.differences.push_back(std::move(d));
}

void caution_unlike(comparison& to, std::string const& what, std::string const& before, std::string const& after) {
  if (before != after)
    to.cautions.push_back("The runs differ in their " + what + ": " + shown(before) + " and " + shown(after) + ".");
}

void find_cautions(comparison& to, results const& before, results const& after) {
  caution_unlike(to, "schedules", before.run.schedule, after.run.schedule);
  caution_unlike(to, "scenarios", before.run.scenario, after.run.scenario);
  caution_unlike(to, "targets", joined(before.run.targets), joined(after.run.targets));
  caution_unlike(to, "connections", std::to_string(before.run.connections_max),
                 std::to_string(after.run.connections_max));
  caution_unlike(to, "machines", before.run.machine, after.run.machine);
  for (auto const& w : before.warnings) to.cautions.push_back("The first run: " + w.text);
  for (auto const& w : after.warnings) to.cautions.push_back("The second run: " + w.text);
}

}  // namespace

comparison compare(results const& before, results const& after) {
  comparison compared;
  find_cautions(compared, before, after);
  compare_capacity(compared, before, after);
  compare_counts(compared, before, after);
  compare_latency(compared, before, after);
  return compared;
}

std::string verdict_text(difference const& d) {
  switch (d.judged) {
    case difference::verdict::within_noise: return "within the noise";
    case difference::verdict::few_intervals: return "rests on a few intervals";
    case difference::verdict::better: return "better";
    case difference::verdict::worse: return "worse";
    case difference::verdict::unknown: break;
  }
  return "";
}

std::string comparison_table(comparison const& compared, run_names const& names, text_style style) {
  std::string text;
  for (auto const& caution : compared.cautions) text += painted("WARNING  ", ink::loud, style.colour) + caution + "\n";
  if (!compared.cautions.empty()) text += "\n";
  columns rows({left, right, right, right, right, left});
  rows.head({"", fitted(shown(names.before), 24), fitted(shown(names.after), 24), "ratio", "noise", ""});
  for (auto const& d : compared.differences) {
    rows.add({d.name, d.before, d.after, d.ratio ? ratio_text(*d.ratio) : "",
              d.noise ? number_words(d.noise->low) + " to " + number_words(d.noise->high) : "", verdict_text(d)});
  }
  return text + rows.text(style);
}

}  // namespace petstore::load
