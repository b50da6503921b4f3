// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/instant.hpp"

#include <ctime>

namespace petstore::limits {
namespace {

std::chrono::nanoseconds read(clockid_t clock) noexcept {
  timespec t{};
  ::clock_gettime(clock, &t);
  return std::chrono::seconds{t.tv_sec} + std::chrono::nanoseconds{t.tv_nsec};
}

}  // namespace

instant now() noexcept {
  return {read(CLOCK_BOOTTIME), read(CLOCK_REALTIME)};
}

}  // namespace petstore::limits
