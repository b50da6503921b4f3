// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>

#include "environment.hpp"
#include "format.hpp"
#include "petstore/list_query.hpp"

namespace petstore::storage::lmdb {

/// An index of the records of a kind, by the values of some filters. The key of an entry is these values and the
/// record's id; a record without a value for one of them has no entry.
struct index {
  table entries;
  record_kind kind;
  unsigned filters;  ///< bit i: the value of filter i is in the key
};

/// One index for each combination of filters of a list.
inline constexpr index indexes[] = {
    {table::pets_by_status, record_kind::pet, 0b01},          {table::pets_by_category, record_kind::pet, 0b10},
    {table::pets_by_status_category, record_kind::pet, 0b11}, {table::orders_by_status, record_kind::order, 0b01},
    {table::orders_by_pet, record_kind::order, 0b10},         {table::orders_by_status_pet, record_kind::order, 0b11},
};

/// The table with the records of a kind, by id.
constexpr table table_of(record_kind kind) noexcept {
  switch (kind) {
    case record_kind::pet: return table::pets;
    case record_kind::category: return table::categories;
    case record_kind::order: return table::orders;
  }
  __builtin_unreachable();
}

/// The beginning of the keys of all entries with these values.
inline number_key index_prefix(index const& in, filter_values const& values) {
  number_key prefix;
  auto const filters = filters_of(in.kind);
  for (std::size_t i = 0; i < filters.size(); ++i) {
    if ((in.filters >> i & 1) == 0) continue;
    if (filters[i].width == 1) {
      prefix.push_back(static_cast<char>(*values[i]));
    } else {
      prefix.add(*values[i]);
    }
  }
  return prefix;
}

/// The key of a record's entry; nullopt: it has none.
template <class Record>
std::optional<number_key> index_key(index const& in, Record const& record) {
  auto const values = filter_values_of(record);
  if ((in.filters & ~bits_of(values)) != 0) return std::nullopt;
  return index_prefix(in, values).add(record.id);
}

}  // namespace petstore::storage::lmdb
