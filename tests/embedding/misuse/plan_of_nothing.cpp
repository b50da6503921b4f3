// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A plan has at least one token.
// says: a_short_window_has_1_to_16777215_tokens
#include <petstore/limits/plan.hpp>

using namespace petstore::limits;

plan make() {
#ifdef MISUSE
  return {per_minute(0)};
#else
  return {per_minute(1)};
#endif
}
