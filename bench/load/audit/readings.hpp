// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What answers said of one quota.
#pragma once

#include <vector>

#include "audit/history.hpp"

namespace petstore::load {

struct reading {
  note const* from = nullptr;
  charge charged = charge::maybe;
  std::int64_t limit = not_said;
  std::int64_t remaining = not_said;
  /// Between these two moments of the client's clock the period ends, or the next token comes.
  nanos end_least = 0;
  nanos end_most = 0;

  nanos end_middle() const noexcept { return end_least + (end_most - end_least) / 2; }
};

/// Of one key: what was said of one quota, and what was not.
struct quota_story {
  std::vector<reading> readings;  ///< with limit, remaining and end, by time of sending
  std::vector<nanos> maybe_sent;  ///< requests that may have taken a token and are not among the readings, sorted
  std::vector<nanos> maybe_over;  ///< until when each of those may have been decided, sorted
  nanos window = 0;
  nanos first_sent = 0;
};

quota_story story_of(history const&, std::uint8_t resource);

}  // namespace petstore::load
