// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// There is no plan without a short window.
// says: (could not convert|no matching constructor).*short_window
#include <petstore/limits/plan.hpp>

using namespace petstore::limits;

plan make() {
#ifdef MISUSE
  return plan{};
#else
  return plan{per_minute(60)};
#endif
}
