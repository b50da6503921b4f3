// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <utility>

#include "api/body.hpp"
#include "api/records.hpp"
#include "petstore/json.hpp"

namespace petstore::server::handlers {
namespace {

constexpr list_shape list_of_categories{.kind = list_kind::categories, .parent_name = {}};

}  // namespace

outcome list_categories(exchange& x) {
  return get_page(x, list_of_categories, [&x](list_request const& wanted) {
    ports::category_query const query{.after = wanted.after, .limit = wanted.limit};
    return x.store.list_categories(query, x.out.body);
  });
}

outcome create_category(exchange& x) {
  auto const body = take_body(x.req, body_kind::json);
  if (!body) return body.error();
  auto category = decode_new_category(*body);
  if (!category) return category.error();

  return answer_created(x, x.store.create_category(std::move(*category)));
}

outcome get_category(exchange& x) {
  return get_record(x, &ports::store::read_category);
}

}  // namespace petstore::server::handlers
