// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "petstore/error.hpp"
#include "petstore/export.hpp"
#include "petstore/limits/verdict.hpp"
#include "petstore/server/busy_keys.hpp"

namespace petstore::server {

/// The number of operations that metrics tell apart: the service's, then `other`.
inline constexpr std::size_t operation_count_max = 24;

/// Upper bounds of the latency histograms, in microseconds; above the last one is +Inf.
inline constexpr std::array<std::uint64_t, 17> latency_bounds_us{
    25,     50,     100,     250,     500,     1'000,     2'500,     5'000,     10'000,
    25'000, 50'000, 100'000, 250'000, 500'000, 1'000'000, 2'500'000, 10'000'000};

/// What the limiter said to a request, and of a refusal why.
enum class limit_outcome : std::uint8_t {
  admitted,
  minute_refused,   ///< the minute's quota was empty
  day_refused,      ///< the day's was
  inquiry_refused,  ///< getQuota's own limit was reached
  banned,           ///< a ban held
  ban_begun,        ///< this refusal was the last strike
  observed,         ///< nothing was asked for
};
/// How many there are of them.
inline constexpr std::size_t limit_outcome_count = 7;
/// What a verdict said that had this outcome.
PETSTORE_EXPORT limits::decision decision_of(limit_outcome) noexcept;

/// The rows for plans: what is asked without a key, keyless pages, the first plans that are seen, all others.
inline constexpr std::size_t plan_row_count = 16;

/// What a connection is doing.
enum class connection_state : std::uint8_t {
  idle,       ///< between two requests
  receiving,  ///< a request, or what a proxy says of its client
  handling,   ///< the store or the quotas are waited for
  sending,
  closing,  ///< the last answer is sent, and the client is given a moment to read it
};
/// How many there are of them.
inline constexpr std::size_t connection_state_count = 5;
/// Connections by connection_state.
using connection_counts = std::array<std::uint64_t, connection_state_count>;

/// Why a connection was not taken, or was ended although its client might have gone on.
enum class close_reason : std::uint8_t {
  full,                  ///< every place was taken; 503
  address_full,          ///< its address had its share; 503
  no_descriptor,         ///< the process could open no more files; 503
  untrusted_peer,        ///< it came from none of the trusted proxies, where only they may connect
  made_way,              ///< it had waited long for its client when its place was needed
  behind,                ///< requests waited too long for their turn, and its answer said `Connection: close`
  abandoned,             ///< the same, and its client had sent a request and then ended its side
  handshakes_spent,      ///< its address had its TLS handshakes of the minute; closed
  handshakes_under_way,  ///< its address had not completed as many as it may begin; closed
};
/// How many there are of them.
inline constexpr std::size_t close_reason_count = 9;

/// A TLS handshake that was completed: in full, or with a session of before.
enum class handshake : std::uint8_t {
  full_1_2,     ///< TLS 1.2
  resumed_1_2,  ///< TLS 1.2, with a ticket
  full_1_3,     ///< TLS 1.3
  resumed_1_3,  ///< TLS 1.3, with a ticket
};
/// How many there are of them.
inline constexpr std::size_t handshake_count = 4;

/// Why another was not.
enum class handshake_failure : std::uint8_t {
  plain_text,   ///< the client spoke HTTP without TLS
  malformed,    ///< what it sent is no TLS, or breaks its rules
  unsupported,  ///< client and server have no version, cipher, group, signature or protocol (ALPN) in common
  certificate,  ///< the client showed none where it must, or one that is not believed
  rejected,     ///< the client said no, most often because it does not believe the server's certificate
  timeout,      ///< it was not complete within `header_timeout`
  closed,       ///< the connection ended first
  other,        ///< nothing of the client's: out of memory, a fault
};
/// How many there are of them.
inline constexpr std::size_t handshake_failure_count = 8;

/// The counters of one thread. Written by that thread alone (relaxed, no locked instruction), read racily by `collect`.
class alignas(64) PETSTORE_EXPORT metrics_shard {
 public:
  /// @{
  /// The rows that are always there.
  static constexpr std::uint8_t anonymous_row = 0;
  static constexpr std::uint8_t keyless_row = 1;
  static constexpr std::uint8_t other_row = plan_row_count - 1;
  /// @}

  metrics_shard();

  /// The row in which decisions about callers of that plan are counted: one of its own, while there are any left.
  std::uint8_t row_of_plan(std::string_view name) noexcept {
    return name == names_[last_row_] ? last_row_ : find_row(name);
  }
  /// `operation` is the index in the router's table, operation_count_max - 1 for none.
  void count_request(std::size_t operation, unsigned status, std::chrono::nanoseconds duration) noexcept;
  /// One decision of the limiter. `plan_row`: from `row_of_plan`, or one of the rows above.
  void count_outcome(std::uint8_t plan_row, limit_outcome) noexcept;
  /// What an operation took that had the store to ask, without the wait for the quotas.
  void count_store(bool is_write, std::chrono::nanoseconds duration) noexcept;
  /// @{
  /// Answers and failures that are counted by what they are; `status` is 100 to 599.
  void count_protocol_refusal(unsigned status) noexcept;
  void count_error(errc) noexcept;
  void count_close(close_reason) noexcept;
  void count_handshake(handshake) noexcept;
  void count_handshake_failure(handshake_failure) noexcept;
  /// @}
  /// `key` is not 0.
  void count_key(std::uint64_t key, bool refused) noexcept {
    used_.count(key);
    if (refused) refused_.count(key);
  }
  /// How long what is ready waits for its turn on the thread, at present.
  void note_turn_wait(std::chrono::nanoseconds) noexcept;
  /// Of one listener: how many connections were doing what when it told last, and how many are now.
  void note_connections(connection_counts const& before, connection_counts const& now) noexcept;

 private:
  friend class metrics;
  using counter = std::atomic<std::uint64_t>;
  static void bump(counter& c, std::uint64_t by = 1) noexcept {
    c.store(c.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }

  /// Durations by their bucket, not cumulative.
  struct histogram {
    std::array<counter, latency_bounds_us.size() + 1> buckets{};
    counter sum_ns{};
    void count(std::chrono::nanoseconds) noexcept;
  };

  std::uint8_t find_row(std::string_view name) noexcept;

  std::array<std::array<counter, 6>, operation_count_max> requests_{};  ///< by status class, 0 = 1xx
  std::array<histogram, operation_count_max> latency_;
  std::array<histogram, 2> store_latency_;  ///< of reads, of writes
  std::array<std::array<counter, limit_outcome_count>, plan_row_count> outcomes_{};
  std::array<std::string, plan_row_count> names_;  ///< of plans; each written once, before `rows_` counts it
  std::atomic<std::size_t> rows_;                  ///< that have names, beside the last one
  std::uint8_t last_row_ = anonymous_row;          ///< the writer's own
  std::array<counter, 600> protocol_refusals_{};
  std::array<counter, errc_count> errors_{};
  std::array<counter, close_reason_count> closes_{};
  std::array<counter, handshake_count> handshakes_{};
  std::array<counter, handshake_failure_count> handshake_failures_{};
  counter turn_wait_ns_{};
  std::array<counter, connection_state_count> connections_{};
  busy_keys used_;
  busy_keys refused_;
};

/// The sum of all shards at one moment, for whoever renders it.
struct PETSTORE_EXPORT metrics_reading {
  /// Durations, counted by latency_bounds_us.
  struct histogram {
    std::array<std::uint64_t, latency_bounds_us.size() + 1> buckets{};  ///< not cumulative
    std::uint64_t sum_ns = 0;                                           ///< of all of them together
  };
  /// One operation of the router's table.
  struct operation {
    std::string name;                                ///< as in the OpenAPI document; `other` for requests of none
    std::array<std::uint64_t, 6> by_status_class{};  ///< answers; 0 = 1xx
    std::array<std::uint64_t, latency_bounds_us.size() + 1> latency{};  ///< not cumulative
    std::uint64_t latency_sum_ns = 0;                                   ///< of all of them together
  };
  /// One row of limiter decisions.
  struct plan {
    std::string name;                                           ///< of the plan
    std::array<std::uint64_t, limit_outcome_count> outcomes{};  ///< by limit_outcome
  };
  std::vector<operation> operations;  ///< in the order of the table, `other` last
  std::vector<plan> plans;            ///< `anonymous` and `keyless` first, and `other` last, once there was need of it
  std::array<std::uint64_t, 4> decisions{};  ///< by limits::decision, of all plans
  histogram store_reads;                     ///< what answering took of operations that read
  histogram store_writes;                    ///< and of those that write
  connection_counts connections{};           ///< by connection_state, as of the last quarter of a second
  std::vector<std::pair<unsigned, std::uint64_t>> protocol_refusals;        ///< by status; those that occurred
  std::array<std::uint64_t, errc_count> errors{};                           ///< by errc
  std::array<std::uint64_t, close_reason_count> closes{};                   ///< by close_reason
  std::array<std::uint64_t, handshake_count> handshakes{};                  ///< by handshake
  std::array<std::uint64_t, handshake_failure_count> handshake_failures{};  ///< by handshake_failure
  std::chrono::nanoseconds turn_wait{};                                     ///< of the thread where it is longest
};

/// Which keys asked most, of each shard: by their requests, and by those that were refused.
struct PETSTORE_EXPORT busy_keys_reading {
  std::vector<std::vector<key_count>> used;     ///< requests
  std::vector<std::vector<key_count>> refused;  ///< of these, those that were refused
};

/// All shards. `shard(i)` belongs to one thread; `collect` may be called from any.
class PETSTORE_EXPORT metrics {
 public:
  /// `shards`: as many as threads count, 1 or more. `operations`: their names, in the order in which they are counted;
  /// kept as views. What counts for no operation is told as `other`, behind them.
  explicit metrics(std::size_t shards, std::span<std::string_view const> operations = {});
  /// Stays where it is as long as this lives.
  metrics_shard& shard(std::size_t i) noexcept { return *shards_[i]; }
  /// As many as it was made with.
  std::size_t shard_count() const noexcept { return shards_.size(); }
  /// Adds all of them up: O(counters), some thousand loads.
  metrics_reading collect() const;
  /// Every shard's busiest keys.
  busy_keys_reading collect_keys() const;

 private:
  std::vector<std::unique_ptr<metrics_shard>> shards_;
  std::vector<std::string_view> operations_;
};

}  // namespace petstore::server
