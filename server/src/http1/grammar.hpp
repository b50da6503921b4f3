// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <string_view>

/// The characters of HTTP/1.1 (RFC 9110, 5.6; RFC 9112). Any thread.
namespace petstore::server::http1 {

namespace detail {

consteval std::array<bool, 256> make_token_table() {
  std::array<bool, 256> table{};
  for (unsigned char c = '0'; c <= '9'; ++c) table[c] = true;
  for (unsigned char c = 'A'; c <= 'Z'; ++c) table[c] = true;
  for (unsigned char c = 'a'; c <= 'z'; ++c) table[c] = true;
  for (char const c : std::string_view{"!#$%&'*+-.^_`|~"}) table[static_cast<unsigned char>(c)] = true;
  return table;
}
inline constexpr auto token_table = make_token_table();

}  // namespace detail

constexpr bool is_token_char(char c) noexcept {
  return detail::token_table[static_cast<unsigned char>(c)];
}

constexpr bool is_token(std::string_view s) noexcept {
  for (char const c : s)
    if (!is_token_char(c)) return false;
  return !s.empty();
}

constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// -1 for what is no hexadecimal digit.
constexpr int hex_value(char c) noexcept {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Visible ASCII: no space, no control character, nothing beyond 0x7e.
constexpr bool is_visible(char c) noexcept {
  return c > ' ' && c <= '~';
}

/// What a field value may hold between its ends: visible characters, space, tab, and bytes from 0x80.
constexpr bool is_field_value_char(char c) noexcept {
  auto const u = static_cast<unsigned char>(c);
  return u == '\t' || (u >= 0x20 && u != 0x7f);
}

}  // namespace petstore::server::http1
