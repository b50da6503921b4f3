// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/crc32c.hpp"

#include "reflected_crc.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <nmmintrin.h>

#include <cstring>
#define PETSTORE_CRC32C_SSE42
#endif

namespace petstore {

#ifdef PETSTORE_CRC32C_SSE42
namespace {

// Compiled for SSE 4.2 alone of this file, and entered only where the processor has it: the build needs no flag, and
// the program still starts on one that has not.
__attribute__((target("sse4.2"))) std::uint32_t crc32c_by_instruction(std::string_view data) noexcept {
  std::uint64_t crc = ~std::uint32_t{0};
  for (; data.size() >= 8; data.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, data.data(), sizeof word);
    crc = _mm_crc32_u64(crc, word);
  }
  auto rest = static_cast<std::uint32_t>(crc);
  for (char c : data) rest = _mm_crc32_u8(rest, static_cast<unsigned char>(c));
  return ~rest;
}

}  // namespace

std::uint32_t crc32c(std::string_view data) noexcept {
  return __builtin_cpu_supports("sse4.2") ? crc32c_by_instruction(data) : crc32c_by_table(data);
}
#else
std::uint32_t crc32c(std::string_view data) noexcept {
  return crc32c_by_table(data);
}
#endif

std::uint32_t crc32c_by_table(std::string_view data) noexcept {
  return reflected_crc<0x82F63B78>::of(data);
}

}  // namespace petstore
