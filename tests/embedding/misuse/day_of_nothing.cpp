// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A day of no tokens does not become an unlimited one.
// says: a_long_window_has_1_to_1099511627775_tokens
#include <petstore/limits/plan.hpp>

using namespace petstore::limits;

plan make() {
#ifdef MISUSE
  return {per_minute(60), per_day(0)};
#else
  return {per_minute(60)};
#endif
}
