// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A quota that is not a constant has to be checked: it may be negative, or too large.
// says: constant expression
#include <petstore/limits/plan.hpp>

using namespace petstore::limits;

plan make(int tokens) {
#ifdef MISUSE
  return {per_minute(tokens)};
#else
  return plan::of(per_minute(tokens)).value_or(plan{per_minute(1)});
#endif
}
