// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A charge whose verdict nobody reads limits nothing.
// says: nodiscard
#include <petstore/limits/limiter.hpp>

using namespace petstore::limits;

bool serve(limiter<int>& quota, int customer) {
#ifdef MISUSE
  quota.charge(customer, now());
  return true;
#else
  return quota.charge(customer, now()).admitted();
#endif
}
