// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>

#include "results.hpp"
#include "self_check.hpp"

namespace petstore::load {
namespace {

using std::chrono::nanoseconds;
using recorders = std::span<recorder const* const>;

interval_latency quantiles_of(coarse_histogram const& latency, nanoseconds longest) {
  if (latency.empty()) return {};
  // The classes have only their upper ends; for the longest wait the exact value is known.
  auto const quantile = [&](double q) { return std::min(latency.quantile(q), longest); };
  return {quantile(0.5), quantile(0.9), quantile(0.99), quantile(0.999), longest};
}

void collect_operations(results& found, recorders all) {
  auto const& names = all.front()->about().operations;
  found.operations.resize(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto& operation = found.operations[i];
    operation.name = names[i];
    for (auto const* r : all) {
      auto const& part = r->operations()[i];
      operation.counted.merge(part.counted);
      operation.latency.merge(part.latency);
      operation.service.merge(part.service);
      for (std::size_t status = 1; status < statuses_end; ++status)
        if (part.by_status[status] > 0)
          operation.by_status[static_cast<std::uint16_t>(status)] += part.by_status[status];
    }
  }
}

/// Merges one interval of all recorders. The histograms are large, so they are reused; they are empty before and after.
struct merging {
  coarse_histogram of_all;
  coarse_histogram of_one;

