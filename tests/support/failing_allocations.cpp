// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "support/failing_allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace petstore::tests {
namespace {

thread_local std::size_t left = 0;
thread_local std::size_t too_large = 0;
std::atomic<std::size_t> failed{0};

bool fails(std::size_t bytes) noexcept {
  bool const now = (left != 0 && --left == 0) || (too_large != 0 && bytes >= too_large);
  if (now) ++failed;
  return now;
}

}  // namespace

void fail_allocation(std::size_t countdown) noexcept {
  left = countdown;
}

void fail_allocations_from(std::size_t bytes) noexcept {
  too_large = bytes;
}

std::size_t failed_allocations() noexcept {
  return failed;
}

}  // namespace petstore::tests

// The standard library's other operators new call these.
void* operator new(std::size_t bytes) {
  if (petstore::tests::fails(bytes)) throw std::bad_alloc();
  void* const found = std::malloc(bytes == 0 ? 1 : bytes);
  if (found == nullptr) throw std::bad_alloc();
  return found;
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  if (petstore::tests::fails(bytes)) throw std::bad_alloc();
  auto const unit = static_cast<std::size_t>(alignment);
  void* const found = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
  if (found == nullptr) throw std::bad_alloc();
  return found;
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}
