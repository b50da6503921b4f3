// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/accept.hpp"

#include <algorithm>

#include "http/field.hpp"
#include "http/grammar.hpp"

namespace petstore::server {
namespace {

constexpr unsigned whole = 1'000;

/// Takes the text before `mark` off the front, without the spaces around it.
std::string_view take_until(char mark, std::string_view& rest) noexcept {
  auto const end = std::min(rest.find(mark), rest.size());
  auto const taken = trim(rest.substr(0, end));
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return taken;
}

/// Reads `0.5` as 500: at most three digits after the point, and at most 1.
unsigned read_weight(std::string_view text) noexcept {
  if (text.size() > 5 || (!text.starts_with('0') && !text.starts_with('1'))) return whole;
  unsigned weight = static_cast<unsigned>(text.front() - '0') * whole;
  if (text.size() > 1 && text[1] != '.') return whole;
  unsigned place = whole / 10;
  for (char const c : text.substr(std::min<std::size_t>(2, text.size()))) {
    if (!http::is_digit(c)) return whole;
    weight += static_cast<unsigned>(c - '0') * place;
    place /= 10;
  }
  return std::min(weight, whole);
}

/// `parameters`: what follows the value in its element.
unsigned find_weight(std::string_view parameters) noexcept {
  while (!parameters.empty()) {
    auto const one = take_until(';', parameters);
    if (one.starts_with("q=") || one.starts_with("Q=")) return read_weight(one.substr(2));
  }
  return whole;
}

}  // namespace

std::optional<unsigned> weight_of(request const& req, std::string_view name, std::string_view value) noexcept {
  for (auto const& field : req.fields) {
    if (!equals_ignoring_case(field.name, name)) continue;
    std::string_view rest = field.value;
    while (!rest.empty()) {
      auto element = take_until(',', rest);
      if (equals_ignoring_case(take_until(';', element), value)) return find_weight(element);
    }
  }
  return std::nullopt;
}

/// An element for gzip itself has priority over `*`.
bool accepts_gzip(request const& req) noexcept {
  for (auto const coding : {"gzip", "x-gzip", "*"})
    if (auto const weight = weight_of(req, "Accept-Encoding", coding)) return *weight > 0;
  return false;
}

bool names_type(request const& req, std::string_view type) noexcept {
  return weight_of(req, "Accept", type).value_or(0) > 0;
}

}  // namespace petstore::server
