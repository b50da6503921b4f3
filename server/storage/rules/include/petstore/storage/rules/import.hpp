// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>

#include "petstore/category.hpp"
#include "petstore/error.hpp"
#include "petstore/order.hpp"
#include "petstore/pet.hpp"
#include "petstore/ports/store.hpp"

/// An import adds records under the ids they bring, and never changes one that exists.
namespace petstore::storage::rules {

enum class import_step : std::uint8_t { insert, skip };

result<import_step> import_category(category const&, category const* same_id, bool name_is_taken);
result<import_step> import_pet(pet const&, pet const* same_id);

/// An open order needs its animal to be pending, and no other order to hold it. A closed one may outlive its animal.
result<import_step> import_order(order const&, order const* same_id, pet const* animal,
                                 std::optional<std::int64_t> open_order_of_animal);

/// Whether keys, identities and audit log belong together and none is missing.
result<void> check_keys(ports::key_archive const&);

/// What there is to do with an archive in a store that has this one.
result<import_step> import_keys(ports::key_archive const&, ports::key_archive const& present);

}  // namespace petstore::storage::rules
