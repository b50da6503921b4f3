// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A reservation that nobody keeps would be given back before anything is done with it.
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
