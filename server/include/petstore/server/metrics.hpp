// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <boost/describe/enum.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "petstore/enumeration.hpp"
#include "petstore/error.hpp"
#include "petstore/export.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/verdict.hpp"
#include "petstore/server/busy_keys.hpp"
#include "petstore/server/counters.hpp"
#include "petstore/server/exemplars.hpp"
#include "petstore/server/usage_counter.hpp"

namespace petstore::server {

/// The maximum number of operations that are counted separately: those of the service, then `other`.
inline constexpr std::size_t operation_count_max = 24;

/// Upper bounds of the latency histograms, in microseconds; above the last one is +Inf.
inline constexpr std::array<std::uint64_t, 17> latency_bounds_us{
    25,     50,     100,     250,     500,     1'000,     2'500,     5'000,     10'000,
    25'000, 50'000, 100'000, 250'000, 500'000, 1'000'000, 2'500'000, 10'000'000};

/// The limiter's answer to a request, with the reason of a refusal.
enum class limit_outcome : std::uint8_t {
  admitted,
  short_refused,      ///< the quota of the short window was empty
  long_refused,       ///< the quota of the long window was empty
  inquiry_refused,    ///< getQuota's own limit was reached
  in_flight_refused,  ///< too many requests of the key were in flight
  banned,             ///< a ban was in effect
  ban_begun,          ///< this refusal was the last strike
  observed,           ///< the request asked for no quota
};
/// The number of outcomes.
inline constexpr std::size_t limit_outcome_count = 8;
/// The decision of a verdict with this outcome.
PETSTORE_EXPORT limits::decision decision_of(limit_outcome) noexcept;

/// The periods by which refusals are counted: their names, and `other` for a length without one. `period_index` has the
/// index of one.
inline constexpr std::array<std::string_view, 7> counted_periods{"second", "minute", "hour", "day",
                                                                 "week",   "month",  "other"};
/// Its index in `counted_periods`.
PETSTORE_EXPORT std::size_t period_index(limits::period) noexcept;

/// The number of rows for plans: callers without a key, keyless pages, the first plans that are counted, all others.
inline constexpr std::size_t plan_row_count = 16;

/// The activity of a connection.
enum class connection_state : std::uint8_t {
  idle,       ///< between two requests
  receiving,  ///< it reads a request, or a PROXY header
  handling,   ///< it waits for the store or the quotas
  sending,
  closing,  ///< the last answer is sent, and the client has a moment to read it
};
BOOST_DESCRIBE_ENUM(connection_state, idle, receiving, handling, sending, closing)
/// The number of states.
inline constexpr std::size_t connection_state_count = enumerators<connection_state>.size();
/// The number of connections in each connection_state.
using connection_counts = std::array<std::uint64_t, connection_state_count>;

/// The counters of one thread. Only that thread writes them (relaxed, no locked instruction); `collect` reads them
/// racily.
class alignas(64) PETSTORE_EXPORT metrics_shard {
 public:
  /// @{
  /// The rows that always exist.
  static constexpr std::uint8_t anonymous_row = 0;
  static constexpr std::uint8_t keyless_row = 1;
  static constexpr std::uint8_t other_row = plan_row_count - 1;
  /// @}

  /// With `counts_usage`, `count_key` also counts for `metrics::take_usage`.
  explicit metrics_shard(bool counts_usage = false);

  /// The row that counts decisions about callers of that plan: a row of its own as long as one is free, then `other`.
  std::uint8_t row_of_plan(std::string_view name) noexcept {
    return name == names_[last_row_] ? last_row_ : find_row(name);
  }
  /// `operation` is the index in the router's table, or operation_count_max - 1 for no operation. With its id, a
  /// request that came at `time` may become an exemplar of what counts it.
  void count_request(std::size_t operation, unsigned status, std::chrono::nanoseconds duration,
                     std::string_view request_id = {}, limits::wall_time time = {}) noexcept;
  /// Counts one decision of the limiter. `plan_row` comes from `row_of_plan`, or is one of the rows above.
  void count_outcome(std::uint8_t plan_row, limit_outcome) noexcept;
  /// Counts one refusal because the quota of that period was empty, beside its outcome.
  void count_empty(std::uint8_t plan_row, limits::period) noexcept;
  /// @{
  /// Counts one in a family of `counter_families`: `count(counted::thresholds, 1)`, `count(handshake::full_1_3)`.
  void count(counted family, std::size_t which = 0) noexcept { bump(counters_[counter_index(family, which)]); }
  void count(auto kind) noexcept { bump(counters_[counter_index(kind)]); }
  /// @}
  /// Counts the duration of an operation that asked the store, without the wait for the quotas.
  void count_store(bool is_write, std::chrono::nanoseconds duration) noexcept;
  /// @{
  /// Each counts one answer by its kind; `status` is 100 to 599.
  void count_protocol_refusal(unsigned status) noexcept;
  void count_error(errc) noexcept;
  /// @}
  /// Counts a request of a key that was made at `at`. `key` is not 0.
  void count_key(std::uint64_t key, limits::verdict const& v, limits::wall_time at) noexcept {
    used_.count(key);
    if (v.refused()) refused_.count(key);
    if (usage_) usage_->count(key, v.decision, at);
  }
  /// Sets how long ready work waits for its turn on the thread at present.
  void note_turn_wait(std::chrono::nanoseconds) noexcept;
  /// Replaces the counts that one listener reported last (`before`) by its counts of now.
  void note_connections(connection_counts const& before, connection_counts const& now) noexcept;

 private:
  friend class metrics;
  using counter = std::atomic<std::uint64_t>;
  static void bump(counter& c, std::uint64_t by = 1) noexcept {
    c.store(c.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }

  /// Durations by bucket; the buckets are not cumulative.
  struct histogram {
    std::array<counter, latency_bounds_us.size() + 1> buckets{};
    counter sum_ns{};
    /// Returns the index of the bucket.
    std::size_t count(std::chrono::nanoseconds) noexcept;
  };

  /// The exemplars of an operation: one for each bucket of its latency, then one for its 5xx.
  static constexpr std::size_t exemplars_of_operation = latency_bounds_us.size() + 2;

  std::uint8_t find_row(std::string_view name) noexcept;

  std::array<std::array<counter, 6>, operation_count_max> requests_{};  ///< by status class, 0 = 1xx
  std::array<histogram, operation_count_max> latency_;
  exemplars exemplars_{operation_count_max * exemplars_of_operation};
  std::array<histogram, 2> store_latency_;  ///< of reads, of writes
  std::array<std::array<counter, limit_outcome_count>, plan_row_count> outcomes_{};
  std::array<std::array<counter, counted_periods.size()>, plan_row_count> empty_{};  ///< by period
  std::array<counter, first_counters.back()> counters_{};                            ///< by counter_index
  std::array<std::string, plan_row_count> names_;  ///< of plans; each is written once, before `rows_` counts it
  std::atomic<std::size_t> rows_;                  ///< the number of rows with a name, without the last one
  std::uint8_t last_row_ = anonymous_row;          ///< only used by the writing thread
  std::array<counter, 600> protocol_refusals_{};
  std::array<counter, errc_count> errors_{};
  counter turn_wait_ns_{};
  std::array<counter, connection_state_count> connections_{};
  busy_keys used_;
  busy_keys refused_;
  std::unique_ptr<usage_counter> const usage_;  ///< null: not wanted
};

/// The sum of all shards at one moment, to be rendered.
struct PETSTORE_EXPORT metrics_reading {
  /// Durations by the buckets of latency_bounds_us.
  struct histogram {
    std::array<std::uint64_t, latency_bounds_us.size() + 1> buckets{};  ///< not cumulative
    std::uint64_t sum_ns = 0;                                           ///< the sum of all durations
  };
  /// One operation of the router's table.
  struct operation {
    std::string name;  ///< as in the OpenAPI document; `other` for requests without an operation
    std::array<std::uint64_t, 6> by_status_class{};                     ///< answers; 0 = 1xx
    std::array<std::uint64_t, latency_bounds_us.size() + 1> latency{};  ///< not cumulative
    std::uint64_t latency_sum_ns = 0;                                   ///< the sum of all durations
  };
  /// The limiter's decisions of one row.
  struct plan {
    std::string name;                                           ///< of the plan
    std::array<std::uint64_t, limit_outcome_count> outcomes{};  ///< by limit_outcome
    /// Refusals of both windows, by the period whose quota was empty: the index in counted_periods.
    std::array<std::uint64_t, counted_periods.size()> empty{};
  };
  std::vector<operation> operations;         ///< in the order of the table, `other` last
  std::vector<plan> plans;                   ///< `anonymous` and `keyless` first; `other` last, if it was needed
  std::array<std::uint64_t, 4> decisions{};  ///< by limits::decision, of all plans
  std::array<std::uint64_t, first_counters.back()> counters{};  ///< of counter_families, by counter_index
  histogram store_reads;                                        ///< durations of the operations that read
  histogram store_writes;                                       ///< durations of the operations that write
  connection_counts connections{};  ///< by connection_state; at most a quarter of a second old
  std::vector<std::pair<unsigned, std::uint64_t>> protocol_refusals;  ///< by status; only those that occurred
  std::array<std::uint64_t, errc_count> errors{};                     ///< by errc
  std::chrono::nanoseconds turn_wait{};                               ///< of the thread where it is longest

  /// @{
  /// The sum of one counter: `count_of(counted::thresholds, 1)`, `count_of(handshake::full_1_3)`.
  [[nodiscard]] std::uint64_t count_of(counted family, std::size_t which = 0) const noexcept {
    return counters[counter_index(family, which)];
  }
  [[nodiscard]] std::uint64_t count_of(auto kind) const noexcept { return counters[counter_index(kind)]; }
  /// @}
  /// The sums of a family, in the order of its values.
  [[nodiscard]] std::span<std::uint64_t const> counts_of(counted family) const noexcept {
    return std::span{counters}.subspan(counter_index(family), family_of(family).values.size());
  }
};

/// Requests that stand for those which the counters of an operation have counted.
struct PETSTORE_EXPORT operation_exemplars {
  std::string name;                                                           ///< as in metrics_reading::operation
  std::array<std::optional<exemplar>, latency_bounds_us.size() + 1> latency;  ///< by bucket
  std::optional<exemplar> failure;                                            ///< a 5xx
};

/// The keys of each shard with the most requests, and those with the most refusals.
struct PETSTORE_EXPORT busy_keys_reading {
  std::vector<std::vector<key_count>> used;     ///< requests
  std::vector<std::vector<key_count>> refused;  ///< refused requests, which `used` counts, too
};

/// All shards. `shard(i)` belongs to one thread; any thread may call `collect`.
class PETSTORE_EXPORT metrics {
 public:
  /// `shards`: the number of counting threads, 1 or more. `operations`: the names of the operations, in the order in
  /// which they are counted; kept as views. Requests without an operation are reported as `other`, after them.
  /// `counts_usage`: whether `take_usage` is called, at least once a day.
  explicit metrics(std::size_t shards, std::span<std::string_view const> operations = {}, bool counts_usage = false);
  /// The reference is valid as long as this object.
  metrics_shard& shard(std::size_t i) noexcept { return *shards_[i]; }
  /// Returns the sum of all shards: O(counters), some thousand loads.
  [[nodiscard]] metrics_reading collect() const;
  /// Returns the exemplars of every operation, of all shards the latest.
  [[nodiscard]] std::vector<operation_exemplars> collect_exemplars() const;
  /// Returns the busiest keys of every shard.
  [[nodiscard]] busy_keys_reading collect_keys() const;
  /// Returns the requests of every key since the last call: none if they are not counted. A key may be there for each
  /// shard and day. One call at a time.
  [[nodiscard]] std::vector<ports::usage_of_key> take_usage();

 private:
  std::vector<std::unique_ptr<metrics_shard>> shards_;
  std::vector<std::string_view> operations_;
};

}  // namespace petstore::server
