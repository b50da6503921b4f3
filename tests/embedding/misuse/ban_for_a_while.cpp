// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A ban takes its end, not its length: an hour would be a time in 1970.
// says: cannot convert|could not convert|no viable conversion|no matching
#include <petstore/limits/limiter.hpp>

using namespace petstore::limits;

bool ban(limiter<int>& quota, instant t) {
  std::chrono::hours const while_banned{1};
#ifdef MISUSE
  return quota.ban(7, while_banned, t);
#else
  return quota.ban(7, t.wall + while_banned, t);
#endif
}
