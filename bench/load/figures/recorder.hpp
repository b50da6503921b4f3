// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The figures of one worker thread during a run: totals of each operation, and the same for each interval (a second;
// less in a short run, and more in a run of hours). Recording one answer takes constant time; memory is allocated only
// when an interval ends.
//
// Thread safety: none. Each worker has a recorder, and only that worker uses it. The recorders are given to `collect`
// (results.hpp) after the workers have ended. A task on the worker's thread gets the figures for the live line.
//
// An answer belongs to the interval in which it was complete, and its latency to the interval in which the request was
// due. So a stall shows where it began, with the waits of the requests that were due then.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "error_kind.hpp"
#include "histogram.hpp"

namespace petstore::load {

using instant = std::chrono::steady_clock::time_point;

inline constexpr std::uint16_t no_key = 0xffff;
inline constexpr std::size_t statuses_end = 1'000;
/// The number of statuses that have latencies of their own; others count only in totals.
inline constexpr std::size_t timed_statuses_max = 32;
/// The number of keys that have charts; others count only in totals.
inline constexpr std::size_t charted_keys_max = 32;
/// The number of quotas in the chart of a key; readings of others are ignored.
inline constexpr std::size_t quotas_per_key_max = 4;
/// The most intervals of a run. A longer run has longer intervals, so that memory does not grow.
inline constexpr std::size_t intervals_max = 3'600;

/// What an answer said about a quota (X-RateLimit-Limit, -Remaining and -Resource).
struct announced_quota {
  std::int64_t limit = -1;      ///< -1: not said
  std::int64_t remaining = -1;  ///< -1: not said; then there is no reading
  std::string_view resource;    ///< such as "minute"; empty if the service does not name its quotas
};

/// The end of one attempt at a request, with an answer or an error. Views need to be valid only during the call.
struct answered {
  std::uint16_t operation = 0;  ///< index into recording::operations
  std::uint16_t key = no_key;   ///< index into recording::keys
  std::uint16_t status = 0;     ///< 100 to 999; 0 if no answer came
  error_kind error = error_kind::none;
  /// False if the same request is tried again. Such an attempt is neither a due request nor an outcome: only what was
  /// sent and received counts. The last attempt has the latency of them all.
  bool is_final = true;
  instant intended;    ///< when the request was first due by the schedule; latency counts from here
  instant sent;        ///< when its first byte was given to the kernel; instant{} if it was never sent
  instant first_byte;  ///< when the first byte of the answer came; instant{} if none came
  instant done;        ///< when the answer was complete, or the error was known
  std::uint64_t bytes_out = 0;
  std::uint64_t bytes_in = 0;  ///< bytes of head and body
  announced_quota quota;
  bool is_untold = false;  ///< a refusal (429, 503) that did not say when to come back
  std::string_view what;   ///< the text of an error; the first of each kind is kept
};

/// An opened connection and how long that took. A failed attempt is an error of the request that needed it.
struct opened {
  instant done;
  std::chrono::nanoseconds connect{};
  std::chrono::nanoseconds handshake{};  ///< the TLS handshake; zero without TLS
};

struct recording {
  std::vector<std::string> operations;  ///< names for reports; at least one
  std::vector<std::string> keys;        ///< names for reports, never a key itself
  instant begin;                        ///< the end of the warm-up; requests intended before count only for the rate
  std::chrono::nanoseconds interval = std::chrono::seconds(1);
};

/// A run whose duration is known and shorter than this has intervals of a tenth of a second, so that a short stall has
/// a shape.
inline constexpr std::chrono::minutes fine_intervals_until{1};

/// A tenth of a second, one second, or as many seconds as needed for at most `intervals_max` intervals in a run of this
/// duration.
std::chrono::milliseconds interval_for(std::chrono::nanoseconds duration) noexcept;

/// Counts of the requests of an operation, in an interval or in the whole run. `answers`, `unanswered` and `errors`
/// count outcomes, one for each request. The other members count attempts.
struct tally {
  std::uint64_t answers = 0;  ///< requests whose outcome is an answer, of any status
  std::uint64_t unanswered = 0;
  std::uint64_t errors = 0;   ///< errors of any kind; unexpected_status and missing_value also count as answers
  std::uint64_t retried = 0;  ///< attempts after which the same request was tried again
  std::uint64_t bytes_out = 0;
  std::uint64_t bytes_in = 0;
  std::array<std::uint64_t, 6>
      classes{};               ///< answers by the first digit of their status (0: six and above), without 429
  std::uint64_t too_many = 0;  ///< answers with 429

  void add(answered const&) noexcept;
  void merge(tally const&) noexcept;
  bool operator==(tally const&) const = default;
};

/// The answers of the last whole second, of one worker, or merged for all. Latencies, too, are those of the answers
/// that came in it, whenever the requests were due.
struct live_interval {
  std::chrono::nanoseconds width{};
  tally counted;
  coarse_histogram latency;

