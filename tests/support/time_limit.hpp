// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "support/sanitizers.hpp"

namespace petstore::tests {

/// The environment variable PETSTORE_TEST_TIME_FACTOR, for runs that are slow for another reason, such as valgrind.
inline int time_factor() {
  char const* const factor = std::getenv("PETSTORE_TEST_TIME_FACTOR");  // NOLINT(concurrency-mt-unsafe): never set
  return factor ? std::max(std::atoi(factor), 1) : 1;
}

/// How long a test waits at most for an event that must come. It exists only to end a hang: no test passes because this
/// time is over.
inline std::chrono::seconds const time_limit =
    std::chrono::seconds{60} * (PETSTORE_TESTS_ARE_SANITIZED ? 3 : 1) * time_factor();

/// The same for poll() and similar functions.
inline int time_limit_ms() {
  return static_cast<int>(std::chrono::milliseconds{time_limit}.count());
}

}  // namespace petstore::tests
