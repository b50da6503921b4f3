// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <utility>

#include "../body.hpp"
#include "../conditions.hpp"
#include "petstore/json.hpp"
#include "records.hpp"

namespace petstore::server::handlers {
namespace {

constexpr std::string_view collection = "/store/orders";

constexpr list_shape shape{
    .kind = list_kind::orders,
    .parent_name = "petId",
    .parse_status = [](std::string_view text) -> std::optional<std::uint8_t> {
      auto const status = parse_order_status(text);
      return status ? std::optional{static_cast<std::uint8_t>(*status)} : std::nullopt;
    },
    .status_fault = "must be one of placed, approved, delivered, cancelled",
};

}  // namespace

outcome list_orders(exchange& x) {
  auto const wanted = parse_list_request(shape, x.req.query);
  if (!wanted) co_return wanted.error();

  ports::order_query query;
  if (wanted->status) query.status = static_cast<order_status>(*wanted->status);
  query.pet_id = wanted->parent;
  query.after = wanted->after;
  query.limit = wanted->limit;
  auto const end = co_await x.store.list_orders(query, x.out.body);
  if (!end) co_return end.error();
  add_next_link(x, collection, shape.kind, *wanted, *end);
  co_return result<void>{};
}

outcome create_order(exchange& x) {
  auto const body = take_body(x.req, body_kind::json);
  if (!body) co_return body.error();
  auto repeatable = read_idempotency(x.req, x.who.identity, *body);
  if (!repeatable) co_return repeatable.error();
  auto const order = decode_new_order(*body);
  if (!order) co_return order.error();

  auto write = x.store.create_order(*order, std::move(*repeatable), x.now_ms());
  auto made = co_await std::move(write);
  if (!made) co_return made.error();
  answer_created(x, collection, std::move(*made));
  co_return result<void>{};
}

outcome get_order(exchange& x) {
  return get_record(x, &ports::store::read_order);
}

outcome update_order(exchange& x) {
  auto condition = read_condition(x.req, "If-Match");
  if (!condition) co_return condition.error();
  auto const body = take_body(x.req, body_kind::merge_patch);
  if (!body) co_return body.error();
  auto const patch = decode_order_patch(*body);
  if (!patch) co_return patch.error();

  auto write = x.store.update_order(x.where.id, *patch, std::move(*condition), x.now_ms());
  auto changed = co_await std::move(write);
  if (!changed) co_return changed.error();
  answer_changed(x, std::move(*changed));
  co_return result<void>{};
}

}  // namespace petstore::server::handlers
