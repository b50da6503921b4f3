// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>

#include "petstore/list_query.hpp"

namespace petstore::storage::postgres {

/// Where the records of a kind are.
struct record_table {
  record_kind kind;
  char const* name;
  char const* ids;  ///< the sequence
};

/// In the order in which an import needs them: an animal refers to its category, an order to its animal.
inline constexpr record_table record_tables[] = {{record_kind::category, "categories", "category_ids"},
                                                 {record_kind::pet, "pets", "pet_ids"},
                                                 {record_kind::order, "orders", "order_ids"}};

constexpr record_table const& table_of(record_kind kind) noexcept {
  return *std::ranges::find(record_tables, kind, &record_table::kind);
}

}  // namespace petstore::storage::postgres
