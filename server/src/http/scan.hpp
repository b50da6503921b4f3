// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "http/grammar.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Scans the bytes of a head in blocks: 16 bytes with SSE2, which every x86-64 processor has, otherwise eight in a
/// word. Both ways have the same result. Any thread.
namespace petstore::server::http {

constexpr bool is_control(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// The offset of the first control character from `from` on, or the size. A line of a head has two, at its end.
inline std::size_t find_control_by_words(std::string_view s, std::size_t from) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    constexpr std::uint64_t each_01 = 0x0101010101010101, each_80 = 0x80 * each_01;
    for (; s.size() - from >= 8; from += 8) {
      std::uint64_t word;
      std::memcpy(&word, s.data() + from, 8);
      // Each sum uses seven bits, so it does not carry into the next byte: the high bit is set from 0x20 on, or at
      // 0x7f.
      std::uint64_t const low = word & ~each_80;
      std::uint64_t const found = (~(low + 0x60 * each_01) | (low + each_01)) & ~word & each_80;
      if (found != 0) return from + static_cast<std::size_t>(std::countr_zero(found)) / 8;
    }
  }
  while (from < s.size() && !is_control(s[from])) ++from;
  return from;
}

#if defined(__SSE2__)

inline __m128i load_block(char const* at) noexcept {
  return _mm_loadu_si128(reinterpret_cast<__m128i const*>(at));
}

/// One bit for each of 16 bytes; the lowest is that of the first byte.
inline unsigned bits_of(__m128i bytes) noexcept {
  return static_cast<unsigned>(_mm_movemask_epi8(bytes));
}

inline __m128i is_at_most(__m128i bytes, char most) noexcept {
  return _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(most)), bytes);
}

inline std::size_t find_control(std::string_view s, std::size_t from) noexcept {
  constexpr std::size_t block = sizeof(__m128i);
  auto const controls_at = [&](std::size_t at) {
    __m128i const bytes = load_block(s.data() + at);
    return bits_of(_mm_or_si128(is_at_most(bytes, 0x1f), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7f))));
  };
  if (s.size() < block) return find_control_by_words(s, from);
  std::size_t const last = s.size() - block;
  for (; from <= last; from += block) {
    unsigned const found = controls_at(from);
    if (found != 0) return from + static_cast<std::size_t>(std::countr_zero(found));
  }
  // The last block overlaps bytes that were scanned before; these are shifted out.
  unsigned const found = controls_at(last) >> (from - last);
  return found == 0 ? s.size() : from + static_cast<std::size_t>(std::countr_zero(found));
}

/// Returns the end of the token that begins at `at`. A character that is not part of it must stand before `end`; bytes
/// up to `end` may be read. Most field names are letters and hyphens, and not longer than a block.
inline char const* skip_token(char const* at, char const* end) noexcept {
  if (end - at >= std::ptrdiff_t{sizeof(__m128i)}) {
    __m128i const bytes = load_block(at);
    __m128i const from_a = _mm_sub_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
    __m128i const usual = _mm_or_si128(is_at_most(from_a, 'z' - 'a'), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('-')));
    at += std::countr_one(bits_of(usual));
  }
  while (is_token_char(*at)) ++at;
  return at;
}

#else

inline std::size_t find_control(std::string_view s, std::size_t from) noexcept {
  return find_control_by_words(s, from);
}

inline char const* skip_token(char const* at, char const*) noexcept {
  while (is_token_char(*at)) ++at;
  return at;
}

#endif

}  // namespace petstore::server::http
