// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What answers said about one quota.
#pragma once

#include <optional>
#include <vector>

#include "audit/history.hpp"

namespace petstore::load {

struct reading {
  note const* from = nullptr;
  charge charged = charge::maybe;
  std::int64_t limit = not_said;
  std::int64_t remaining = not_said;
  /// The period ends, or the next token comes, between these two times of the client's clock.
  nanos end_least = 0;
  nanos end_most = 0;
  std::int64_t told_end = not_said;  ///< the end as it was announced, in Unix time

  nanos end_middle() const noexcept { return end_least + (end_most - end_least) / 2; }
};

/// How long the periods of a quota are, at least and at most.
struct window_range {
  nanos least = 0;
  nanos most = 0;
  bool told_apart = true;  ///< periods are long enough to be told apart by ends in whole seconds
};

/// A request that may have taken a token, between these two times.
struct possible_charge {
  nanos sent;
  nanos over;
};

/// All that the answers for one key said about one quota.
struct quota_story {
  std::vector<reading> readings;       ///< answers with limit, remaining and end, by time of sending
  std::vector<possible_charge> maybe;  ///< other requests that may have taken a token, by time of sending
  std::vector<nanos> maybe_sent;       ///< their times of sending, sorted
  std::vector<nanos> maybe_over;       ///< their latest times of decision, sorted
  /// By the plan, by RateLimit-Policy, or else by the announced ends. nullopt if none of these shows it.
  std::optional<window_range> window;
  nanos first_sent = 0;
};

quota_story story_of(history const&, std::uint8_t resource);

}  // namespace petstore::load
