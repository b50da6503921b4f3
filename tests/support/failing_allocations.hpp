// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>

namespace petstore::tests {

/// On the calling thread, the allocation so many from now finds no memory, 1 for the next one; 0: none does. Whoever
/// compiles failing_allocations.cpp into a program has its operator new replaced by one that does so.
void fail_allocation(std::size_t countdown) noexcept;

/// On the calling thread, allocations of so many bytes and more find no memory; 0: all find it.
void fail_allocations_from(std::size_t bytes) noexcept;

/// How many have failed, on any thread.
std::size_t failed_allocations() noexcept;

}  // namespace petstore::tests
