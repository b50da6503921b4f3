// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// All results of a run, as plain values. Every report uses only these, and the JSON file has them all. So a report can
// be made again from the file, and runs can be compared later.
//
// Thread safety: that of a plain value.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capacity_figures.hpp"
#include "recorder.hpp"

namespace petstore::load {

/// How the load was made: what a reader needs to judge or repeat the figures.
struct run_facts {
  std::string started;   ///< UTC, in the format of RFC 3339
  std::string command;   ///< the command line, without keys
  std::string scenario;  ///< its name; empty if there is none
  std::vector<std::string> targets;
  std::string schedule;               ///< in words: "500/s, constant", "as fast as 64 connections go"
  std::optional<double> rate_wanted;  ///< operations a second, the planned mean; nullopt in a closed loop
  std::chrono::nanoseconds warm_up{};
  std::chrono::nanoseconds planned{};  ///< the requested duration; zero if a number of requests was requested
  std::uint32_t connections_max = 0;
  bool keep_alive = true;
  std::uint64_t seed = 0;
  std::string ended_by;  ///< "its duration", "Ctrl-C", "the stop condition errors > 100"
  std::string machine;   ///< processor, cores, kernel
  std::string version;   ///< the version of the tool
};

/// The processor time of the tool itself, and signs that it was too slow.
struct tool_facts {
  struct thread {
    std::chrono::nanoseconds processor_time{};
    std::chrono::nanoseconds wall_time{};
    double busiest = 0;  ///< the largest share of a core in one second, 0 to 1; 0 if not measured
  };
  std::vector<thread> threads;     ///< the workers
  std::uint64_t waiting_most = 0;  ///< the most due requests that waited for a connection at one time
  bool out_of_descriptors = false;
};

struct operation_figures {
  std::string name;
  tally counted;
  std::map<std::uint16_t, std::uint64_t> by_status;  ///< answers to all attempts, also those that were tried again
  histogram latency;
  histogram service;
};

/// Quantiles of one interval from a coarse histogram, which are too high by at most a hundredth.
struct interval_latency {
  std::chrono::nanoseconds p50{}, p90{}, p99{}, p999{}, max{};
  bool operator==(interval_latency const&) const = default;
};

struct interval_figures {
  std::chrono::nanoseconds begin{};   ///< since the beginning of the run
  std::chrono::nanoseconds width{};   ///< the last interval may be shorter than the others
  std::uint64_t due = 0;              ///< requests due in it by the schedule
  std::uint64_t opened = 0;           ///< connections opened in it
  std::uint64_t warm_up_answers = 0;  ///< answers that came in it to requests that were due in the warm-up
  std::uint64_t warm_up_errors = 0;   ///< those of them with an error
  tally counted;
  std::map<error_kind, std::uint64_t> errors;  ///< that became known in it
  interval_latency latency;                    ///< of the requests that were due in it
  struct of_operation {
    tally counted;
    interval_latency latency;
    bool operator==(of_operation const&) const = default;
  };
  std::vector<of_operation> operations;
  /// Answers that came in it, whenever their requests were due.
  std::uint64_t answers() const noexcept { return counted.answers + warm_up_answers; }
  bool operator==(interval_figures const&) const = default;
};

/// One quota of one key over time, as answers announced it.
struct quota_series {
  std::string resource;
  std::int64_t limit = -1;              ///< the last announced one; -1 if there was none
  std::vector<std::int64_t> remaining;  ///< the lowest announced number in each interval; -1 if there was none
  bool operator==(quota_series const&) const = default;
};

struct key_figures {
  std::string name;
  std::uint64_t admitted = 0;
  std::uint64_t refused = 0;
  std::vector<std::uint64_t> admitted_over_time;  ///< in each interval; empty for keys without charts
  std::vector<std::uint64_t> refused_over_time;
  std::vector<quota_series> quotas;
  bool operator==(key_figures const&) const = default;
};

struct error_figures {
  std::uint64_t count = 0;
  std::string example;
  bool operator==(error_figures const&) const = default;
};

/// A case in which the service did not do what it announced or promised.
struct audit_finding {
  std::string key;                               ///< its name
  std::string rule;                              ///< the broken rule: "over-admission"
  std::string text;                              ///< one sentence with the figures
  std::optional<std::chrono::nanoseconds> when;  ///< since the beginning of the run
  bool operator==(audit_finding const&) const = default;
};

struct audit_figures {
  std::uint64_t keys = 0;
  std::uint64_t admissions = 0;
  std::uint64_t refusals = 0;
  std::vector<std::string> checked;    ///< what was checked, a sentence each
  std::vector<std::string> unchecked;  ///< what could not be checked, and why
  std::vector<audit_finding> findings;
  bool operator==(audit_figures const&) const = default;
};

/// A reason why the figures may show the tool instead of the server.
struct warning {
  std::string text;
  bool tool_was_limit = false;  ///< rates and latencies are the tool's, not the server's
  bool operator==(warning const&) const = default;
};

/// A condition of `--fail-if` after the run.
struct judged_condition {
  std::string text;      ///< the condition as it was given
  std::string observed;  ///< "p99 is 6.12 ms"
  bool failed = false;   ///< it is true, or could not be evaluated
  bool operator==(judged_condition const&) const = default;
};

struct results {
  run_facts run;
  tool_facts tool;
  std::chrono::nanoseconds duration{};  ///< from the end of the warm-up to the end of the schedule
  std::chrono::nanoseconds interval{};
  std::uint64_t due = 0;       ///< requests due by the schedule, answered or not
  std::uint64_t withheld = 0;  ///< due requests that were not sent because every key paused
  std::uint64_t warm_up_requests = 0;
  std::uint64_t untold_refusals = 0;  ///< answers with 429 or 503 and without a Retry-After
  std::vector<operation_figures> operations;
  std::map<std::uint16_t, histogram> latency_by_status;  ///< for all operations; at most timed_statuses_max
  std::vector<interval_figures> intervals;
  std::vector<key_figures> keys;
  std::map<error_kind, error_figures> errors;  ///< those that occurred
  histogram first_byte;                        ///< from sending to the first byte of the answer
  histogram connect;
  histogram handshake;
  histogram lag;  ///< how late the tool began due requests
  std::optional<audit_figures> audit;
  std::optional<capacity_figures> capacity;  ///< of a search; other figures are then of the try nearest to the knee
  std::vector<warning> warnings;
  std::vector<judged_condition> conditions;
};

/// Merges all figures of the recorders and adds warnings (see self_check.hpp). `end` is the end of the schedule,
/// planned or by a stop. The recorders must have the same recording.
results collect(run_facts, tool_facts, std::span<recorder const* const>, instant end);

tally totals_of(results const&) noexcept;
histogram latency_of(results const&);  ///< for all operations
histogram service_of(results const&);
std::map<std::uint16_t, std::uint64_t> statuses_of(results const&);

/// What was due and what came within the duration of a run, in requests: one for each step of an operation.
struct counts_within {
  std::uint64_t due = 0;
  std::uint64_t answers = 0;     ///< also to requests that were due in the warm-up
  std::uint64_t unexpected = 0;  ///< answers with an error: their status, or a value that is missing
};
counts_within within_duration(results const&) noexcept;
/// Answers a second within the duration, whenever their requests were due.
double rate_of(results const&) noexcept;

}  // namespace petstore::load
