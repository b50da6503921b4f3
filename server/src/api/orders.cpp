// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <utility>

#include "api/records.hpp"

namespace petstore::server::handlers {

outcome list_orders(exchange& x) {
  return get_page(x, record_kind::order);
}

outcome create_order(exchange& x) {
  auto asked = read_creation<new_order>(x);
  if (!asked) return asked.error();
  return answer_created(x, x.store.create_order(asked->body, std::move(asked->repeatable), x.now_ms()));
}

outcome get_order(exchange& x) {
  return get_record(x, record_kind::order);
}

outcome update_order(exchange& x) {
  auto asked = read_change<order_patch>(x);
  if (!asked) return asked.error();
  return answer_changed(x, x.store.update_order(x.where.id(), asked->patch, std::move(asked->condition), x.now_ms()));
}

}  // namespace petstore::server::handlers
