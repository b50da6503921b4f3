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

template <class Word>
Word first(std::string_view data) noexcept {
  Word word = 0;
  std::memcpy(&word, data.data(), sizeof word);
  return word;
}

// Only this function is compiled for SSE 4.2, and it is called only if the processor has it. So the build needs no
// flag, and the program also runs on processors without it.
__attribute__((target("sse4.2"))) std::uint32_t crc32c_by_instruction(std::string_view data) noexcept {
  std::uint64_t wide = ~std::uint32_t{0};
  for (; data.size() >= 8; data.remove_prefix(8)) wide = _mm_crc32_u64(wide, first<std::uint64_t>(data));
  // Each instruction waits for the one before it. Records are short, so seven steps of one byte would take a third of
  // the time.
  auto crc = static_cast<std::uint32_t>(wide);
  if ((data.size() & 4) != 0) {
    crc = _mm_crc32_u32(crc, first<std::uint32_t>(data));
    data.remove_prefix(4);
  }
  if ((data.size() & 2) != 0) {
    crc = _mm_crc32_u16(crc, first<std::uint16_t>(data));
    data.remove_prefix(2);
  }
  if (!data.empty()) crc = _mm_crc32_u8(crc, static_cast<unsigned char>(data.front()));
  return ~crc;
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
