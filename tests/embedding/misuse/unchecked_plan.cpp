// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A quota that is not a constant and may be negative does not become a large one.
// says: constant expression
#include <petstore/limits/plan.hpp>

using namespace petstore::limits;

plan make(int per_minute) {
#ifdef MISUSE
  return {.per_minute = per_minute};
#else
  return {.per_minute = static_cast<std::uint32_t>(per_minute < 1 ? 1 : per_minute)};
#endif
}