  void operator()(recorders all, std::size_t index, interval_figures& to) {
    nanoseconds longest_of_all{};
    to.operations.resize(all.front()->operations().size());
    for (std::size_t i = 0; i < to.operations.size(); ++i) {
      nanoseconds longest{};
      for (auto const* r : all) {
        if (index >= r->intervals().size()) continue;
        auto const& part = r->intervals()[index].operations[i];
        to.operations[i].counted.merge(part.counted);
        longest = std::max(longest, part.longest);
        for (auto const& [upper, count] : part.latency) of_one.record(upper, count);
        if (index + 1 == r->intervals().size()) {
          longest = std::max(longest, r->open_latency()[i].max());
          of_one.merge(r->open_latency()[i]);
        }
      }
      to.operations[i].latency = quantiles_of(of_one, longest);
      to.counted.merge(to.operations[i].counted);
      of_all.merge(of_one);
      of_one.clear();
      longest_of_all = std::max(longest_of_all, longest);
    }
    to.latency = quantiles_of(of_all, longest_of_all);
    of_all.clear();
    for (auto const* r : all) {
      if (index >= r->intervals().size()) continue;
      to.due += r->intervals()[index].due;
      to.opened += r->intervals()[index].opened;
      to.warm_up_answers += r->intervals()[index].warm_up_answers;
      to.warm_up_errors += r->intervals()[index].warm_up_errors;
      auto const& errors = r->intervals()[index].errors;
      for (std::size_t kind = 1; kind < errors.size(); ++kind)
        if (errors[kind] > 0) to.errors[static_cast<error_kind>(kind)] += errors[kind];
    }
  }
};

void collect_intervals(results& found, recorders all) {
  nanoseconds until = found.duration;
  auto count = static_cast<std::size_t>((found.duration + found.interval - nanoseconds(1)) / found.interval);
  for (auto const* r : all) {
    count = std::max(count, r->intervals().size());
    if (r->last_done() != instant{}) until = std::max(until, nanoseconds(r->last_done() - r->about().begin));
  }
  merging merge;
  for (std::size_t i = 0; i < count; ++i) {
    interval_figures figures;
    figures.begin = found.interval * static_cast<std::int64_t>(i);
    if (i > 0 && figures.begin >= until) break;  // the interval has begun, but has no answers
    figures.width = std::min(found.interval, until - figures.begin);
    merge(all, i, figures);
    found.due += figures.due;
    found.intervals.push_back(std::move(figures));
  }
}

/// Merges the readings of all recorders for one quota; adds no series if there are none.
void collect_quota(key_figures& key, std::size_t index, std::string const& resource, recorders all,
                   std::size_t intervals) {
  quota_series series;
  series.resource = resource;
  series.remaining.assign(intervals, -1);
  bool any = false;
  for (auto const* r : all) {
    auto const known = std::find(r->resources().begin(), r->resources().end(), resource);
    if (known == r->resources().end()) continue;
    auto const quota = static_cast<std::size_t>(known - r->resources().begin());
    for (std::size_t i = 0; i < std::min(intervals, r->intervals().size()); ++i) {
      auto const& reading = r->intervals()[i].keys[index].quotas[quota];
      if (reading.least_remaining < 0) continue;
      any = true;
      series.limit = reading.limit;
      auto& least = series.remaining[i];
      least = least < 0 ? reading.least_remaining : std::min(least, reading.least_remaining);
    }
  }
  if (any) key.quotas.push_back(std::move(series));
}

void collect_keys(results& found, recorders all) {
  auto const& names = all.front()->about().keys;
  std::vector<std::string> resources;
  for (auto const* r : all)
    for (auto const& name : r->resources())
      if (std::find(resources.begin(), resources.end(), name) == resources.end()) resources.push_back(name);

  for (std::size_t k = 0; k < names.size(); ++k) {
    auto& key = found.keys.emplace_back();
    key.name = names[k];
    for (auto const* r : all) {
      key.admitted += r->key_totals()[k].admitted;
      key.refused += r->key_totals()[k].refused;
    }
    if (k >= charted_keys_max) continue;
    key.admitted_over_time.resize(found.intervals.size());
    key.refused_over_time.resize(found.intervals.size());
    for (auto const* r : all) {
      for (std::size_t i = 0; i < std::min(found.intervals.size(), r->intervals().size()); ++i) {
        key.admitted_over_time[i] += r->intervals()[i].keys[k].admitted;
        key.refused_over_time[i] += r->intervals()[i].keys[k].refused;
      }
    }
    for (auto const& resource : resources) collect_quota(key, k, resource, all, found.intervals.size());
  }
}

void collect_statuses(results& found, recorders all) {
  for (auto const* r : all) {
    found.untold_refusals += r->untold_refusals();
    for (auto const& [status, latency] : r->by_status()) found.latency_by_status[status].merge(latency);
  }
}

void collect_errors(results& found, recorders all) {
  for (auto const* r : all) {
    for (std::size_t i = 1; i < error_kinds; ++i) {
      auto const& part = r->errors()[i];
      if (part.count == 0) continue;
      auto& error = found.errors[static_cast<error_kind>(i)];
      error.count += part.count;
      if (error.example.empty()) error.example = part.example;
    }
  }
}

}  // namespace

results collect(run_facts run, tool_facts tool, recorders all, instant end) {
  results found;
  found.run = std::move(run);
  found.tool = std::move(tool);
  if (all.empty()) return found;
  auto const& about = all.front()->about();
  found.duration = std::max<nanoseconds>(end - about.begin, nanoseconds{});
  found.interval = about.interval;
  collect_operations(found, all);
  collect_intervals(found, all);
  collect_keys(found, all);
  collect_statuses(found, all);
  collect_errors(found, all);
  for (auto const* r : all) {
    found.first_byte.merge(r->first_byte());
    found.connect.merge(r->connect());
    found.handshake.merge(r->handshake());
    found.lag.merge(r->lag());
    found.withheld += r->withheld();
    found.warm_up_requests += r->warm_up_requests();
  }
  found.warnings = check_self(found);
  return found;
}

tally totals_of(results const& found) noexcept {
  tally all;
  for (auto const& operation : found.operations) all.merge(operation.counted);
  return all;
}

histogram latency_of(results const& found) {
  histogram all;
  for (auto const& operation : found.operations) all.merge(operation.latency);
  return all;
}

histogram service_of(results const& found) {
  histogram all;
  for (auto const& operation : found.operations) all.merge(operation.service);
  return all;
}

std::map<std::uint16_t, std::uint64_t> statuses_of(results const& found) {
  std::map<std::uint16_t, std::uint64_t> all;
  for (auto const& operation : found.operations)
    for (auto const& [status, count] : operation.by_status) all[status] += count;
  return all;
}

counts_within within_duration(results const& found) noexcept {
  counts_within counts;
  for (auto const& interval : found.intervals) {
    if (interval.begin >= found.duration) break;
    counts.due += interval.due;
    counts.answers += interval.answers();
    counts.unexpected += interval.warm_up_errors;
    for (auto const kind : {error_kind::unexpected_status, error_kind::missing_value})
      if (auto const of_kind = interval.errors.find(kind); of_kind != interval.errors.end())
        counts.unexpected += of_kind->second;
  }
  return counts;
}

double rate_of(results const& found) noexcept {
  if (found.duration.count() <= 0) return 0;
  return static_cast<double>(within_duration(found).answers) / std::chrono::duration<double>(found.duration).count();
}

}  // namespace petstore::load
