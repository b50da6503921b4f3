// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Which of two moments is earlier can be said on one clock.
// says: no match for|invalid operands
#include <petstore/limits/instant.hpp>

using namespace petstore::limits;

bool is_before(instant one, instant other) {
#ifdef MISUSE
  return one.boot < other.wall;
#else
  return one.boot < other.boot;
#endif
}
