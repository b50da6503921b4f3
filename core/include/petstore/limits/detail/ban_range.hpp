// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <stdexcept>

#include "petstore/limits/plan.hpp"

namespace petstore::limits::detail {

/// Returns the policy. Throws std::invalid_argument if a duration of it is below 0 or above 31 days.
inline ban_policy const& checked(ban_policy const& p) {
  for (auto const duration : {p.grace, p.base, p.max})
    if (duration.count() < 0 || duration > std::chrono::days{31})
      throw std::invalid_argument{"a duration of a policy of bans is 0 to 31 days"};
  return p;
}

}  // namespace petstore::limits::detail
