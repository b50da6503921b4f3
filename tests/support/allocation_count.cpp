// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "support/allocation_count.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>

#include "support/sanitizers.hpp"

namespace petstore::tests {
namespace {

std::atomic<std::uint64_t> count{0};

[[maybe_unused]] void bump() noexcept {
  count.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

std::uint64_t allocation_count() noexcept {
  return count.load(std::memory_order_relaxed);
}

bool allocations_are_counted() noexcept {
  return PETSTORE_TESTS_ARE_SANITIZED == 0;
}

}  // namespace petstore::tests

#if !PETSTORE_TESTS_ARE_SANITIZED

// The C library's own functions, by names that need no look-up at run time.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  petstore::tests::bump();
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
  petstore::tests::bump();
  return __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t size) {
  petstore::tests::bump();
  return __libc_realloc(p, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  petstore::tests::bump();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  *out = memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
}

#endif
