// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace petstore::redis {

/// Parses a number that consists only of digits.
template <class Unsigned>
std::optional<Unsigned> parse_number(std::string_view text, Unsigned max) {
  Unsigned number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number > max) return {};
  return number;
}

inline std::optional<std::uint16_t> parse_port(std::string_view text) {
  auto const port = parse_number<std::uint16_t>(text, 65535);
  return port && *port != 0 ? port : std::nullopt;
}

/// Takes the part before the separator, or everything. `text` keeps the rest, without the separator.
inline std::string_view take_until(std::string_view& text, char separator) {
  auto const at = text.find(separator);
  auto const head = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return head;
}

}  // namespace petstore::redis
