// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A reservation that is not stored would be given back at once.
// says: nodiscard|ignoring
#include <petstore/limits/limiter.hpp>

using namespace petstore::limits;

void work(limiter<int>& quota) {
#ifdef MISUSE
  quota.reserve(7, 5);
#else
  auto held = quota.reserve(7, 5);
  held.commit(2);
#endif
}
