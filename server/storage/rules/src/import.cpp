// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/storage/rules/import.hpp"

#include <string>

#include "refusal.hpp"

namespace petstore::storage::rules {
namespace {

std::string numbered(std::string_view kind, std::int64_t id) {
  return std::string{kind} + " " + std::to_string(id);
}

template <class Record>
result<import_step> check_same_id(std::string_view kind, Record const& record, Record const& same_id) {
  if (record == same_id) return import_step::skip;
  return refusal(errc::conflict, numbered(kind, record.id) + " exists with other content");
}

}  // namespace

result<import_step> import_category(category const& c, category const* same_id, bool name_is_taken) {
  if (same_id) return check_same_id("category", c, *same_id);
  if (name_is_taken) return refusal(errc::conflict, "another category has the name of " + numbered("category", c.id));
  return import_step::insert;
}

result<import_step> import_pet(pet const& p, pet const* same_id) {
  if (same_id) return check_same_id("pet", p, *same_id);
  return import_step::insert;
}

result<import_step> import_order(order const& o, order const* same_id, pet const* animal,
                                 std::optional<std::int64_t> open_order_of_animal) {
  if (same_id) return check_same_id("order", o, *same_id);
  if (!is_open(o.status)) return import_step::insert;
  if (!animal)
    return refusal(errc::conflict, "open " + numbered("order", o.id) + " is for pet " + std::to_string(o.pet_id) +
                                       ", which does not exist");
  if (open_order_of_animal)
    return refusal(errc::conflict, numbered("pet", o.pet_id) + " of open " + numbered("order", o.id) +
                                       " has another open order, " + std::to_string(*open_order_of_animal));
  if (animal->status != pet_status::pending)
    return refusal(errc::conflict,
                   numbered("pet", o.pet_id) + " of open " + numbered("order", o.id) + " is not pending");
  return import_step::insert;
}

}  // namespace petstore::storage::rules
