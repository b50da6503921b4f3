// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>

#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"

namespace petstore::limits {

enum class decision : std::uint8_t {
  admitted,
  rate_limited,
  banned,
  observed,  ///< nothing was asked for: the state as it is (protocol errors, getQuota)
};

/// What was asked of the account.
enum class occasion : std::uint8_t { charge, observation, refund, inquiry };

/// What the limiter decided, and the state it decided on. One value, made once per request, drives the status, every
/// rate-limit header and the metrics, so that they cannot disagree. The numbers that a client is told are worked out
/// of it by `tell` (notice.hpp) when the answer is written, and not while threads compete for the account.
struct verdict {
  limits::decision decision = decision::observed;
  limits::occasion occasion = occasion::observation;
  limits::plan plan{};
  instant at{};

  /// The state after the decision. Opaque: core/README.md has the layout of the words. A refund finds in them the
  /// periods that were charged.
  std::uint64_t minute_word = 0;
  std::uint64_t day_word = 0;

  /// What is left of a ban; of a refused inquiry, how long until its own limit has a token.
  std::chrono::nanoseconds wait{0};

  bool admitted() const noexcept { return decision == decision::admitted; }
  bool refused() const noexcept { return decision == decision::rate_limited || decision == decision::banned; }
};

}  // namespace petstore::limits
