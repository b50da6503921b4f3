// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/metrics.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace petstore::server {
namespace {

std::size_t bucket_of(std::chrono::nanoseconds duration) noexcept {
  // A bound is inclusive, so a duration between two microseconds belongs above the lower one.
  if (duration <= std::chrono::microseconds{latency_bounds_us.front()}) return 0;  // nearly always
  auto const us = static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::microseconds>(duration).count());
  return static_cast<std::size_t>(std::ranges::lower_bound(latency_bounds_us, us) - latency_bounds_us.begin());
}

/// A longer name counts as `other` and is not stored.
constexpr std::size_t plan_name_bytes_max = 64;

}  // namespace

limits::decision decision_of(limit_outcome o) noexcept {
  switch (o) {
    case limit_outcome::admitted: return limits::decision::admitted;
    case limit_outcome::short_refused:
    case limit_outcome::long_refused:
    case limit_outcome::in_flight_refused:
    case limit_outcome::inquiry_refused: return limits::decision::rate_limited;
    case limit_outcome::banned:
    case limit_outcome::ban_begun: return limits::decision::banned;
    case limit_outcome::observed: break;
  }
  return limits::decision::observed;
}

std::size_t period_index(limits::period period) noexcept {
  using namespace std::chrono;
  if (period.is_month()) return 5;
  constexpr std::array<seconds, 5> lengths{seconds{1}, minutes{1}, hours{1}, days{1}, weeks{1}};
  auto const known = std::ranges::find(lengths, period.longest());
  return known == lengths.end() ? counted_periods.size() - 1 : static_cast<std::size_t>(known - lengths.begin());
}

metrics_shard::metrics_shard(bool counts_usage)
    : rows_{2}, usage_{counts_usage ? std::make_unique<usage_counter>() : nullptr} {
  names_[anonymous_row] = "anonymous";
  names_[keyless_row] = "keyless";
  names_[other_row] = "other";
}

std::size_t metrics_shard::histogram::count(std::chrono::nanoseconds duration) noexcept {
  duration = std::max(duration, std::chrono::nanoseconds{0});
  auto const bucket = bucket_of(duration);
  bump(buckets[bucket]);
  bump(sum_ns, static_cast<std::uint64_t>(duration.count()));
  return bucket;
}

void metrics_shard::count_request(std::size_t operation, unsigned status, std::chrono::nanoseconds duration,
                                  std::string_view request_id, limits::wall_time time) noexcept {
  auto const status_class = std::clamp(status / 100, 1u, 6u);
  bump(requests_[operation][status_class - 1]);
  auto const bucket = latency_[operation].count(duration);
  auto const first = operation * exemplars_of_operation;
  exemplars_.offer(first + bucket, request_id, duration, time);
  if (status_class == 5) exemplars_.offer(first + exemplars_of_operation - 1, request_id, duration, time);
}

void metrics_shard::count_outcome(std::uint8_t plan_row, limit_outcome o) noexcept {
  bump(outcomes_[plan_row][static_cast<std::size_t>(o)]);
}

void metrics_shard::count_empty(std::uint8_t plan_row, limits::period period) noexcept {
  bump(empty_[plan_row][period_index(period)]);
}

void metrics_shard::count_store(bool is_write, std::chrono::nanoseconds duration) noexcept {
  store_latency_[is_write ? 1 : 0].count(duration);
}

/// A host's customers may have any number of plans, but there are few rows.
std::uint8_t metrics_shard::find_row(std::string_view name) noexcept {
  auto const rows = rows_.load(std::memory_order_relaxed);
  auto const known = std::ranges::find(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(rows), name);
  auto row = static_cast<std::size_t>(known - names_.begin());
  if (row == rows) {
    if (rows == other_row || name.size() > plan_name_bytes_max || name == names_[other_row]) return other_row;
    try {
      names_[row] = name;
    } catch (std::bad_alloc const&) {
      return other_row;
    }
    rows_.store(rows + 1, std::memory_order_release);
  }
  return last_row_ = static_cast<std::uint8_t>(row);
}

void metrics_shard::note_connections(connection_counts const& before, connection_counts const& now) noexcept {
  // The difference is modulo 2^64, so a count may also decrease.
  for (std::size_t i = 0; i < now.size(); ++i) bump(connections_[i], now[i] - before[i]);
}

void metrics_shard::count_protocol_refusal(unsigned status) noexcept {
  if (status < protocol_refusals_.size()) bump(protocol_refusals_[status]);
}

void metrics_shard::count_error(errc e) noexcept {
  bump(errors_[static_cast<std::size_t>(e)]);
}

void metrics_shard::note_turn_wait(std::chrono::nanoseconds wait) noexcept {
  turn_wait_ns_.store(static_cast<std::uint64_t>(wait.count()), std::memory_order_relaxed);
}

