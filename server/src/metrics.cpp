// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/metrics.hpp"

#include <algorithm>

#include "petstore/server/router.hpp"

namespace petstore::server {
namespace {

std::size_t bucket_of(std::chrono::nanoseconds duration) noexcept {
  // A bound is inclusive, so a duration between two microseconds belongs above the lower one.
  if (duration <= std::chrono::microseconds{latency_bounds_us.front()}) return 0;  // nearly always
  auto const us = static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::microseconds>(duration).count());
  return static_cast<std::size_t>(std::ranges::lower_bound(latency_bounds_us, us) - latency_bounds_us.begin());
}

}  // namespace

void metrics_shard::count_request(std::size_t operation, unsigned status, std::chrono::nanoseconds duration) noexcept {
  duration = std::max(duration, std::chrono::nanoseconds{0});
  bump(requests_[operation][std::clamp(status / 100, 1u, 6u) - 1]);
  bump(latency_[operation][bucket_of(duration)]);
  bump(latency_sum_ns_[operation], static_cast<std::uint64_t>(duration.count()));
}

void metrics_shard::count_decision(limits::decision d) noexcept {
  bump(decisions_[static_cast<std::size_t>(d)]);
}

void metrics_shard::count_protocol_refusal(unsigned status) noexcept {
  if (status < protocol_refusals_.size()) bump(protocol_refusals_[status]);
}

metrics::metrics(std::size_t shards) {
  shards_.reserve(shards);
  for (std::size_t i = 0; i < shards; ++i) shards_.push_back(std::make_unique<metrics_shard>());
}

metrics_reading metrics::collect() const {
  auto const read = [](std::atomic<std::uint64_t> const& c) { return c.load(std::memory_order_relaxed); };
  metrics_reading sum;
  sum.operations.resize(operations.size() + 1);
  for (std::size_t i = 0; i < operations.size(); ++i) sum.operations[i].name = operations[i].name;
  sum.operations.back().name = "other";

  std::array<std::uint64_t, 600> refusals{};
  for (auto const& shard : shards_) {
    for (std::size_t i = 0; i < sum.operations.size(); ++i) {
      std::size_t const from = i < operations.size() ? i : operation_count_max - 1;
      auto& to = sum.operations[i];
      for (std::size_t k = 0; k < to.by_status_class.size(); ++k)
        to.by_status_class[k] += read(shard->requests_[from][k]);
      for (std::size_t k = 0; k < to.latency.size(); ++k) to.latency[k] += read(shard->latency_[from][k]);
      to.latency_sum_ns += read(shard->latency_sum_ns_[from]);
    }
    for (std::size_t k = 0; k < sum.decisions.size(); ++k) sum.decisions[k] += read(shard->decisions_[k]);
    for (std::size_t k = 0; k < refusals.size(); ++k) refusals[k] += read(shard->protocol_refusals_[k]);
  }
  for (unsigned status = 0; status < refusals.size(); ++status)
    if (refusals[status] != 0) sum.protocol_refusals.emplace_back(status, refusals[status]);
  return sum;
}

}  // namespace petstore::server
