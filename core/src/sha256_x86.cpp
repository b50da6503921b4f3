// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Every request has its key digested. OpenSSL uses the same instructions, but its interface costs as much again for
// something as short as a key.
#include "sha256_x86.hpp"

#include <cpuid.h>
#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace petstore {
namespace {

// These functions alone are compiled for such a processor.
#define SHA_TARGET [[gnu::target("sha,ssse3")]]

constexpr std::size_t block_size = 64;

/// The fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
alignas(16) constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// The eight words of the state as the instructions want them: a, b, e, f and c, d, g, h, from the top lane down.
struct state {
  __m128i abef;
  __m128i cdgh;
};

/// Four rounds with four words of the message.
SHA_TARGET inline void four_rounds(state& s, __m128i words, std::size_t step) noexcept {
  auto const* constants = reinterpret_cast<__m128i const*>(round_constants.data()) + step;
  __m128i const mixed = _mm_add_epi32(words, _mm_load_si128(constants));
  s.cdgh = _mm_sha256rnds2_epu32(s.cdgh, s.abef, mixed);
  s.abef = _mm_sha256rnds2_epu32(s.abef, s.cdgh, _mm_shuffle_epi32(mixed, 0x0E));
}

/// The four words that follow these sixteen.
SHA_TARGET inline __m128i next_words(__m128i a, __m128i b, __m128i c, __m128i d) noexcept {
  return _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(a, b), _mm_alignr_epi8(d, c, 4)), d);
}

SHA_TARGET inline __m128i load_words(unsigned char const* bytes) noexcept {
  __m128i const big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  return _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<__m128i const*>(bytes)), big_endian);
}

SHA_TARGET inline state compress(state s, unsigned char const* block) noexcept {
  state const before = s;
  __m128i a = load_words(block);
  __m128i b = load_words(block + 16);
  __m128i c = load_words(block + 32);
  __m128i d = load_words(block + 48);
  four_rounds(s, a, 0);
  four_rounds(s, b, 1);
  four_rounds(s, c, 2);
  four_rounds(s, d, 3);
  for (std::size_t step = 4; step < 16; step += 4) {
    four_rounds(s, a = next_words(a, b, c, d), step);
    four_rounds(s, b = next_words(b, c, d, a), step + 1);
    four_rounds(s, c = next_words(c, d, a, b), step + 2);
    four_rounds(s, d = next_words(d, a, b, c), step + 3);
  }
  return {_mm_add_epi32(s.abef, before.abef), _mm_add_epi32(s.cdgh, before.cdgh)};
}

}  // namespace

bool has_sha_instructions() noexcept {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  constexpr unsigned sha_bit = 1u << 29;
  constexpr unsigned ssse3_bit = 1u << 9;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (b & sha_bit) == 0) return false;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & ssse3_bit) != 0;
}

SHA_TARGET sha256_digest sha256_by_instructions(std::string_view data) noexcept {
  auto const* bytes = reinterpret_cast<unsigned char const*>(data.data());
  std::size_t left = data.size();
  state s{_mm_set_epi32(0x6a09e667, static_cast<int>(0xbb67ae85), 0x510e527f, static_cast<int>(0x9b05688c)),
          _mm_set_epi32(0x3c6ef372, static_cast<int>(0xa54ff53a), 0x1f83d9ab, 0x5be0cd19)};
  for (; left >= block_size; left -= block_size, bytes += block_size) s = compress(s, bytes);

  // What is left, a one bit, zeros, and the length in bits as the last eight bytes of a block.
  std::array<unsigned char, 2 * block_size> tail{};
  if (left != 0) std::memcpy(tail.data(), bytes, left);
  tail[left] = 0x80;
  std::size_t const end = left + 9 <= block_size ? block_size : 2 * block_size;
  std::uint64_t const bits = __builtin_bswap64(std::uint64_t{data.size()} * 8);
  std::memcpy(tail.data() + end - sizeof bits, &bits, sizeof bits);
  s = compress(s, tail.data());
  if (end != block_size) s = compress(s, tail.data() + block_size);
  tail.fill(0);  // what was digested may be a secret
  asm volatile("" : : "r"(tail.data()) : "memory");

  // Back into the order a to h, each word with its first byte in front: all bytes of a half turned around.
  __m128i const reversed = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
  __m128i const abcd = _mm_unpackhi_epi64(s.cdgh, s.abef);
  __m128i const efgh = _mm_unpacklo_epi64(s.cdgh, s.abef);
  sha256_digest digest;
  _mm_storeu_si128(reinterpret_cast<__m128i*>(digest.data()), _mm_shuffle_epi8(abcd, reversed));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(digest.data() + 16), _mm_shuffle_epi8(efgh, reversed));
  return digest;
}

}  // namespace petstore
