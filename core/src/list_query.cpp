// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/list_query.hpp"

#include "petstore/enumeration.hpp"
#include "petstore/json.hpp"

namespace petstore {
namespace {

template <class Enum>
constexpr std::optional<std::int64_t> number_of(std::optional<Enum> value) noexcept {
  return value ? std::optional{static_cast<std::int64_t>(*value)} : std::nullopt;
}

template <class Enum>
constexpr filter filter_by_word(std::string_view name) {
  return {name, [](std::string_view text) { return number_of(parse_word<Enum>(text)); }, must_be_one_of<Enum>, 1};
}

constexpr filter filter_by_id(std::string_view name) {
  return {name, parse_int64, "must be an integer within int64", 8};
}

constexpr std::array filters_of_pets{filter_by_word<pet_status>("status"), filter_by_id("categoryId")};
constexpr std::array filters_of_orders{filter_by_word<order_status>("status"), filter_by_id("petId")};
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
