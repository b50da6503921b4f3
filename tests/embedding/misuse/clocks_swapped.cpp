// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The result of a computation with times still belongs to their clock.
// says: could not convert|no viable conversion
#include <petstore/limits/instant.hpp>

using namespace petstore::limits;

instant later(instant t) {
  std::chrono::seconds const step{1};
#ifdef MISUSE
  return instant{t.wall + step, t.boot + step};
#else
  return instant{t.boot + step, t.wall + step};
#endif
}
