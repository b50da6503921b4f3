// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The standard library's steady clock has another epoch: a program must convert its readings explicitly.
// says: could not convert|no viable conversion
#include <petstore/limits/instant.hpp>

using namespace petstore::limits;

instant read() {
  auto const steady = std::chrono::steady_clock::now();
#ifdef MISUSE
  return {steady, std::chrono::system_clock::now()};
#else
  return {boot_time_of(steady), std::chrono::system_clock::now()};
#endif
}
