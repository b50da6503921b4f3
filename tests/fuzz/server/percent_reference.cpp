// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "fuzz/server/percent_reference.hpp"

#include <cctype>

namespace petstore::fuzz {

std::optional<std::string> decode_plainly(std::string_view encoded) {
  std::string plain;
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    if (encoded[i] != '%') {
      plain.push_back(encoded[i]);
      continue;
    }
    std::string const digits{encoded.substr(i + 1, 2)};
    bool const is_escape = digits.size() == 2 && std::isxdigit(static_cast<unsigned char>(digits[0])) != 0 &&
                           std::isxdigit(static_cast<unsigned char>(digits[1])) != 0;
    if (!is_escape) return std::nullopt;
    plain.push_back(static_cast<char>(std::stoi(digits, nullptr, 16)));
    i += 2;
  }
  return plain;
}

std::optional<std::int64_t> parse_integer_plainly(std::string_view text) {
  // A text with an extra sign, zero or space, or a number out of range, does not print as the same text.
  if (text.empty() || text.size() > 20 || text.find('\0') != std::string_view::npos) return std::nullopt;
  std::int64_t const value = std::strtoll(std::string{text}.c_str(), nullptr, 10);
  return std::to_string(value) == text ? std::optional{value} : std::nullopt;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (;;) {
    auto const at = text.find(separator);
    pieces.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return pieces;
    text.remove_prefix(at + 1);
  }
}

bool is_safe_in_link(std::string_view text) {
  constexpr std::string_view marks = "-._~!$&'()*+,;=:@/?%";
  for (char const c : text) {
    auto const byte = static_cast<unsigned char>(c);
    if (byte > 0x7F || (std::isalnum(byte) == 0 && marks.find(c) == std::string_view::npos)) return false;
  }
  return decode_plainly(text).has_value();
}

}  // namespace petstore::fuzz
