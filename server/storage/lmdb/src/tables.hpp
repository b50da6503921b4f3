// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/describe/enum.hpp>
#include <cstddef>
#include <cstdint>

#include "petstore/enumeration.hpp"
#include "petstore/list_query.hpp"

namespace petstore::storage::lmdb {

/// The version of the file: of its tables and indexes, and of the bytes in them (format.hpp). Raise it for each change.
/// upgrade.cpp makes new tables and fills new indexes; any other change needs a step there.
inline constexpr std::uint8_t format_version = 4;

/// The tables of the file, which LMDB calls named databases. ../README.md describes the contents of each.
// clang-format off
BOOST_DEFINE_FIXED_ENUM_CLASS(table, std::uint8_t,
  meta,
  pets,
  categories,
  orders,
  pets_by_status,
  pets_by_category,
  pets_by_status_category,
  orders_by_status,
  orders_by_pet,
  orders_by_status_pet,
  open_orders,
  category_names,
  answers,
  answers_by_expiry,
  keys,
  key_digests,
  identities,
  audit_log,
  key_usage,
  key_last_uses
)
// clang-format on
inline constexpr std::size_t table_count = enumerators<table>.size();

/// What a store of an earlier format lacks.
inline constexpr table tables_since_format_4[] = {table::key_usage, table::key_last_uses};

/// As it is called in the file.
inline char const* name_of(table t) noexcept {
  return word_of(t).data();  // of a literal, which ends in a zero
}

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

}  // namespace petstore::storage::lmdb
