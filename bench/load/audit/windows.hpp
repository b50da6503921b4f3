// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <vector>

#include "audit/history.hpp"

namespace petstore::load {

/// An admission that was decided between these two times, both included.
struct admission {
  nanos sent;
  nanos received;
};

/// The stretch of time in which a service exceeded `burst + rate · length` most.
struct busiest_window {
  double excess = 0;  ///< tokens above that; 0 or less if it was not exceeded
  std::int64_t admitted = 0;
  nanos begin = 0;
  nanos end = 0;
};

/// Finds it over all stretches of the client's clock; only admissions surely decided within a stretch count. Exact, in
/// O(n log n). `rate` is in tokens a nanosecond.
busiest_window find_busiest(std::vector<admission>, double burst, double rate);

}  // namespace petstore::load
