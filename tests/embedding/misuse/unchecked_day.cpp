// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The same for a day's quota: a number that may be negative does not become a large one.
// says: constant expression
#include <petstore/limits/plan.hpp>

using namespace petstore::limits;

plan make(long per_day) {
#ifdef MISUSE
  return {.per_minute = 1, .per_day = per_day};
#else
  return {.per_minute = 1, .per_day = static_cast<std::uint64_t>(per_day < 0 ? 0 : per_day)};
#endif
}
