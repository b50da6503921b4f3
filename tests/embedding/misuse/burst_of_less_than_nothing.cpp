// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A negative burst does not become a large one.
// says: a_burst_is_at_most_16777215_tokens
#include <petstore/limits/plan.hpp>

using namespace petstore::limits;

plan make() {
#ifdef MISUSE
  return {.short_window = per_minute(60), .short_refill = refill::continuous, .burst = -1};
#else
  return {.short_window = per_minute(60), .short_refill = refill::continuous, .burst = 1};
#endif
}
