// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>

#include "petstore/category.hpp"
#include "petstore/error.hpp"
#include "petstore/order.hpp"
#include "petstore/pet.hpp"
#include "petstore/ports/store.hpp"

/// An import adds records with the ids they have, and never changes an existing record.
namespace petstore::storage::rules {

enum class import_step : std::uint8_t { insert, skip };

result<import_step> import_category(category const&, category const* same_id, bool name_is_taken);
result<import_step> import_pet(pet const&, pet const* same_id);

/// An open order needs a pending animal that no other order holds. A closed order may outlive its animal.
result<import_step> import_order(order const&, order const* same_id, pet const* animal,
                                 std::optional<std::int64_t> open_order_of_animal);

/// Checks that keys, identities and audit log belong together and none is missing.
result<void> check_keys(ports::key_archive const&);

/// Decides what to do with an archive in a store that has the keys of `present`.
result<import_step> import_keys(ports::key_archive const&, ports::key_archive const& present);

}  // namespace petstore::storage::rules
