// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>

#include "petstore/list_query.hpp"

/// Queries of each kind, with the filters by name.
namespace petstore::tests {

struct pet_list {
  std::optional<pet_status> status;
  std::optional<std::int64_t> category_id;
  std::int64_t after = 0;
  std::uint32_t limit = 20;

  operator list_query() const { return {record_kind::pet, pet_filters(status, category_id), after, limit}; }
};

struct category_list {
  std::int64_t after = 0;
  std::uint32_t limit = 20;

  operator list_query() const { return {record_kind::category, {}, after, limit}; }
};

struct order_list {
  std::optional<order_status> status;
  std::optional<std::int64_t> pet_id;
  std::int64_t after = 0;
  std::uint32_t limit = 20;

  operator list_query() const { return {record_kind::order, order_filters(status, pet_id), after, limit}; }
};

}  // namespace petstore::tests
