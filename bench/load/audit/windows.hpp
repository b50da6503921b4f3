// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <vector>

#include "audit/history.hpp"

namespace petstore::load {

/// An admission: decided between these two moments, both included.
struct admission {
  nanos sent;
  nanos received;
};

/// The stretch of time in which a service went furthest beyond `burst + rate · length`.
struct busiest_window {
  double excess = 0;  ///< tokens beyond; not more than 0: it kept to it
  std::int64_t admitted = 0;
  nanos begin = 0;
  nanos end = 0;
};

/// Over all stretches of the client's clock, counting what was surely decided within: O(n log n), exact. `rate` is
/// tokens a nanosecond.
busiest_window find_busiest(std::vector<admission>, double burst, double rate);

}  // namespace petstore::load
