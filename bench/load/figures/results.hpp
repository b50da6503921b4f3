// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// All that a run found, as plain values. Every report is made from these alone, and the JSON file holds them all, so
// that a report can be made again from the file, and runs can be compared when the tool has long ended.
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

/// How the load was made: what somebody needs to know to believe the figures, or to make them again.
struct run_facts {
  std::string started;   ///< UTC, as in RFC 3339
  std::string command;   ///< as it was given, without keys
  std::string scenario;  ///< its name; empty without
  std::vector<std::string> targets;
  std::string schedule;               ///< in words: "500/s, constant", "as fast as 64 connections go"
  std::optional<double> rate_wanted;  ///< requests a second, the mean over the run; none in a closed loop
  std::chrono::nanoseconds warm_up{};
  std::chrono::nanoseconds planned{};  ///< the duration that was asked for; zero when only requests were counted
  std::uint32_t connections_max = 0;
  bool keep_alive = true;
  std::uint64_t seed = 0;
  std::string ended_by;  ///< "its duration", "Ctrl-C", "the stop condition errors > 100"
  std::string machine;   ///< processor, cores, kernel
  std::string version;   ///< of the tool
};

/// What the tool itself used, and whether it kept up.
struct tool_facts {
  struct thread {
    std::chrono::nanoseconds processor_time{};
    std::chrono::nanoseconds wall_time{};
    double busiest = 0;  ///< the largest share of a core in any one second, 0 to 1; 0 when not looked at
  };
  std::vector<thread> threads;     ///< the workers
  std::uint64_t waiting_most = 0;  ///< requests that were due and waited for a connection, at the worst moment
  bool out_of_descriptors = false;
};

struct operation_figures {
  std::string name;
  tally counted;
  std::map<std::uint16_t, std::uint64_t> by_status;
  histogram latency;
  histogram service;
};

/// Quantiles of one interval, from a coarse histogram: at most a hundredth too high.
struct interval_latency {
  std::chrono::nanoseconds p50{}, p90{}, p99{}, p999{}, max{};
  bool operator==(interval_latency const&) const = default;
};

struct interval_figures {
  std::chrono::nanoseconds begin{};  ///< since the beginning of the run
  std::chrono::nanoseconds width{};  ///< shorter than the others in the last one
  std::uint64_t due = 0;             ///< requests that the schedule wanted to leave in it
  std::uint64_t opened = 0;          ///< connections
  tally counted;
  interval_latency latency;
  struct of_operation {
    tally counted;
    interval_latency latency;
    bool operator==(of_operation const&) const = default;
  };
  std::vector<of_operation> operations;
  bool operator==(interval_figures const&) const = default;
};

/// One quota of one key over time, as its answers announced it.
struct quota_series {
  std::string resource;
  std::int64_t limit = -1;              ///< the last one announced; -1 when it never was
  std::vector<std::int64_t> remaining;  ///< the least announced in each interval; -1: nothing announced
  bool operator==(quota_series const&) const = default;
};

struct key_figures {
  std::string name;
  std::uint64_t admitted = 0;
  std::uint64_t refused = 0;
  std::vector<std::uint64_t> admitted_over_time;  ///< in each interval; empty beyond charted_keys_max
  std::vector<std::uint64_t> refused_over_time;
  std::vector<quota_series> quotas;
  bool operator==(key_figures const&) const = default;
};

struct error_figures {
  std::uint64_t count = 0;
  std::string example;
  bool operator==(error_figures const&) const = default;
};

/// Something that the service announced or promised and did not keep.
struct audit_finding {
  std::string key;                               ///< its name
  std::string rule;                              ///< what was broken, in a word: "over-admission"
  std::string text;                              ///< one sentence with the figures
  std::optional<std::chrono::nanoseconds> when;  ///< since the beginning of the run
  bool operator==(audit_finding const&) const = default;
};

struct audit_figures {
  std::uint64_t keys = 0;
  std::uint64_t admissions = 0;
  std::uint64_t refusals = 0;
  std::vector<std::string> checked;    ///< what was held against the answers, a sentence each
  std::vector<std::string> unchecked;  ///< what could not be, and why
  std::vector<audit_finding> findings;
  bool operator==(audit_figures const&) const = default;
};

/// Why the figures may say more of the tool than of the server.
struct warning {
  std::string text;
  bool tool_was_limit = false;  ///< rates and latencies are not the server's
  bool operator==(warning const&) const = default;
};

/// A condition of `--fail-if` after the run.
struct judged_condition {
  std::string text;      ///< as it was given
  std::string observed;  ///< "p99 is 6.12 ms"
  bool failed = false;   ///< it is true, or could not be judged
  bool operator==(judged_condition const&) const = default;
};

struct results {
  run_facts run;
  tool_facts tool;
  std::chrono::nanoseconds duration{};  ///< from the end of the warm-up to the end of the schedule
  std::chrono::nanoseconds interval{};
  std::uint64_t due = 0;       ///< requests that the schedule wanted to leave, answered or not
  std::uint64_t withheld = 0;  ///< of those due: not sent because every key paused, as the clients had been told to
  std::uint64_t warm_up_requests = 0;
  std::uint64_t untold_refusals = 0;  ///< answers of 429 or 503 that did not say when to come back
  std::vector<operation_figures> operations;
  std::map<std::uint16_t, histogram> latency_by_status;  ///< of all operations; at most timed_statuses_max
  std::vector<interval_figures> intervals;
  std::vector<key_figures> keys;
  std::map<error_kind, error_figures> errors;  ///< those that occurred
  histogram first_byte;                        ///< from sending to the first byte of the answer
  histogram connect;
  histogram handshake;
  histogram lag;  ///< how late the tool began what was due
  std::optional<audit_figures> audit;
  std::optional<capacity_figures> capacity;  ///< of a search; then everything else is of its try nearest to the knee
  std::vector<warning> warnings;
  std::vector<judged_condition> conditions;
};

/// Everything that the recorders hold, put together; with the warnings that follow from it (see self_check.hpp). `end`
/// is when the schedule ended, by its own plan or because it was stopped. The recorders are of the same recording.
results collect(run_facts, tool_facts, std::span<recorder const* const>, instant end);

tally totals_of(results const&) noexcept;
histogram latency_of(results const&);  ///< of all operations
histogram service_of(results const&);
std::map<std::uint16_t, std::uint64_t> statuses_of(results const&);
/// Answers that came within the duration, a second.
double rate_of(results const&) noexcept;

}  // namespace petstore::load
