// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>

namespace petstore::tests {

/// The number of allocations of this program, by malloc or a related function; `new`, LMDB and OpenSSL use these. A
/// program that links allocation_count.cpp has its own malloc, which calls the C library's. Any thread.
std::uint64_t allocation_count() noexcept;

/// Whether allocations are counted. Under a sanitizer, which has its own allocator, they are not.
bool allocations_are_counted() noexcept;

}  // namespace petstore::tests
