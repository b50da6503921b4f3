// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A number that the keys cannot hold is not charged to the customer whose number its lowest bits are.
// says: a number that the key cannot hold
#include <petstore/limits/limiter.hpp>

#include <cstdint>

using namespace petstore::limits;

#ifdef MISUSE
using customer = std::uint64_t;
#else
using customer = std::uint16_t;
#endif

verdict take(limiter<std::uint32_t>& quota, customer number) {
  return quota.charge(number, now());
}
