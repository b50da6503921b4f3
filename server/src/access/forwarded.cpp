// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "access/forwarded.hpp"

#include <algorithm>

#include "http/field.hpp"

namespace petstore::server {
namespace {

/// Takes the text after the comma off the end.
std::string_view take_behind(std::size_t comma, std::string_view& value) noexcept {
  bool const is_first = comma == std::string_view::npos;
  auto const element = trim(is_first ? value : value.substr(comma + 1));
  value = is_first ? std::string_view{} : value.substr(0, comma);
  return element;
}

/// Takes the text up to the next semicolon that is not within quotes.
std::string_view take_pair(std::string_view& element) noexcept {
  bool is_quoted = false;
  std::size_t n = 0;
  for (; n < element.size() && (is_quoted || element[n] != ';'); ++n)
    if (element[n] == '"') is_quoted = !is_quoted;
  auto const pair = trim(element.substr(0, n));
  element.remove_prefix(std::min(n + 1, element.size()));
  return pair;
}

}  // namespace

std::string_view take_last_of_list(std::string_view& value) noexcept {
  return take_behind(value.rfind(','), value);
}

std::string_view take_last_of_forwarded(std::string_view& value) noexcept {
  bool is_quoted = false;
  auto i = value.size();
  while (i > 0 && (is_quoted || value[i - 1] != ','))
    if (value[--i] == '"') is_quoted = !is_quoted;
  return take_behind(i == 0 ? std::string_view::npos : i - 1, value);
}

std::optional<raw_address> parse_node(std::string_view text) noexcept {
  if (text.starts_with('[')) {
    auto const end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    auto const rest = text.substr(end + 1);
    return rest.empty() || rest.front() == ':' ? parse_address(text.substr(1, end - 1)) : std::nullopt;
  }
  bool const has_port = std::ranges::count(text, ':') == 1;
  return parse_address(has_port ? text.substr(0, text.find(':')) : text);
}

std::optional<raw_address> parse_forwarded_for(std::string_view element) noexcept {
  if (element.find('\\') != std::string_view::npos) return std::nullopt;
  // With an open quote, reading from the left and from the right gives different elements.
  if (std::ranges::count(element, '"') % 2 != 0) return std::nullopt;
  std::optional<std::string_view> node;
  while (!element.empty()) {
    auto const pair = take_pair(element);
    auto const equals = std::min(pair.find('='), pair.size());
    if (!equals_ignoring_case(pair.substr(0, equals), "for")) continue;
    if (node) return std::nullopt;
    node = unquote(pair.substr(std::min(equals + 1, pair.size())));
  }
  return node ? parse_node(*node) : std::nullopt;
}

}  // namespace petstore::server
