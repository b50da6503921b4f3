// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/percent.hpp"

#include <cstddef>

#include "petstore/hex.hpp"

namespace petstore::server {
namespace {

/// Takes one character off the front and decodes it. nullopt: a broken escape.
constexpr std::optional<char> take_char(std::string_view& encoded) noexcept {
  char const c = encoded.front();
  encoded.remove_prefix(1);
  if (c != '%') return c;
  if (encoded.size() < 2) return std::nullopt;
  int const byte = hex_value(encoded[0], encoded[1]);
  if (byte < 0) return std::nullopt;
  encoded.remove_prefix(2);
  return static_cast<char>(byte);
}

}  // namespace

bool percent_equal(std::string_view encoded, std::string_view plain) noexcept {
  if (encoded.find('%') == std::string_view::npos) return encoded == plain;
  for (char const expected : plain) {
    if (encoded.empty() || take_char(encoded) != expected) return false;
  }
  return encoded.empty();
}

std::optional<std::string_view> percent_decode(std::string_view encoded, std::span<char> buffer) noexcept {
  if (encoded.find('%') == std::string_view::npos) return encoded;
  std::size_t size = 0;
  while (!encoded.empty()) {
    auto const c = take_char(encoded);
    if (!c || size == buffer.size()) return std::nullopt;
    buffer[size++] = *c;
  }
  return std::string_view{buffer.data(), size};
}

std::optional<std::string_view> decode_segments(std::string_view encoded, std::span<char> buffer) noexcept {
  if (encoded.find('%') == std::string_view::npos) return encoded;
  std::size_t size = 0;
  while (!encoded.empty()) {
    if (size == buffer.size()) return std::nullopt;
    bool const is_plain = encoded.front() != '%';
    char const c = take_char(encoded).value_or('%');
    buffer[size++] = c == '/' && !is_plain ? '\0' : c;
  }
  return std::string_view{buffer.data(), size};
}

}  // namespace petstore::server
