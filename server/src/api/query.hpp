// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "petstore/error.hpp"
#include "petstore/list_query.hpp"

namespace petstore::server {

inline constexpr std::uint32_t page_limit_max = 100;

/// Reads a query: `limit`, `cursor` and the filters of the kind. Unknown parameters are ignored; of the known ones each
/// may come once, with a value. A fault is invalid_request with a message that names every one. Any thread.
result<list_query> parse_list_query(record_kind, std::string_view query);

/// Appends the query of the next page up to its cursor: what this one, which parse_list_query has taken, gives of the
/// known parameters. Nothing else that was sent is repeated, so the text is short whatever was asked. Any thread.
void append_next_query(std::string& out, record_kind, std::string_view query);

}  // namespace petstore::server
