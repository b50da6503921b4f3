// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Simple versions of the functions that read paths and queries.
namespace petstore::fuzz {

/// nullopt if an escape is malformed.
std::optional<std::string> decode_plainly(std::string_view encoded);

/// `0|-?[1-9][0-9]*` within int64.
std::optional<std::int64_t> parse_integer_plainly(std::string_view);

/// Returns at least one piece; pieces may be empty.
std::vector<std::string_view> split(std::string_view, char separator);

/// Whether a text is safe within `<…>` of a Link field: it has only the characters of a query, and complete escapes.
bool is_safe_in_link(std::string_view);

}  // namespace petstore::fuzz
