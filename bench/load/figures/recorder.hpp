// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What one worker thread finds out while a run goes on: totals of each operation, and the same again for each interval
// (a second, or more in a run of hours). Recording one answer takes constant time; memory is allocated at most when an
// interval ends.
//
// Thread safety: none. Each worker has a recorder of its own and is the only one to touch it; the recorders are handed
// to `collect` (results.hpp) when the workers have ended. What the live line needs is fetched by a task that runs on
// the worker's thread.
//
// An answer belongs to the interval in which it was complete, so that a stall shows when it ends, at the height of what
// those had to wait who were due meanwhile.
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
/// Statuses whose latencies are told apart; others count in every total.
inline constexpr std::size_t timed_statuses_max = 32;
/// Keys beyond these count in every total but have no chart of their own.
inline constexpr std::size_t charted_keys_max = 32;
/// Quotas that are told apart in the chart of a key; readings of others are left out.
inline constexpr std::size_t quotas_per_key_max = 4;
/// A longer run has longer intervals, so that what is kept does not grow with it.
inline constexpr std::size_t intervals_max = 3'600;

/// What an answer said of a quota (X-RateLimit-Limit, -Remaining and -Resource).
struct announced_quota {
  std::int64_t limit = -1;      ///< -1: not said
  std::int64_t remaining = -1;  ///< -1: not said; then there is no reading
  std::string_view resource;    ///< such as "minute"; empty when the service does not name its quotas
};

/// The end of one request, whatever it was. Views need to live for the call.
struct answered {
  std::uint16_t operation = 0;  ///< index into recording::operations
  std::uint16_t key = no_key;   ///< index into recording::keys
  std::uint16_t status = 0;     ///< 100 to 999; 0 when no answer came
  error_kind error = error_kind::none;
  instant intended;    ///< when the schedule wanted it to leave; latency counts from here
  instant sent;        ///< when its first byte was handed to the kernel; instant{} when it never was
  instant first_byte;  ///< of the answer; instant{} when none came
  instant done;        ///< when the answer was complete, or the error known
  std::uint64_t bytes_out = 0;
  std::uint64_t bytes_in = 0;  ///< head and body
  announced_quota quota;
  bool is_untold = false;  ///< a refusal (429, 503) that did not say when to come back
  std::string_view what;   ///< of an error, in words; the first of each kind is kept
};

/// A connection that was opened, and what that took. An attempt that fails is the error of the request that needed it.
struct opened {
  instant done;
  std::chrono::nanoseconds connect{};
  std::chrono::nanoseconds handshake{};  ///< of TLS; zero without
};

struct recording {
  std::vector<std::string> operations;  ///< names, as reports show them; at least one
  std::vector<std::string> keys;        ///< names that may be shown, never a key itself
  instant begin;                        ///< after the warm-up; what was intended before is not counted
  std::chrono::nanoseconds interval = std::chrono::seconds(1);
};

/// A second, or so many that a run of this duration has at most `intervals_max` intervals.
std::chrono::seconds interval_for(std::chrono::nanoseconds duration) noexcept;

/// What is counted of the requests of an operation, in an interval or in all.
struct tally {
  std::uint64_t answers = 0;  ///< with whatever status
  std::uint64_t unanswered = 0;
  std::uint64_t errors = 0;  ///< of any kind; unexpected_status and missing_value are among the answers as well
  std::uint64_t bytes_out = 0;
  std::uint64_t bytes_in = 0;
  std::array<std::uint64_t, 6>
      classes{};               ///< answers by the first digit of their status (0: six and above), without 429
  std::uint64_t too_many = 0;  ///< answers of 429

  void add(answered const&) noexcept;
  void merge(tally const&) noexcept;
  bool operator==(tally const&) const = default;
};

/// The newest interval that has ended, of one worker or, merged, of all.
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
  /// A request of an open schedule that was not sent because every key pauses, as its client had been told to.
  void record_withheld(instant due);
  /// How late the tool was in beginning what was due, although nothing but the tool was in the way: once for each
  /// request of an open schedule.
  void record_lag(std::chrono::nanoseconds late) noexcept { lag_.record(late); }

  /// Ends the intervals that are over at `now`, so that a worker to which nothing happens has them too.
  void advance(instant now);
  live_interval newest() const;  ///< empty when no interval has ended

  // What `collect` reads.

  /// The classes of a coarse histogram that hold something, by their upper ends.
  using packed_histogram = std::vector<std::pair<std::chrono::nanoseconds, std::uint32_t>>;
  struct operation_totals {
    tally counted;
    std::array<std::uint64_t, statuses_end> by_status{};
    /// From the intended time: of requests that were answered, and of those that were given up or cut off, which have
    /// waited at least so long.
    histogram latency;
    histogram service;  ///< of the same, from the time of sending
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
    std::uint64_t refused = 0;                             ///< 429
    std::array<quota_reading, quotas_per_key_max> quotas;  ///< by index into resources()
  };
  struct status_latency {
    std::uint16_t status = 0;
    histogram latency;
  };
  struct interval {
    std::uint64_t due = 0;  ///< intended in this interval
    std::uint64_t opened = 0;
    std::vector<operation_interval> operations;
    std::vector<key_interval> keys;  ///< the charted ones
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
  /// Of all operations, in the order in which statuses were first seen; at most timed_statuses_max.
  std::vector<status_latency> const& by_status() const noexcept { return by_status_; }
  std::vector<interval> const& intervals() const noexcept { return intervals_; }
  /// What belongs to the last of the intervals and is not packed yet, for each operation.
  std::vector<coarse_histogram> const& open_latency() const noexcept { return open_; }
  std::array<error_count, error_kinds> const& errors() const noexcept { return errors_; }
  std::vector<key_total> const& key_totals() const noexcept { return key_totals_; }
  std::vector<std::string> const& resources() const noexcept { return resources_; }
  histogram const& first_byte() const noexcept { return first_byte_; }  ///< from sending
  histogram const& connect() const noexcept { return connect_; }
  histogram const& handshake() const noexcept { return handshake_; }
  histogram const& lag() const noexcept { return lag_; }
  std::uint64_t withheld() const noexcept { return withheld_; }
  std::uint64_t untold_refusals() const noexcept { return untold_refusals_; }
  std::uint64_t warm_up_requests() const noexcept { return warm_up_requests_; }
  instant last_done() const noexcept { return last_done_; }  ///< of what was counted; instant{} when nothing was

 private:
  std::size_t index_of(instant) const noexcept;
  interval& at(std::size_t index);
  void record_key(interval&, answered const&);
  void record_status(answered const&);

  recording recording_;
  std::vector<operation_totals> operations_;
  std::vector<status_latency> by_status_;
  std::vector<interval> intervals_;     // the last one is open
  std::vector<coarse_histogram> open_;  // of the open interval, for each operation
  std::array<error_count, error_kinds> errors_;
  std::vector<key_total> key_totals_;
  std::vector<std::string> resources_;  // names of quotas, in the order of their first reading
  histogram first_byte_, connect_, handshake_, lag_;
  std::uint64_t withheld_ = 0;
  std::uint64_t untold_refusals_ = 0;
  std::uint64_t warm_up_requests_ = 0;
  instant last_done_{};
};

}  // namespace petstore::load
