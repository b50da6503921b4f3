// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/shedding.hpp"

#include <algorithm>
#include <utility>

namespace petstore::server {
void shedding::observe(duration wait, std::size_t connections) noexcept {
  auto const before = std::exchange(last_, wait);
  settle(std::min(before, wait), connections);
}

void shedding::observe_at_least(duration wait, std::size_t connections) noexcept {
  if (wait > last_) observe(wait, connections);
}

void shedding::settle(duration wait, std::size_t connections) noexcept {
  if (connections <= few_) wait = {};
  settled_ = wait;
  share_ = 0;
  if (wait <= wait_max_) return;
  // The wait is proportional to the number of connections.
  double const kept = std::chrono::duration<double>{wait_max_} / std::chrono::duration<double>{wait};
  share_ = std::max(1U, static_cast<std::uint32_t>(whole * (1 - kept)));
}

bool shedding::counts_as_surplus() noexcept {
  sum_ += share_;
  if (sum_ < whole) return false;
  sum_ -= whole;
  return true;
}

}  // namespace petstore::server