  void merge(live_interval const&) noexcept;
};

class recorder {
 public:
  explicit recorder(recording);

  void record(answered const&);
  void record(opened const&);
  /// Counts a request of an open schedule that was not sent because every key pauses.
  void record_withheld(instant due);
  /// Records by how much the tool itself delayed the beginning of a due request: once for each request of an open
  /// schedule.
  void record_lag(std::chrono::nanoseconds late) noexcept { lag_.record(late); }

  /// Ends the intervals that are over at `now`, so that a worker without events has them, too.
  void advance(instant now);
  live_interval const& newest() const noexcept { return newest_; }  ///< empty if no second has ended

  // For `collect`.

  /// The non-empty classes of a coarse histogram, by their upper ends.
  using packed_histogram = std::vector<std::pair<std::chrono::nanoseconds, std::uint32_t>>;
  struct operation_totals {
    tally counted;
    std::array<std::uint64_t, statuses_end> by_status{};  ///< answers to all attempts
    /// From the intended time, for requests that were answered, and for those that failed after a wait: for a
    /// connection, for a handshake, or for an answer. These have waited at least this long.
    histogram latency;
    histogram service;  ///< for the same requests, from the time of sending
  };
  struct operation_interval {
    tally counted;
    packed_histogram latency;
    std::chrono::nanoseconds longest{};
  };
  struct quota_reading {
    std::int64_t limit = -1;
    std::int64_t least_remaining = -1;
  };
  struct key_interval {
    std::uint64_t admitted = 0;
    std::uint64_t refused = 0;                             ///< answers with 429
    std::array<quota_reading, quotas_per_key_max> quotas;  ///< by index into resources()
  };
  struct status_latency {
    std::uint16_t status = 0;
    histogram latency;
  };
  struct interval {
    std::uint64_t due = 0;                            ///< requests intended in this interval
    std::array<std::uint32_t, error_kinds> errors{};  ///< that became known in it, by kind
    std::uint64_t opened = 0;
    std::uint64_t warm_up_answers = 0;  ///< answers in it to requests that were due in the warm-up
    std::uint64_t warm_up_errors = 0;   ///< those of them with an error
    std::vector<operation_interval> operations;
    std::vector<key_interval> keys;  ///< for the keys that have charts
  };
  struct key_total {
    std::uint64_t admitted = 0;
    std::uint64_t refused = 0;
  };
  struct error_count {
    std::uint64_t count = 0;
    std::string example;
  };

  recording const& about() const noexcept { return recording_; }
  std::vector<operation_totals> const& operations() const noexcept { return operations_; }
  /// For all operations, in the order in which statuses were first seen; at most timed_statuses_max.
  std::vector<status_latency> const& by_status() const noexcept { return by_status_; }
  std::vector<interval> const& intervals() const noexcept { return intervals_; }
  /// For each operation, the latencies of the last interval, which are not packed yet.
  std::vector<coarse_histogram> const& open_latency() const noexcept { return open_; }
  std::array<error_count, error_kinds> const& errors() const noexcept { return errors_; }
  std::vector<key_total> const& key_totals() const noexcept { return key_totals_; }
  std::vector<std::string> const& resources() const noexcept { return resources_; }
  histogram const& first_byte() const noexcept { return first_byte_; }  ///< from the time of sending
  histogram const& connect() const noexcept { return connect_; }
  histogram const& handshake() const noexcept { return handshake_; }
  histogram const& lag() const noexcept { return lag_; }
  std::uint64_t withheld() const noexcept { return withheld_; }
  std::uint64_t untold_refusals() const noexcept { return untold_refusals_; }
  std::uint64_t warm_up_requests() const noexcept { return warm_up_requests_; }
  instant last_done() const noexcept { return last_done_; }  ///< of counted requests; instant{} if there is none

 private:
  std::size_t index_of(instant) const noexcept;
  interval& at(std::size_t index);
  void record_of_warm_up(answered const&);
  void record_outcome(interval&, answered const&);
  void record_latency(answered const&);
  void turn_live(instant);
  void record_key(interval&, answered const&);
  void record_status(answered const&);

  recording recording_;
  std::vector<operation_totals> operations_;
  std::vector<status_latency> by_status_;
  std::vector<interval> intervals_;     // the last one is open
  std::vector<coarse_histogram> open_;  // latencies of the open interval, for each operation
  std::array<error_count, error_kinds> errors_;
  std::vector<key_total> key_totals_;
  std::vector<std::string> resources_;  // names of quotas, in the order of their first reading
  histogram first_byte_, connect_, handshake_, lag_;
  std::uint64_t withheld_ = 0;
  std::uint64_t untold_refusals_ = 0;
  std::uint64_t warm_up_requests_ = 0;
  instant last_done_{};
  live_interval live_, newest_;  // of the second that `live_end_` ends, and of the last one
  instant live_end_;
};

}  // namespace petstore::load
