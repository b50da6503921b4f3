// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "petstore/error.hpp"
#include "petstore/list_query.hpp"

namespace petstore::server {

inline constexpr std::uint32_t page_limit_max = 100;

/// What happens to parameters that a list does not know.
enum class unknown_parameters : bool { ignored, refused };

/// Parses a query: `limit`, `cursor` and the filters of the kind. Each known parameter may occur once, with a value.
/// The error is invalid_request with a message that names every fault, but repeats no unknown name. Any thread.
result<list_query> parse_list_query(record_kind, std::string_view query,
                                    unknown_parameters = unknown_parameters::ignored);

/// Appends the query of the next page up to its cursor: the known parameters of this query, which parse_list_query has
/// accepted. Nothing else of it is repeated, so the text is always short. Any thread.
void append_next_query(std::string& out, record_kind, std::string_view query);

}  // namespace petstore::server
