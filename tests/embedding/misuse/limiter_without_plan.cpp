// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A limiter needs a plan.
// says: (no known conversion|cannot convert).*limiter_options
#include <petstore/limits/limiter.hpp>

using namespace petstore::limits;

#ifdef MISUSE
limiter<int> quota({.identities_max = 100});
#else
limiter<int> quota({.plan = {per_minute(60)}, .identities_max = 100});
#endif
