// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>

namespace petstore::tests {

/// How often this program has asked for memory, by malloc or one of its relatives, which `new`, LMDB and OpenSSL stand
/// on. The program that links allocation_count.cpp has its own malloc in front of the C library's. Any thread.
std::uint64_t allocation_count() noexcept;

/// false: a sanitizer has its own allocator, and nothing is counted.
bool allocations_are_counted() noexcept;

}  // namespace petstore::tests
