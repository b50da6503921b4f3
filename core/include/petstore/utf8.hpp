// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string_view>

#include "petstore/export.hpp"

namespace petstore {

/// Takes the first code point off `text`, which is not empty. nullopt: what stands there is not UTF-8 (RFC 3629: no
/// overlong form, no surrogate, nothing above U+10FFFF).
PETSTORE_EXPORT std::optional<char32_t> take_code_point(std::string_view& text) noexcept;

/// Unicode's category Cc.
constexpr bool is_control(char32_t c) noexcept {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F);
}

}  // namespace petstore
