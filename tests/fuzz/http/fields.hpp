// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Functions for header fields that share no code with the service.
namespace petstore::fuzz {

using field_list = std::vector<std::pair<std::string, std::string>>;

inline std::string lowered(std::string_view s) {
  std::string out{s};
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return out;
}

/// The values of all fields with this name, which must be in lower case.
inline std::vector<std::string_view> values_of(field_list const& fields, std::string_view name) {
  std::vector<std::string_view> found;
  for (auto const& [n, v] : fields)
    if (lowered(n) == name) found.push_back(v);
  return found;
}

constexpr bool is_token_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view{"!#$%&'*+-.^_`|~"}.find(c) != std::string_view::npos;
}

constexpr bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

}  // namespace petstore::fuzz
