// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A fraction is no customer's number.
// says: a number that the key cannot hold
#include <petstore/limits/limiter.hpp>

using namespace petstore::limits;

verdict take(limiter<int>& quota) {
#ifdef MISUSE
  return quota.charge(7.9, now());
#else
  return quota.charge(7, now());
#endif
}
