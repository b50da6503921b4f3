// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A period has at most 31 days.
// says: a_period_is_of_whole_seconds_from_1_to_31_days_or_a_month
#include <petstore/limits/plan.hpp>

using namespace petstore::limits;

plan make() {
#ifdef MISUSE
  return {per_minute(60), window{1'000, std::chrono::days{32}}};
#else
  return {per_minute(60), window{1'000, std::chrono::days{31}}};
#endif
}
