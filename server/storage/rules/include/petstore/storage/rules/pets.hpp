// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>

#include "petstore/category.hpp"
#include "petstore/pet.hpp"
#include "petstore/storage/rules/present.hpp"

/// The decisions that all stores share, as functions of the records involved: a store reads the records, calls one of
/// these functions, and writes the result, all in one transaction. Nothing here reads or writes a store. Any thread.
namespace petstore::storage::rules {

/// `last` is the highest id ever used. Fails if there is none left.
result<std::int64_t> next_id(std::int64_t last);

/// Whether the category of an animal must exist, and whether it does.
enum class category_reference : std::uint8_t { not_checked, known, unknown };

result<pet> create_pet(std::int64_t id, new_pet, category_reference);

/// An animal that equals the existing one must not be written: its revision does not change.
result<pet> update_pet(present<pet> const* existing, pet_patch const&, etag_condition const&, category_reference,
                       bool has_open_order);

result<void> delete_pet(present<pet> const* existing, etag_condition const&, bool has_open_order);

result<category> create_category(std::int64_t id, new_category, bool name_is_taken);

}  // namespace petstore::storage::rules
