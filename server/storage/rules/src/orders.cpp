// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/storage/rules/orders.hpp"

#include <algorithm>
#include <string>

#include "refusal.hpp"

namespace petstore::storage::rules {
namespace {

std::string describe(std::optional<pet_status> status) {
  return status ? "is " + std::string{to_string(*status)} : std::string{"has no status"};
}

}  // namespace

result<order_effect> create_order(std::int64_t id, new_order o, pet const* animal, unix_ms now) {
  if (!animal) return refusal(errc::not_found, "There is no animal " + std::to_string(o.pet_id) + ".");
  if (animal->status != pet_status::available)
    return refusal(errc::conflict,
                   "Only an available animal can be ordered; this one " + describe(animal->status) + ".");
  auto reserved = *animal;
  reserved.status = pet_status::pending;
  return order_effect{
      .order = {.id = id, .pet_id = o.pet_id, .status = order_status::placed, .created_at = now, .updated_at = now},
      .animal = std::move(reserved)};
}

result<order_effect> update_order(present<order> const* existing, order_patch const& patch,
                                  etag_condition const& condition, pet const* animal, unix_ms now) {
  if (auto checked = check_condition(existing, condition); !checked) return checked.error();
  auto const& before = existing->record;
  if (!patch.status) return order_effect{.order = before, .animal = std::nullopt};
  if (!may_follow(before.status, *patch.status))
    return refusal(errc::conflict, "An order that is " + std::string{to_string(before.status)} + " cannot become " +
                                       std::string{to_string(*patch.status)} + ".");

  order_effect effect{.order = before, .animal = std::nullopt};
  effect.order.status = *patch.status;
  effect.order.updated_at = std::max(now, before.updated_at);  // the clock may have been set back
  if (auto const status = pet_status_after(*patch.status)) {
    if (!animal)
      return error{.code = errc::internal,
                   .message = {},
                   .cause = "animal " + std::to_string(before.pet_id) + " of open order " + std::to_string(before.id) +
                            " is missing"};
    effect.animal = *animal;
    effect.animal->status = *status;
  }
  return effect;
}

}  // namespace petstore::storage::rules
