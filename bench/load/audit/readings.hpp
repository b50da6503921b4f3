// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What answers said about one quota.
#pragma once

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

  nanos end_middle() const noexcept { return end_least + (end_most - end_least) / 2; }
};

/// All that the answers for one key said about one quota.
struct quota_story {
  std::vector<reading> readings;  ///< answers with limit, remaining and end, by time of sending
  std::vector<nanos> maybe_sent;  ///< sent times of other requests that may have taken a token, sorted
  std::vector<nanos> maybe_over;  ///< the latest times at which these may have been decided, sorted
  nanos window = 0;
  nanos first_sent = 0;
};

quota_story story_of(history const&, std::uint8_t resource);

}  // namespace petstore::load
