// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

/// 1 under the sanitizer, which each compiler says in its own way; otherwise 0.
#define PETSTORE_TESTS_HAVE_ASAN 0
#define PETSTORE_TESTS_HAVE_TSAN 0
#if defined(__SANITIZE_ADDRESS__)
#undef PETSTORE_TESTS_HAVE_ASAN
#define PETSTORE_TESTS_HAVE_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#undef PETSTORE_TESTS_HAVE_TSAN
#define PETSTORE_TESTS_HAVE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#undef PETSTORE_TESTS_HAVE_ASAN
#define PETSTORE_TESTS_HAVE_ASAN 1
#elif __has_feature(thread_sanitizer)
#undef PETSTORE_TESTS_HAVE_TSAN
#define PETSTORE_TESTS_HAVE_TSAN 1
#endif
#endif
/// 1 with one of them: the program has the sanitizer's allocator and is several times slower.
#define PETSTORE_TESTS_ARE_SANITIZED (PETSTORE_TESTS_HAVE_ASAN || PETSTORE_TESTS_HAVE_TSAN)

namespace petstore::tests {

/// How often a test runs the same code with other random numbers: seldom with a sanitizer, which finds its faults in
/// the first run as well as in the twentieth.
constexpr unsigned repetitions(unsigned without_sanitizer) {
  return PETSTORE_TESTS_ARE_SANITIZED ? (without_sanitizer + 9) / 10 : without_sanitizer;
}

}  // namespace petstore::tests
