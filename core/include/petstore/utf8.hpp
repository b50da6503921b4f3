// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string_view>

#include "petstore/export.hpp"

namespace petstore {

/// Takes the first code point off `text`, which is not empty. nullopt: what stands there is not UTF-8 (RFC 3629: no
/// overlong form, no surrogate, nothing above U+10FFFF).
PETSTORE_EXPORT std::optional<char32_t> take_code_point(std::string_view& text) noexcept;

/// Unicode's property Bidi_Control (PropList.txt): characters that nobody sees, and that change the order in which
/// others are shown.
constexpr bool is_bidi_control(char32_t c) noexcept {
  return c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/// Unicode's category Cc.
constexpr bool is_control(char32_t c) noexcept {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F);
}

}  // namespace petstore
