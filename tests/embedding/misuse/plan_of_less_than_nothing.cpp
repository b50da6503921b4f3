// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A negative day's quota does not become a large one.
// says: a_long_window_has_1_to_1099511627775_tokens
#include <petstore/limits/plan.hpp>

using namespace petstore::limits;

plan make() {
  plan made{per_minute(60)};
#ifdef MISUSE
  made.long_window = per_day(-1);
#else
  made.long_window = per_day(1);
#endif
  return made;
}
