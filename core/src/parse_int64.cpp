// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/json.hpp"
#include "petstore/whole_number.hpp"

namespace petstore {

std::optional<std::int64_t> parse_int64(std::string_view text) noexcept {
  auto const digits = text.substr(text.starts_with('-') ? 1 : 0);
  // whole_number would accept a leading zero and "-0".
  if (digits.starts_with('0') && text != "0") return std::nullopt;
  return whole_number(text);
}

}  // namespace petstore
