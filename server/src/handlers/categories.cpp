// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <utility>

#include "../body.hpp"
#include "petstore/json.hpp"
#include "records.hpp"

namespace petstore::server::handlers {
namespace {

constexpr std::string_view collection = "/categories";
constexpr list_shape shape{.kind = list_kind::categories, .parent_name = {}};

}  // namespace

outcome list_categories(exchange& x) {
  auto const wanted = parse_list_request(shape, x.req.query);
  if (!wanted) co_return wanted.error();

  ports::category_query const query{.after = wanted->after, .limit = wanted->limit};
  auto const end = co_await x.store.list_categories(query, x.out.body);
  if (!end) co_return end.error();
  add_next_link(x, collection, shape.kind, *wanted, *end);
  co_return result<void>{};
}

outcome create_category(exchange& x) {
  auto const body = take_body(x.req, body_kind::json);
  if (!body) co_return body.error();
  auto category = decode_new_category(*body);
  if (!category) co_return category.error();

  auto write = x.store.create_category(std::move(*category));
  auto made = co_await std::move(write);
  if (!made) co_return made.error();
  answer_created(x, collection, std::move(*made));
  co_return result<void>{};
}

outcome get_category(exchange& x) {
  return get_record(x, &ports::store::read_category);
}

}  // namespace petstore::server::handlers
