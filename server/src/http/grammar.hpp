// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

/// The characters of HTTP/1.1 (RFC 9110, 5.6; RFC 9112). Any thread.
namespace petstore::server::http {

namespace detail {

enum char_class : std::uint8_t {
  token = 1,            ///< tchar (RFC 9110, 5.6.2)
  registered_name = 2,  ///< reg-name (RFC 3986, 3.2.2) without its percent-encoding: unreserved and sub-delims
  path = 4,             ///< a request target before its query: visible ASCII without `#` and `?`
};

consteval std::array<std::uint8_t, 256> make_class_table() {
  std::array<std::uint8_t, 256> table{};
  auto const add = [&](std::string_view characters, int classes) {
    for (char const c : characters) table[static_cast<unsigned char>(c)] |= static_cast<std::uint8_t>(classes);
  };
  for (unsigned char c = 0x21; c < 0x7f; ++c) table[c] = path;
  table['#'] = table['?'] = 0;
  add("0123456789", token | registered_name);
  add("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", token | registered_name);
  add("!#$%&'*+-.^_`|~", token);
  add("-._~!$&'()*+,;=", registered_name);
  return table;
}
inline constexpr auto class_table = make_class_table();

constexpr bool is_in(char c, char_class k) noexcept {
  return (class_table[static_cast<unsigned char>(c)] & k) != 0;
}

}  // namespace detail

constexpr bool is_token_char(char c) noexcept {
  return detail::is_in(c, detail::token);
}

constexpr bool is_registered_name_char(char c) noexcept {
  return detail::is_in(c, detail::registered_name);
}

/// A request contains no fragment, and percent-encodes everything that is not visible ASCII.
constexpr bool is_path_char(char c) noexcept {
  return detail::is_in(c, detail::path);
}

constexpr bool is_token(std::string_view s) noexcept {
  for (char const c : s)
    if (!is_token_char(c)) return false;
  return !s.empty();
}

constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// Visible ASCII: no space, no control character, nothing beyond 0x7e.
constexpr bool is_visible(char c) noexcept {
  return c > ' ' && c <= '~';
}

/// The characters of a field value: visible characters, space, tab, and bytes from 0x80 on.
constexpr bool is_field_value_char(char c) noexcept {
  auto const u = static_cast<unsigned char>(c);
  return u == '\t' || (u >= 0x20 && u != 0x7f);
}

}  // namespace petstore::server::http
