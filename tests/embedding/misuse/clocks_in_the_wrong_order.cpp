// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Two readings of the standard library's clocks, in the wrong order.
// says: could not convert|no viable conversion
#include <petstore/limits/instant.hpp>

using namespace petstore::limits;

instant read() {
  auto const steady = boot_time_of(std::chrono::steady_clock::now());
  auto const system = std::chrono::system_clock::now();
#ifdef MISUSE
  return {system, steady};
#else
  return {steady, system};
#endif
}
