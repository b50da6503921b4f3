// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/list_query.hpp"

#include <type_traits>
#include <utility>

#include "described.hpp"
#include "petstore/enumeration.hpp"
#include "petstore/json.hpp"

namespace petstore {
namespace {

template <class Enum>
constexpr std::optional<std::int64_t> number_of(std::optional<Enum> value) noexcept {
  return value ? std::optional{static_cast<std::int64_t>(*value)} : std::nullopt;
}

/// A filter by a member: an enumeration, which a record may be without, or an id.
template <class Record, class Value>
constexpr filter filter_by(Value Record::*member) {
  using value = decltype(std::optional{std::declval<Value>()})::value_type;
  auto const name = json_name_of(member);
  if constexpr (std::is_enum_v<value>)
    return {name, [](std::string_view text) { return number_of(parse_word<value>(text)); }, must_be_one_of<value>, 1};
  else
    return {name, parse_int64, "must be an integer within int64", 8};
}

constexpr std::array filters_of_pets{filter_by(&pet::status), filter_by(&pet::category_id)};
constexpr std::array filters_of_orders{filter_by(&order::status), filter_by(&order::pet_id)};
static_assert(filters_of_pets.size() <= filters_max && filters_of_orders.size() <= filters_max);

}  // namespace

std::span<filter const> filters_of(record_kind kind) noexcept {
  switch (kind) {
    case record_kind::pet: return filters_of_pets;
    case record_kind::order: return filters_of_orders;
    case record_kind::category: break;
  }
  return {};
}

filter_values pet_filters(std::optional<pet_status> status, std::optional<std::int64_t> category_id) noexcept {
  return {number_of(status), category_id};
}

filter_values order_filters(std::optional<order_status> status, std::optional<std::int64_t> pet_id) noexcept {
  return {number_of(status), pet_id};
}

filter_values filter_values_of(pet const& p) noexcept {
  return pet_filters(p.status, p.category_id);
}

filter_values filter_values_of(category const&) noexcept {
  return {};
}

filter_values filter_values_of(order const& o) noexcept {
  return order_filters(o.status, o.pet_id);
}

}  // namespace petstore