metrics::metrics(std::size_t shards, std::span<std::string_view const> operations, bool counts_usage)
    : operations_(operations.begin(), operations.end()) {
  shards_.reserve(shards);
  for (std::size_t i = 0; i < shards; ++i) shards_.push_back(std::make_unique<metrics_shard>(counts_usage));
}

namespace {

std::uint64_t read(std::atomic<std::uint64_t> const& c) noexcept {
  return c.load(std::memory_order_relaxed);
}

template <std::size_t Size>
void add(std::array<std::uint64_t, Size>& sum, std::array<std::atomic<std::uint64_t>, Size> const& one) noexcept {
  for (std::size_t i = 0; i < Size; ++i) sum[i] += read(one[i]);
}

void keep_later(std::optional<exemplar>& kept, std::optional<exemplar> other) {
  if (other && (!kept || other->time > kept->time)) kept = std::move(other);
}

metrics_reading::plan& plan_of(std::vector<metrics_reading::plan>& plans, std::string const& name) {
  auto const known = std::ranges::find(plans, name, &metrics_reading::plan::name);
  return known != plans.end() ? *known : plans.emplace_back(metrics_reading::plan{.name = name});
}

}  // namespace

metrics_reading metrics::collect() const {
  auto const add_histogram = [](auto& buckets, std::uint64_t& sum_ns, metrics_shard::histogram const& one) {
    add(buckets, one.buckets);
    sum_ns += read(one.sum_ns);
  };
  metrics_reading sum;
  sum.operations.resize(operations_.size() + 1);
  for (std::size_t i = 0; i < operations_.size(); ++i) sum.operations[i].name = operations_[i];
  sum.operations.back().name = "other";

  std::array<std::uint64_t, 600> refusals{};
  metrics_reading::plan others{.name = "other"};
  for (auto const& shard : shards_) {
    for (std::size_t i = 0; i < sum.operations.size(); ++i) {
      std::size_t const from = i < operations_.size() ? i : operation_count_max - 1;
      add(sum.operations[i].by_status_class, shard->requests_[from]);
      add_histogram(sum.operations[i].latency, sum.operations[i].latency_sum_ns, shard->latency_[from]);
    }
    auto const rows = shard->rows_.load(std::memory_order_acquire);
    auto const add_row = [&shard](metrics_reading::plan& plan, std::size_t row) {
      add(plan.outcomes, shard->outcomes_[row]);
      add(plan.empty, shard->empty_[row]);
    };
    for (std::size_t i = 0; i < rows; ++i) add_row(plan_of(sum.plans, shard->names_[i]), i);
    add_row(others, metrics_shard::other_row);
    add_histogram(sum.store_reads.buckets, sum.store_reads.sum_ns, shard->store_latency_[0]);
    add_histogram(sum.store_writes.buckets, sum.store_writes.sum_ns, shard->store_latency_[1]);
    add(sum.counters, shard->counters_);
    add(refusals, shard->protocol_refusals_);
    add(sum.errors, shard->errors_);
    add(sum.connections, shard->connections_);
    sum.turn_wait = std::max(sum.turn_wait, std::chrono::nanoseconds{read(shard->turn_wait_ns_)});
  }
  bool const is_any_other = std::ranges::any_of(others.outcomes, [](std::uint64_t n) { return n != 0; });
  if (is_any_other) sum.plans.push_back(std::move(others));
  for (auto const& plan : sum.plans)
    for (std::size_t i = 0; i < plan.outcomes.size(); ++i)
      sum.decisions[static_cast<std::size_t>(decision_of(static_cast<limit_outcome>(i)))] += plan.outcomes[i];
  for (unsigned status = 0; status < refusals.size(); ++status)
    if (refusals[status] != 0) sum.protocol_refusals.emplace_back(status, refusals[status]);
  return sum;
}

std::vector<operation_exemplars> metrics::collect_exemplars() const {
  std::vector<operation_exemplars> all(operations_.size() + 1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool const is_other = i == operations_.size();
    all[i].name = is_other ? "other" : operations_[i];
    auto const first = (is_other ? operation_count_max - 1 : i) * metrics_shard::exemplars_of_operation;
    for (auto const& shard : shards_) {
      for (std::size_t bucket = 0; bucket < all[i].latency.size(); ++bucket)
        keep_later(all[i].latency[bucket], shard->exemplars_.find(first + bucket));
      keep_later(all[i].failure, shard->exemplars_.find(first + all[i].latency.size()));
    }
  }
  return all;
}

busy_keys_reading metrics::collect_keys() const {
  busy_keys_reading all;
  for (auto const& shard : shards_) {
    shard->used_.collect(all.used.emplace_back());
    shard->refused_.collect(all.refused.emplace_back());
  }
  return all;
}

std::vector<ports::usage_of_key> metrics::take_usage() {
  std::vector<ports::usage_of_key> all;
  for (auto const& shard : shards_)
    if (shard->usage_) shard->usage_->take(all);
  return all;
}

}  // namespace petstore::server
