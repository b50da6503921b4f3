// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// A quota is a whole number. The program that computes a rate must round it.
// says: no matching function
#include <petstore/limits/plan.hpp>

using namespace petstore::limits;

plan make(double tokens) {
#ifdef MISUSE
  return {per_minute(1), per_day(tokens)};
#else
  return plan::of(per_minute(1), per_day(static_cast<std::int64_t>(tokens))).value_or(plan{per_minute(1)});
#endif
}
