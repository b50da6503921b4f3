// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A cost is a whole number of tokens: 1.5 does not become 1.
// says: deleted
#include <petstore/limits/limiter.hpp>

using namespace petstore::limits;

verdict take(limiter<int>& quota) {
#ifdef MISUSE
  return quota.charge(7, 1.5, now());
#else
  return quota.charge(7, 2, now());
#endif
}
