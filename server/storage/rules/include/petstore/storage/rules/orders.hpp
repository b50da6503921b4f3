// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>

#include "petstore/order.hpp"
#include "petstore/pet.hpp"
#include "petstore/storage/rules/present.hpp"

namespace petstore::storage::rules {

/// A change of an order, with the change of its animal: both belong to the same transaction.
struct order_effect {
  petstore::order order;
  std::optional<pet> animal;  ///< as it is afterwards, if it changes
};

result<order_effect> create_order(std::int64_t id, new_order, pet const* animal, unix_ms now);

/// `animal` is the one that the existing order names. An order that equals the existing one must not be written.
result<order_effect> update_order(present<order> const* existing, order_patch const&, etag_condition const&,
                                  pet const* animal, unix_ms now);

}  // namespace petstore::storage::rules
