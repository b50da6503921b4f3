// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>

#include "format.hpp"
#include "petstore/list_query.hpp"
#include "tables.hpp"

namespace petstore::storage::lmdb {

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
