// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace petstore {

/// Whether `bytes` begins with `secret`, in a time that depends only on N. CRYPTO_memcmp compares byte by byte, which
/// took longer for the key of a request than all the rest of the key check.
template <class Byte, std::size_t N>
bool equals_in_constant_time(Byte const* bytes, std::array<Byte, N> const& secret) noexcept {
  static_assert(sizeof(Byte) == 1);
  auto const word_at = [](Byte const* from) noexcept {
    std::uint64_t word;
    std::memcpy(&word, from, sizeof word);
    return word;
  };
  static_assert(N >= sizeof(std::uint64_t));
  constexpr std::size_t last = N - sizeof(std::uint64_t);  // may overlap the word before it
  std::uint64_t difference = word_at(bytes + last) ^ word_at(secret.data() + last);
  for (std::size_t i = 0; i < last; i += sizeof(std::uint64_t)) {
    difference |= word_at(bytes + i) ^ word_at(secret.data() + i);
    asm volatile("" : "+r"(difference));  // the compiler must not end the loop at a difference
  }
  return difference == 0;
}

}  // namespace petstore
