// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A ban ends at a time of the wall clock.
// says: cannot convert|could not convert|no viable conversion|no matching
#include <petstore/limits/limiter.hpp>

using namespace petstore::limits;

bool ban(limiter<int>& quota, instant t) {
#ifdef MISUSE
  return quota.ban(7, t.boot + std::chrono::hours{1}, t);
#else
  return quota.ban(7, t.wall + std::chrono::hours{1}, t);
#endif
}
