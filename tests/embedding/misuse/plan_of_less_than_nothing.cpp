// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A day's quota below 0 is not taken for a large one.
// says: narrowing
#include <petstore/limits/plan.hpp>

using namespace petstore::limits;

plan make() {
#ifdef MISUSE
  return {.per_minute = 60, .per_day = -1};
#else
  return {.per_minute = 60, .per_day = 1};
#endif
}
