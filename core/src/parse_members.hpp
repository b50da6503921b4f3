// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace petstore {

/// The value of a member of the top-level object.
struct member_value {
  enum class kind : std::uint8_t { absent, null, boolean, integer, other_number, string, array, object };

  std::string_view name;
  kind holds = kind::absent;
  bool repeated = false;
  std::int64_t integer = 0;  ///< if it is an integer within int64
  std::string text;          ///< if it is a string: the string, unescaped
};

/// Parses a JSON text that must be one object, with only white space after it. Fills in `members` by their names. Lists
/// the names of all other members, each as often as it occurs. Returns what is wrong with the text, or "".
std::string parse_members(std::string_view body, std::span<member_value> members,
                          std::vector<std::string>& unknown_names);

}  // namespace petstore
