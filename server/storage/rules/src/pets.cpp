// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/storage/rules/pets.hpp"

#include <limits>
#include <string>

#include "refusal.hpp"

namespace petstore::storage::rules {
namespace {

error unknown_category(std::int64_t id) {
  return refusal(errc::invalid_request, "categoryId: there is no category " + std::to_string(id) + ".");
}

}  // namespace

result<std::int64_t> next_id(std::int64_t last) {
  if (last == std::numeric_limits<std::int64_t>::max())
    return error{.code = errc::unavailable, .message = {}, .cause = "every id has been given out"};
  return last + 1;
}

result<pet> create_pet(std::int64_t id, new_pet p, category_reference category) {
  if (category == category_reference::unknown) return unknown_category(p.category_id);
  return make_pet(id, std::move(p));
}

result<pet> update_pet(present<pet> const* existing, pet_patch const& patch, etag_condition const& condition,
                       category_reference category, bool has_open_order) {
  if (auto checked = check_condition(existing, condition); !checked) return checked.error();
  if (patch.category_id && category == category_reference::unknown) return unknown_category(*patch.category_id);
  auto after = apply(existing->record, patch);
  if (has_open_order && after.status != existing->record.status)
    return refusal(errc::conflict, "The animal has an open order, and changes its status only through that order.");
  return after;
}

result<void> delete_pet(present<pet> const* existing, etag_condition const& condition, bool has_open_order) {
  if (auto checked = check_condition(existing, condition); !checked) return checked.error();
  if (has_open_order)
    return refusal(errc::conflict, "The animal has an open order, and cannot be deleted before it ends.");
  return {};
}

result<category> create_category(std::int64_t id, new_category c, bool name_is_taken) {
  if (name_is_taken) return refusal(errc::conflict, "There is a category of that name.");
  return category{.id = id, .name = std::move(c.name)};
}

}  // namespace petstore::storage::rules
