// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A day's quota is a whole number. The program that computes a rate must round it.
// says: deleted function
#include <petstore/limits/plan.hpp>

using namespace petstore::limits;

plan make(double per_day) {
#ifdef MISUSE
  return {.per_minute = 1, .per_day = per_day};
#else
  return plan::of(1, static_cast<std::int64_t>(per_day)).value_or(plan{.per_minute = 1});
#endif
}
