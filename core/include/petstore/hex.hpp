// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

namespace petstore {

/// Two hexadecimal digits for each byte, in lower case.
std::string to_hex(auto const& bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (auto const c : bytes) {
    auto const byte = static_cast<unsigned char>(c);
    text.append({digits[byte >> 4], digits[byte & 15]});
  }
  return text;
}

}  // namespace petstore
