// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>

#include "petstore/enumeration.hpp"
#include "petstore/list_query.hpp"
#include "statement.hpp"

/// The statements that differ only in the kind of record and its filters; their SQL is made when the first is asked
/// for. Any thread.
namespace petstore::storage::postgres {

/// Parameter: id.
statement read_statement(record_kind) noexcept;
/// `filters`: bit i stands for filter i of the kind. Parameters: after, limit, and the value of each of these filters.
statement list_statement(record_kind, unsigned filters) noexcept;

inline constexpr std::size_t lists_of_kind = std::size_t{1} << filters_max;
inline constexpr std::size_t record_statement_count = enumerators<record_kind>.size() * (1 + lists_of_kind);
inline constexpr std::size_t statement_count = first_record_statement + record_statement_count;

/// `number` counts from first_record_statement.
statement_text const& text_of_record_statement(std::size_t number) noexcept;

}  // namespace petstore::storage::postgres
