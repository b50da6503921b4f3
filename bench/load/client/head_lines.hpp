// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The lines of a head: where they end, and whose they are (RFC 9112 section 5, RFC 9110 section 5).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace petstore::load {

/// Takes a line from the front of `rest`, without its CR LF; nothing when it has no end yet. A line may end in LF
/// alone, as RFC 9112 section 2.2 lets a recipient allow.
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

/// Whether both are the same name: their case does not count.
constexpr bool is_name(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

/// What a name may consist of: RFC 9110 section 5.6.2.
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
