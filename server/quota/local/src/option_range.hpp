// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <stdexcept>

#include "petstore/limits/detail/ban_range.hpp"
#include "petstore/quota/local_quota.hpp"

namespace petstore::quota {

/// Returns the options. Throws std::invalid_argument if one is outside its range.
inline local_options const& checked(local_options const& options) {
  limits::detail::checked(options.bans);
  if (options.write_interval < std::chrono::milliseconds{1} || options.write_interval > std::chrono::days{31})
    throw std::invalid_argument("quotas are written at an interval of 1 ms to 31 days");
  if (options.identities_max == 0) throw std::invalid_argument("quotas need a place for an identity");
  return options;
}

}  // namespace petstore::quota
