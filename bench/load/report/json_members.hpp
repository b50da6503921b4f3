// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The members of the file of a run, each named once. `file_members(visit, value)` calls `visit(name, member)` for all
// members of a value, in the order of the file. Both writing and reading use it.
#pragma once

#include <concepts>
#include <type_traits>

#include "figures/results.hpp"

namespace petstore::load {

template <class Visitor, class Value>
concept has_file_members = requires(Visitor& visit, Value& value) {
  file_members(visit, value);
};

/// `As`, which is const for writing.
template <class T, class As>
concept is = std::same_as<std::remove_const_t<T>, As>;

void file_members(auto& visit, is<run_facts> auto& run) {
  visit("started", run.started);
  visit("command", run.command);
  visit("scenario", run.scenario);
  visit("targets", run.targets);
  visit("schedule", run.schedule);
  visit("rate_wanted", run.rate_wanted);
  visit("warm_up_ns", run.warm_up);
  visit("planned_ns", run.planned);
  visit("connections_max", run.connections_max);
  visit("keep_alive", run.keep_alive);
  visit("seed", run.seed);
  visit("ended_by", run.ended_by);
  visit("machine", run.machine);
  visit("version", run.version);
}

void file_members(auto& visit, is<tool_facts::thread> auto& thread) {
  visit("processor_time_ns", thread.processor_time);
  visit("wall_time_ns", thread.wall_time);
  visit("busiest", thread.busiest);
}

void file_members(auto& visit, is<tool_facts> auto& tool) {
  visit("threads", tool.threads);
  visit("waiting_most", tool.waiting_most);
  visit("out_of_descriptors", tool.out_of_descriptors);
}

void file_members(auto& visit, is<tally> auto& counted) {
  visit("answers", counted.answers);
  visit("unanswered", counted.unanswered);
  visit("errors", counted.errors);
  visit("retried", counted.retried);
  visit("bytes_out", counted.bytes_out);
  visit("bytes_in", counted.bytes_in);
  visit("other", counted.classes[0]);
  visit("1xx", counted.classes[1]);
  visit("2xx", counted.classes[2]);
  visit("3xx", counted.classes[3]);
  visit("4xx", counted.classes[4]);
  visit("429", counted.too_many);
  visit("5xx", counted.classes[5]);
}

void file_members(auto& visit, is<interval_latency> auto& latency) {
  visit("p50_ns", latency.p50);
  visit("p90_ns", latency.p90);
  visit("p99_ns", latency.p99);
  visit("p999_ns", latency.p999);
  visit("max_ns", latency.max);
}

void file_members(auto& visit, is<operation_figures> auto& operation) {
  visit("name", operation.name);
  visit("counted", operation.counted);
  visit("statuses", operation.by_status);
  visit("latency", operation.latency);
  visit("service", operation.service);
}

void file_members(auto& visit, is<interval_figures::of_operation> auto& operation) {
  visit("counted", operation.counted);
  visit("latency", operation.latency);
}

void file_members(auto& visit, is<interval_figures> auto& interval) {
  visit("begin_ns", interval.begin);
  visit("width_ns", interval.width);
  visit("due", interval.due);
  visit("opened", interval.opened);
  visit("warm_up_answers", interval.warm_up_answers);
  visit("warm_up_errors", interval.warm_up_errors);
  visit("counted", interval.counted);
  visit("errors", interval.errors);
  visit("latency", interval.latency);
  visit("operations", interval.operations);
}

void file_members(auto& visit, is<quota_series> auto& quota) {
  visit("resource", quota.resource);
  visit("limit", quota.limit);
  visit("remaining", quota.remaining);
}

void file_members(auto& visit, is<key_figures> auto& key) {
  visit("name", key.name);
  visit("admitted", key.admitted);
  visit("refused", key.refused);
  visit("admitted_over_time", key.admitted_over_time);
  visit("refused_over_time", key.refused_over_time);
  visit("quotas", key.quotas);
}

void file_members(auto& visit, is<error_figures> auto& error) {
  visit("count", error.count);
  visit("example", error.example);
}

void file_members(auto& visit, is<audit_finding> auto& finding) {
  visit("key", finding.key);
  visit("rule", finding.rule);
  visit("text", finding.text);
  visit("when_ns", finding.when);
}

void file_members(auto& visit, is<audit_figures> auto& audit) {
  visit("keys", audit.keys);
  visit("admissions", audit.admissions);
  visit("refusals", audit.refusals);
  visit("checked", audit.checked);
  visit("unchecked", audit.unchecked);
  visit("findings", audit.findings);
}

void file_members(auto& visit, is<capacity_try> auto& tried) {
  visit("round", tried.round);
  visit("rate", tried.rate);
  visit("held", tried.held);
  visit("tool_was_limit", tried.tool_was_limit);
  visit("observed", tried.observed);
  visit("answered", tried.answered);
  visit("p50_ns", tried.p50);
  visit("p99_ns", tried.p99);
}

void file_members(auto& visit, is<capacity_figures> auto& found) {
  visit("objective", found.objective);
  visit("median", found.median);
  visit("least", found.least);
  visit("most", found.most);
  visit("knees", found.knees);
  visit("tool_was_limit", found.tool_was_limit);
  visit("end_of_range", found.end_of_range);
  visit("tries", found.tries);
}

void file_members(auto& visit, is<warning> auto& told) {
  visit("text", told.text);
  visit("tool_was_limit", told.tool_was_limit);
}

void file_members(auto& visit, is<judged_condition> auto& condition) {
  visit("text", condition.text);
  visit("observed", condition.observed);
  visit("failed", condition.failed);
}

void file_members(auto& visit, is<results> auto& found) {
  visit("warnings", found.warnings);
  visit("conditions", found.conditions);
  visit("run", found.run);
  visit("tool", found.tool);
  visit("duration_ns", found.duration);
  visit("interval_ns", found.interval);
  visit("due", found.due);
  visit("withheld", found.withheld);
  visit("warm_up_requests", found.warm_up_requests);
  visit("untold_refusals", found.untold_refusals);
  visit("operations", found.operations);
  visit("latency_by_status", found.latency_by_status);
  visit("errors", found.errors);
  visit("keys", found.keys);
  visit("audit", found.audit);
  visit("capacity", found.capacity);
  visit("first_byte", found.first_byte);
  visit("connect", found.connect);
  visit("handshake", found.handshake);
  visit("lag", found.lag);
  visit("intervals", found.intervals);
}

}  // namespace petstore::load
