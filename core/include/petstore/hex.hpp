// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>

namespace petstore {

/// What a hexadecimal digit is worth; -1 for anything else.
constexpr int hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The byte of two hexadecimal digits; -1 for anything else.
constexpr int hex_value(char high, char low) noexcept {
  int const h = hex_value(high), l = hex_value(low);
  return h < 0 || l < 0 ? -1 : h << 4 | l;
}

/// The hexadecimal digits, in lower case.
inline constexpr std::string_view hex_digits = "0123456789abcdef";

/// Two hexadecimal digits for each byte, in lower case.
std::string to_hex(auto const& bytes) {
  std::string text;
  for (auto const c : bytes) {
    auto const byte = static_cast<unsigned char>(c);
    text.append({hex_digits[byte >> 4], hex_digits[byte & 15]});
  }
  return text;
}

}  // namespace petstore
