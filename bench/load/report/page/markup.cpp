// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/page/markup.hpp"

#include <array>
#include <cstdio>
#include <cstring>

#include "report/columns.hpp"

namespace petstore::load {

std::string escaped(std::string_view text) {
  std::string safe;
  for (char const c : shown(text)) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      case '\'': safe += "&#39;"; break;
      default: safe += c;
    }
  }
  return safe;
}

std::string script_string(std::string_view text) {
  std::string safe = "\"";
  // `shown` has replaced control characters, so JSON needs no further escapes.
  for (char const c : shown(text)) {
    switch (c) {
      case '"': safe += "\\\""; break;
      case '\\': safe += "\\\\"; break;
      case '<': safe += "\\u003c"; break;
      case '>': safe += "\\u003e"; break;
      case '&': safe += "\\u0026"; break;
      default: safe += c;
    }
  }
  return safe + "\"";
}

std::string coordinate(double value) {
  std::array<char, 32> text;
  auto length = static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.1f", value));
  if (length >= 2 && std::memcmp(text.data() + length - 2, ".0", 2) == 0) length -= 2;
  return {text.data(), length};
}

}  // namespace petstore::load
