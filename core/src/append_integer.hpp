// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <charconv>
#include <concepts>
#include <limits>
#include <string>

namespace petstore {

/// Appends a decimal number without the temporary string of std::to_string.
template <std::integral Integer>
void append_integer(std::string& out, Integer value) {
  char digits[std::numeric_limits<Integer>::digits10 + 2];  // one digit more than digits10 promises, and a sign
  auto const end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
  out.append(digits, end);
}

}  // namespace petstore
