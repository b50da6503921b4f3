// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <utility>

#include "api/records.hpp"
#include "petstore/api_key.hpp"
#include "petstore/json.hpp"
#include "petstore/server/conditions.hpp"
#include "petstore/server/request_body.hpp"

namespace petstore::server::handlers {

outcome list_pets(exchange& x) {
  return get_page(x, record_kind::pet);
}

outcome create_pet(exchange& x) {
  auto repeatable = read_idempotency(x.req, x.caller.identity);
  if (!repeatable) return repeatable.error();
  auto const body = take_body(x.req, body_kind::json);
  if (!body) return body.error();
  if (*repeatable) (*repeatable)->body_digest = sha256(*body);
  auto pet = decode_json<new_pet>(*body);
  if (!pet) return pet.error();
  if (!pet->status) pet->status = x.options.default_status;

  return answer_created(
      x, x.store.create_pet(std::move(*pet), x.options.require_known_category, std::move(*repeatable), x.now_ms()));
}

outcome get_pet(exchange& x) {
  return get_record(x, record_kind::pet);
}

outcome update_pet(exchange& x) {
  auto condition = read_condition(x.req, known_field::if_match);
  if (!condition) return condition.error();
  auto const body = take_body(x.req, body_kind::merge_patch);
  if (!body) return body.error();
  auto patch = decode_json<pet_patch>(*body);
  if (!patch) return patch.error();

  return answer_changed(
      x, x.store.update_pet(x.where.id(), std::move(*patch), x.options.require_known_category, std::move(*condition)));
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
