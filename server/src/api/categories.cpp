// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <utility>

#include "api/records.hpp"

namespace petstore::server::handlers {

outcome list_categories(exchange& x) {
  return get_page(x, record_kind::category);
}

outcome create_category(exchange& x) {
  auto const body = take_body(x.req, body_kind::json);
  if (!body) return body.error();
  auto category = decode_json<new_category>(*body);
  if (!category) return category.error();

  return answer_created(x, x.store.create_category(std::move(*category)));
}

outcome get_category(exchange& x) {
  return get_record(x, record_kind::category);
}

}  // namespace petstore::server::handlers
