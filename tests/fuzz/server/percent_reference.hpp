// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Plain versions of what paths and queries are read by.
namespace petstore::fuzz {

/// nullopt: an escape is broken.
std::optional<std::string> decode_plainly(std::string_view encoded);

/// `0|-?[1-9][0-9]*` within int64.
std::optional<std::int64_t> parse_integer_plainly(std::string_view);

/// At least one piece, which may be empty.
std::vector<std::string_view> split(std::string_view, char separator);

/// Whether a text may stand within `<…>` of a Link field: unreserved and reserved characters of a query, whole escapes.
bool is_safe_in_link(std::string_view);

}  // namespace petstore::fuzz
