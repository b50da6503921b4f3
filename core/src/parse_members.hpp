// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace petstore {

/// What a member of the top-level object was found to hold.
struct member_value {
  enum class kind : std::uint8_t { absent, null, boolean, integer, other_number, string, array, object };

  std::string_view name;
  kind holds = kind::absent;
  bool repeated = false;
  std::int64_t integer = 0;  ///< of an integer within int64
  std::string text;          ///< of a string, unescaped
};

/// Parses a JSON text that must be one object with nothing after it but white space, fills in the members that are
/// asked for by name, and lists the names of the others, as often as each is given. Returns why the text is no such
/// object; empty when it is one.
std::string parse_members(std::string_view body, std::span<member_value> members,
                          std::vector<std::string>& strange_names);

}  // namespace petstore
