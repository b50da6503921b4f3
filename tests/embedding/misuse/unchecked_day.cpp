// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The same for a day's quota.
// says: constant expression
#include <petstore/limits/plan.hpp>

using namespace petstore::limits;

plan make(long tokens) {
#ifdef MISUSE
  return {per_minute(1), per_day(tokens)};
#else
  return plan::of(per_minute(1), per_day(tokens)).value_or(plan{per_minute(1)});
#endif
}
