// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/utf8.hpp"

#include <cstddef>

namespace petstore {

std::optional<char32_t> take_code_point(std::string_view& text) noexcept {
  auto const byte = [&](std::size_t i) { return char32_t{static_cast<unsigned char>(text[i])}; };
  char32_t const lead = byte(0);
  if (lead < 0x80) {
    text.remove_prefix(1);
    return lead;
  }

  std::size_t size = 0;
  char32_t least = 0;  // the smallest code point that does not fit into a shorter form
  if ((lead & 0xE0) == 0xC0) {
    size = 2, least = 0x80;
  } else if ((lead & 0xF0) == 0xE0) {
    size = 3, least = 0x800;
  } else if ((lead & 0xF8) == 0xF0) {
    size = 4, least = 0x10000;
  } else {
    return std::nullopt;
  }
  if (text.size() < size) return std::nullopt;

  char32_t c = lead & (0x7Fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return std::nullopt;
    c = c << 6 | (byte(i) & 0x3F);
  }
  bool const surrogate = c >= 0xD800 && c <= 0xDFFF;
  if (c < least || c > 0x10FFFF || surrogate) return std::nullopt;
  text.remove_prefix(size);
  return c;
}

}  // namespace petstore
