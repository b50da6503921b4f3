// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The same for a day's quota.
// says: constant expression
#include <petstore/limits/plan.hpp>

using namespace petstore::limits;

plan make(long per_day) {
#ifdef MISUSE
  return {.per_minute = 1, .per_day = per_day};
#else
  return plan::of(1, per_day).value_or(plan{.per_minute = 1});
#endif
}
