// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The lines of a head: their ends and their names (RFC 9112 section 5, RFC 9110 section 5).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace petstore::load {

/// Removes a line from the front of `rest` and returns it without its CR LF; nullopt if it is not complete. A line may
/// end with LF alone, which RFC 9112 section 2.2 allows.
inline std::optional<std::string_view> take_line(std::string_view& rest) noexcept {
  auto const end = rest.find('\n');
  if (end == rest.npos) return std::nullopt;
  auto line = rest.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  rest.remove_prefix(end + 1);
  return line;
}

constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

/// Whether both names are equal; the case of letters does not matter.
constexpr bool is_name(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

/// Whether a name is a token: RFC 9110 section 5.6.2.
inline constexpr auto token_characters = [] {
  std::array<bool, 256> is_token{};
  for (auto const c : std::string_view("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"))
    is_token[static_cast<unsigned char>(c)] = true;
  return is_token;
}();

constexpr bool is_token(std::string_view name) noexcept {
  for (auto const c : name)
    if (!token_characters[static_cast<unsigned char>(c)]) return false;
  return !name.empty();
}

constexpr std::string_view trimmed(std::string_view value) noexcept {
  while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
  while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.remove_suffix(1);
  return value;
}

}  // namespace petstore::load
