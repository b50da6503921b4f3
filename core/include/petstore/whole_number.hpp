// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace petstore {

/// The whole text as a decimal number; nullopt for anything else, a sign `+`, leading spaces and a number that does not
/// fit included.
template <std::integral Number = std::int64_t>
std::optional<Number> whole_number(std::string_view text) noexcept {
  Number value = 0;
  auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace petstore
