// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A cost is at least one token: a negative one would add tokens.
// says: a_cost_is_1_to_16777215_tokens
#include <petstore/limits/limiter.hpp>

using namespace petstore::limits;

verdict take(limiter<int>& quota) {
#ifdef MISUSE
  return quota.charge(7, -1, now());
#else
  return quota.charge(7, 1, now());
#endif
}
