// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <utility>

#include "api/records.hpp"
#include "petstore/api_key.hpp"
#include "petstore/json.hpp"
#include "petstore/server/conditions.hpp"
#include "petstore/server/request_body.hpp"

namespace petstore::server::handlers {

outcome list_orders(exchange& x) {
  return get_page(x, record_kind::order);
}

outcome create_order(exchange& x) {
  auto repeatable = read_idempotency(x.req, x.caller.identity);
  if (!repeatable) return repeatable.error();
  auto const body = take_body(x.req, body_kind::json);
  if (!body) return body.error();
  if (*repeatable) (*repeatable)->body_digest = sha256(*body);
  auto const order = decode_json<new_order>(*body);
  if (!order) return order.error();

  return answer_created(x, x.store.create_order(*order, std::move(*repeatable), x.now_ms()));
}

outcome get_order(exchange& x) {
  return get_record(x, record_kind::order);
}

outcome update_order(exchange& x) {
  auto condition = read_condition(x.req, known_field::if_match);
  if (!condition) return condition.error();
  auto const body = take_body(x.req, body_kind::merge_patch);
  if (!body) return body.error();
  auto const patch = decode_json<order_patch>(*body);
  if (!patch) return patch.error();

  return answer_changed(x, x.store.update_order(x.where.id(), *patch, std::move(*condition), x.now_ms()));
}

}  // namespace petstore::server::handlers
