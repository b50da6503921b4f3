// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>

namespace petstore::tests {

/// Lets one allocation of the calling thread fail: 1 is the next one, 2 the one after it; 0: none. It works in programs
/// with failing_allocations.cpp, which replaces operator new.
void fail_allocation(std::size_t countdown) noexcept;

/// Lets all allocations of the calling thread fail that have at least this size; 0: none.
void fail_allocations_from(std::size_t bytes) noexcept;

/// The number of allocations that have failed, on all threads.
std::size_t failed_allocations() noexcept;

}  // namespace petstore::tests
