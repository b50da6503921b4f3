// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A number that is not a constant must be checked by cost::of.
// says: constant expression
#include <petstore/limits/limiter.hpp>

using namespace petstore::limits;

verdict take(limiter<int>& quota, int tokens) {
#ifdef MISUSE
  return quota.charge(7, tokens, now());
#else
  return quota.charge(7, cost::of(static_cast<std::uint64_t>(tokens)).value(), now());
#endif
}
