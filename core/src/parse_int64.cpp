// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <charconv>

#include "petstore/json.hpp"

namespace petstore {

std::optional<std::int64_t> parse_int64(std::string_view text) noexcept {
  auto const digits = text.substr(text.starts_with('-') ? 1 : 0);
  // from_chars would take a leading zero and "-0".
  if (digits.starts_with('0') && text != "0") return std::nullopt;
  std::int64_t value = 0;
  auto const [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace petstore
