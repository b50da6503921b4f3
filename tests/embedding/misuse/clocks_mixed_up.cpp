// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Minutes are not measured by the wall clock, since it may be set.
// says: could not convert|no viable conversion
#include <petstore/limits/instant.hpp>

using namespace petstore::limits;

instant later(instant t) {
#ifdef MISUSE
  return {.boot = t.wall, .wall = t.wall};
#else
  return {.boot = t.boot, .wall = t.wall};
#endif
}
