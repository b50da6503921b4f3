// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

/// 1 under AddressSanitizer or ThreadSanitizer: the program has the sanitizer's allocator and is several times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PETSTORE_TESTS_ARE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PETSTORE_TESTS_ARE_SANITIZED 1
#endif
#endif
#ifndef PETSTORE_TESTS_ARE_SANITIZED
#define PETSTORE_TESTS_ARE_SANITIZED 0
#endif

namespace petstore::tests {

/// How often a test runs the same code with other random numbers: seldom with a sanitizer, which finds its faults in
/// the first run as well as in the twentieth.
constexpr unsigned repetitions(unsigned without_sanitizer) {
  return PETSTORE_TESTS_ARE_SANITIZED ? (without_sanitizer + 9) / 10 : without_sanitizer;
}

}  // namespace petstore::tests
