// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Only times of the same clock can be compared.
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
