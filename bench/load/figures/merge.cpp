// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "figures/merge.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "figures/self_check.hpp"

namespace petstore::load {
namespace {

using std::chrono::nanoseconds;

template <class T>
void add_once(std::vector<T>& to, std::vector<T> const& more) {
  for (auto const& each : more)
    if (std::ranges::find(to, each) == to.end()) to.push_back(each);
}

/// "500/s constant" of two runs is "500/s constant and 500/s constant"; facts that need not be repeated are told once.
void append(std::string& to, std::string const& more, bool repeated = false) {
  if (more.empty() || (!repeated && to.find(more) != to.npos)) return;
  to.append(to.empty() ? "" : " and ").append(more);
}

void add(run_facts& to, run_facts const& from) {
  to.started = std::min(to.started, from.started);
  append(to.command, from.command, true);
  append(to.scenario, from.scenario);
  add_once(to.targets, from.targets);
  append(to.schedule, from.schedule, true);
  to.warm_up = std::max(to.warm_up, from.warm_up);
  to.planned = std::max(to.planned, from.planned);
  to.connections_max += from.connections_max;
  to.keep_alive = to.keep_alive && from.keep_alive;
  append(to.ended_by, from.ended_by);
  append(to.machine, from.machine);
  append(to.version, from.version);
}

void add(tool_facts& to, tool_facts const& from) {
  to.threads.insert(to.threads.end(), from.threads.begin(), from.threads.end());
  to.waiting_most += from.waiting_most;
  to.out_of_descriptors = to.out_of_descriptors || from.out_of_descriptors;
}

void add(interval_latency& to, interval_latency const& from) {
  for (auto const part : {&interval_latency::p50, &interval_latency::p90, &interval_latency::p99,
                          &interval_latency::p999, &interval_latency::max})
    to.*part = std::max(to.*part, from.*part);
}

/// The element with that name, which is added if it is new.
template <class Named>
std::size_t index_of(std::vector<Named>& all, std::string const& name) {
  auto const at = std::ranges::find(all, name, &Named::name);
  if (at != all.end()) return static_cast<std::size_t>(at - all.begin());
  all.emplace_back().name = name;
  return all.size() - 1;
}

/// Returns where the operations of `from` are in `to`.
std::vector<std::size_t> add_operations(results& to, results const& from) {
  std::vector<std::size_t> places;
  for (auto const& part : from.operations) {
    places.push_back(index_of(to.operations, part.name));
    auto& all = to.operations[places.back()];
    all.counted.merge(part.counted);
    for (auto const& [status, count] : part.by_status) all.by_status[status] += count;
    all.latency.merge(part.latency);
    all.service.merge(part.service);
  }
  return places;
}

void add_intervals(results& to, results const& from, std::vector<std::size_t> const& places) {
  if (to.intervals.size() < from.intervals.size()) to.intervals.resize(from.intervals.size());
  for (auto& all : to.intervals) all.operations.resize(to.operations.size());
  for (std::size_t i = 0; i < from.intervals.size(); ++i) {
    auto& all = to.intervals[i];
    auto const& part = from.intervals[i];
    all.begin = part.begin;
    all.width = std::max(all.width, part.width);
    all.due += part.due;
    all.opened += part.opened;
    all.warm_up_answers += part.warm_up_answers;
    all.warm_up_errors += part.warm_up_errors;
    all.counted.merge(part.counted);
    for (auto const& [kind, count] : part.errors) all.errors[kind] += count;
    add(all.latency, part.latency);
    for (std::size_t o = 0; o < places.size(); ++o) {
      all.operations[places[o]].counted.merge(part.operations[o].counted);
      add(all.operations[places[o]].latency, part.operations[o].latency);
    }
  }
}

void add_counts(std::vector<std::uint64_t>& to, std::vector<std::uint64_t> const& from) {
  to.resize(std::max(to.size(), from.size()));
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

void add_quota(quota_series& to, quota_series const& from) {
  to.limit = std::max(to.limit, from.limit);
  to.remaining.resize(std::max(to.remaining.size(), from.remaining.size()), -1);
  for (std::size_t i = 0; i < from.remaining.size(); ++i) {
    auto const read = from.remaining[i];
    if (read >= 0) to.remaining[i] = to.remaining[i] < 0 ? read : std::min(to.remaining[i], read);
  }
}

void add_keys(results& to, results const& from) {
  for (auto const& part : from.keys) {
    auto& all = to.keys[index_of(to.keys, part.name)];
    all.admitted += part.admitted;
    all.refused += part.refused;
    add_counts(all.admitted_over_time, part.admitted_over_time);
    add_counts(all.refused_over_time, part.refused_over_time);
    for (auto const& quota : part.quotas) {
      auto at = std::ranges::find(all.quotas, quota.resource, &quota_series::resource);
      if (at == all.quotas.end()) at = all.quotas.insert(at, {quota.resource, -1, {}});
      add_quota(*at, quota);
    }
  }
}

/// A run may be shorter than another, and each series has a value for each interval.
void fill_keys(results& found) {
  for (auto& key : found.keys) {
    if (!key.admitted_over_time.empty()) {
      key.admitted_over_time.resize(found.intervals.size());
      key.refused_over_time.resize(found.intervals.size());
    }
    for (auto& quota : key.quotas) quota.remaining.resize(found.intervals.size(), -1);
  }
}

void add_audit(results& to, results const& from) {
  if (!from.audit) return;
  auto& all = to.audit ? *to.audit : to.audit.emplace();
  auto const& part = *from.audit;
  all.keys = std::max(all.keys, part.keys);
  all.admissions += part.admissions;
  all.refusals += part.refusals;
  add_once(all.checked, part.checked);
  add_once(all.unchecked, part.unchecked);
  all.findings.insert(all.findings.end(), part.findings.begin(), part.findings.end());
}

void add(results& to, results const& from) {
  add(to.run, from.run);
  add(to.tool, from.tool);
  to.duration = std::max(to.duration, from.duration);
  to.due += from.due;
  to.withheld += from.withheld;
  to.warm_up_requests += from.warm_up_requests;
  to.untold_refusals += from.untold_refusals;
  add_intervals(to, from, add_operations(to, from));
  for (auto const& [status, latency] : from.latency_by_status) to.latency_by_status[status].merge(latency);
  add_keys(to, from);
  for (auto const& [kind, error] : from.errors) {
    auto& all = to.errors[kind];
    all.count += error.count;
    if (all.example.empty()) all.example = error.example;
  }
  to.first_byte.merge(from.first_byte);
  to.connect.merge(from.connect);
  to.handshake.merge(from.handshake);
  to.lag.merge(from.lag);
  add_audit(to, from);
}

/// The rate of all together, over the time of the longest; nullopt if one of them was a closed loop.
std::optional<double> rate_wanted_of(std::span<results const> runs) {
  double requests = 0, seconds = 0;
  for (auto const& r : runs) {
    if (!r.run.rate_wanted) return std::nullopt;
    auto const own = std::chrono::duration<double>(r.duration).count();
    requests += *r.run.rate_wanted * own;
    seconds = std::max(seconds, own);
  }
  return seconds > 0 ? std::optional(requests / seconds) : std::nullopt;
}

}  // namespace

parsed<results> merged(std::span<results const> runs) {
  if (runs.size() < 2) return {{}, "to merge takes two runs at least"};
  for (auto const& run : runs) {
    if (run.capacity) return {{}, "one of them is a search for the capacity, and not a run"};
    if (run.interval != runs.front().interval)
      return {{}, "the runs have intervals of different length, as runs of very different duration have"};
  }
  auto found = runs.front();
  found.conditions.clear();
  found.run.rate_wanted = rate_wanted_of(runs);
  for (auto const& run : runs.subspan(1)) add(found, run);
  fill_keys(found);
  if (found.audit)
    found.audit->unchecked.emplace_back("whether the runs together kept the quotas: each was judged by itself");
  found.warnings = check_self(found);
  return {std::move(found), {}};
}

}  // namespace petstore::load
