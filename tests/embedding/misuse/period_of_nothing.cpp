// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A period that ends when it begins would grant any number of tokens.
// says: a_period_is_of_whole_seconds_from_1_to_31_days_or_a_month
#include <petstore/limits/plan.hpp>

using namespace petstore::limits;

plan make() {
#ifdef MISUSE
  return {window{20, std::chrono::seconds{0}}};
#else
  return {window{20, std::chrono::seconds{1}}};
#endif
}
