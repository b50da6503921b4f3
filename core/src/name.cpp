// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <cstddef>

#include "petstore/json.hpp"
#include "petstore/utf8.hpp"

namespace petstore {
namespace {

/// Unicode's property White_Space (PropList.txt).
constexpr bool is_white_space(char32_t c) noexcept {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

}  // namespace

std::string_view find_name_fault(std::string_view name) noexcept {
  std::size_t count = 0;
  bool has_control = false;
  bool has_visible = false;
  while (!name.empty()) {
    auto const c = take_code_point(name);
    if (!c) return "name must be valid UTF-8";
    ++count;
    has_control = has_control || is_control(*c);
    has_visible = has_visible || !is_white_space(*c);
  }
  static_assert(name_code_points_max == 255, "as the sentences say");
  if (count == 0) return "name must not be empty";
  if (count > name_code_points_max && has_control) {
    return "name must be at most 255 characters long and without control characters";
  }
  if (count > name_code_points_max) return "name must be at most 255 characters long";
  if (has_control) return "name must not contain control characters";
  if (!has_visible) return "name must not be white space alone";
  return {};
}

}  // namespace petstore
