// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <utility>

#include "api/records.hpp"
#include "petstore/server/conditions.hpp"

namespace petstore::server::handlers {

outcome list_pets(exchange& x) {
  return get_page(x, record_kind::pet);
}

outcome create_pet(exchange& x) {
  auto asked = read_creation<new_pet>(x);
  if (!asked) return asked.error();
  auto& pet = asked->body;
  if (!pet.status) pet.status = x.options.default_status;
  return answer_created(x, x.store.create_pet(std::move(pet), x.options.require_known_category,
                                              std::move(asked->repeatable), x.now_ms()));
}

outcome get_pet(exchange& x) {
  return get_record(x, record_kind::pet);
}

outcome update_pet(exchange& x) {
  auto asked = read_change<pet_patch>(x);
  if (!asked) return asked.error();
  return answer_changed(x, x.store.update_pet(x.where.id(), std::move(asked->patch), x.options.require_known_category,
                                              std::move(asked->condition)));
}

outcome delete_pet(exchange& x) {
  auto condition = read_condition(x.req, known_field::if_match);
  if (!condition) return condition.error();

  return ports::eventual{x.store.delete_pet(x.where.id(), std::move(*condition))}.then([&x](result<void> const& gone) {
    if (gone) x.out.status = 204;
    return gone;
  });
}

}  // namespace petstore::server::handlers
