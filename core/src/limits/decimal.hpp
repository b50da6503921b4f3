// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace petstore::limits::detail {

inline constexpr std::size_t decimal_size_max = 20;

/// "00" to "99", concatenated.
inline constexpr auto digit_pairs = [] {
  std::array<char, 200> all{};
  for (std::size_t n = 0; n < 100; ++n) {
    all[2 * n] = static_cast<char>('0' + n / 10);
    all[2 * n + 1] = static_cast<char>('0' + n % 10);
  }
  return all;
}();

/// Writes with leading zeros: n < 100, n < 10^8.
inline char* write_two(char* to, std::uint32_t n) noexcept {
  std::memcpy(to, digit_pairs.data() + std::size_t{2} * n, 2);
  return to + 2;
}
inline char* write_eight(char* to, std::uint32_t n) noexcept {
  to = write_two(to, n / 1'000'000);
  to = write_two(to, n / 10'000 % 100);
  to = write_two(to, n / 100 % 100);
  return write_two(to, n % 100);
}

/// Writes without leading zeros: n < 100, n < 10^4, n < 10^8.
inline char* write_to_two(char* to, std::uint32_t n) noexcept {
  if (n >= 10) return write_two(to, n);
  *to = static_cast<char>('0' + n);
  return to + 1;
}
inline char* write_to_four(char* to, std::uint32_t n) noexcept {
  return n < 100 ? write_to_two(to, n) : write_two(write_to_two(to, n / 100), n % 100);
}
inline char* write_to_eight(char* to, std::uint32_t n) noexcept {
  if (n < 10'000) return write_to_four(to, n);
  return write_two(write_two(write_to_four(to, n / 10'000), n / 100 % 100), n % 100);
}

/// Writes n without leading zeros and returns the end of the text. An answer has many short numbers, so this is
/// optimised for short ones: std::to_chars counts the digits first and then writes them in a loop.
inline char* write_decimal(char* to, std::uint64_t n) noexcept {
  constexpr std::uint64_t group = 100'000'000;
  if (n < group) return write_to_eight(to, static_cast<std::uint32_t>(n));
  auto const low = static_cast<std::uint32_t>(n % group);
  if (n < group * group) return write_eight(write_to_eight(to, static_cast<std::uint32_t>(n / group)), low);
  to = write_to_four(to, static_cast<std::uint32_t>(n / group / group));
  return write_eight(write_eight(to, static_cast<std::uint32_t>(n / group % group)), low);
}

}  // namespace petstore::limits::detail
