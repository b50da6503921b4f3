// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>

#include "petstore/category.hpp"
#include "petstore/pet.hpp"
#include "petstore/storage/rules/present.hpp"

/// What every store decides alike, as functions of the records involved: a store fetches them, calls one of these, and
/// writes what comes back, all in one transaction. Nothing here reads or writes anything. Any thread.
namespace petstore::storage::rules {

/// `last` is the highest id ever given. Fails when there is none left.
result<std::int64_t> next_id(std::int64_t last);

/// Whether the category that an animal names has to exist, and does.
enum class category_reference : std::uint8_t { not_checked, known, unknown };

result<pet> create_pet(std::int64_t id, new_pet, category_reference);

/// An animal that equals the existing one is not to be written: its revision stays.
result<pet> update_pet(present<pet> const* existing, pet_patch const&, etag_condition const&, category_reference,
                       bool has_open_order);

result<void> delete_pet(present<pet> const* existing, etag_condition const&, bool has_open_order);

result<category> create_category(std::int64_t id, new_category, bool name_is_taken);

}  // namespace petstore::storage::rules
