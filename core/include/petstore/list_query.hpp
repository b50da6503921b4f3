// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <boost/describe/enum.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "petstore/category.hpp"
#include "petstore/export.hpp"
#include "petstore/order.hpp"
#include "petstore/pet.hpp"

/// The queries for lists of records. Nothing here allocates or throws; any thread.
namespace petstore {

/// The kinds of record. Cursors contain these numbers.
enum class record_kind : std::uint8_t { pet = 1, category = 2, order = 3 };
BOOST_DESCRIBE_ENUM(record_kind, pet, category, order)

/// @{
/// The kind of a record type.
template <class Record>
inline constexpr record_kind kind_of = record_kind::pet;
template <>
inline constexpr record_kind kind_of<category> = record_kind::category;
template <>
inline constexpr record_kind kind_of<order> = record_kind::order;
/// @}

/// A member of a record that lists can be filtered by: an enumeration or an id.
struct PETSTORE_EXPORT filter {
  std::string_view name;                                   ///< of the query parameter, and of the member in JSON
  std::optional<std::int64_t> (*parse)(std::string_view);  ///< the number of a text; nullopt: not valid
  std::string_view rule;                                   ///< the error message for such a text: `must be …`
  std::size_t width;  ///< of a number in bytes: 1, from 1 upwards, for an enumeration; 8, signed, for an id
};

/// The maximum number of filters of a kind, with room for more than there are.
inline constexpr std::size_t filters_max = 3;

/// One value for each filter of a kind, in the order of `filters_of`. In a query, nullopt matches any value, and a
/// record without the value, too. For a record, nullopt means that it has no value.
using filter_values = std::array<std::optional<std::int64_t>, filters_max>;

/// The filters of a kind. Their order never changes, since cursors and the indexes of stores depend on it.
PETSTORE_EXPORT std::span<filter const> filters_of(record_kind) noexcept;

/// @{
/// The values of the filters of animals and orders, by name.
PETSTORE_EXPORT filter_values pet_filters(std::optional<pet_status>, std::optional<std::int64_t> category_id) noexcept;
PETSTORE_EXPORT filter_values order_filters(std::optional<order_status>, std::optional<std::int64_t> pet_id) noexcept;
/// @}

/// @{
/// The values of a record for the filters of its kind.
PETSTORE_EXPORT filter_values filter_values_of(pet const&) noexcept;
PETSTORE_EXPORT filter_values filter_values_of(category const&) noexcept;
PETSTORE_EXPORT filter_values filter_values_of(order const&) noexcept;
/// @}

/// The filters that have a value: bit i stands for filter i.
constexpr unsigned bits_of(filter_values const& values) noexcept {
  unsigned bits = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i]) bits |= 1u << i;
  return bits;
}

/// A page of a list: the records of a kind that match every filter given, by ascending id.
struct PETSTORE_EXPORT list_query {
  record_kind kind = record_kind::pet;  ///< the list
  filter_values filters = {};           ///< the filters
  std::int64_t after = 0;               ///< ids above this one
  std::uint32_t limit = 20;             ///< the maximum number of records, 1 to limit_max

  /// The most records of a page.
  static constexpr std::uint32_t limit_max = 100;

  friend bool operator==(list_query const&, list_query const&) = default;
};

}  // namespace petstore
