// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <utility>

#include "../body.hpp"
#include "../conditions.hpp"
#include "petstore/json.hpp"
#include "records.hpp"

namespace petstore::server::handlers {
namespace {

constexpr std::string_view collection = "/pets";

constexpr list_shape shape{
    .kind = list_kind::pets,
    .parent_name = "categoryId",
    .parse_status = [](std::string_view text) -> std::optional<std::uint8_t> {
      auto const status = parse_pet_status(text);
      return status ? std::optional{static_cast<std::uint8_t>(*status)} : std::nullopt;
    },
    .status_fault = "must be one of available, pending, sold",
};

}  // namespace

outcome list_pets(exchange& x) {
  auto const wanted = parse_list_request(shape, x.req.query);
  if (!wanted) co_return wanted.error();

  ports::pet_query query;
  if (wanted->status) query.status = static_cast<pet_status>(*wanted->status);
  query.category_id = wanted->parent;
  query.after = wanted->after;
  query.limit = wanted->limit;
  auto const end = co_await x.store.list_pets(query, x.out.body);
  if (!end) co_return end.error();
  add_next_link(x, collection, shape.kind, *wanted, *end);
  co_return result<void>{};
}

outcome create_pet(exchange& x) {
  auto const body = take_body(x.req, body_kind::json);
  if (!body) co_return body.error();
  auto repeatable = read_idempotency(x.req, x.who.identity, *body);
  if (!repeatable) co_return repeatable.error();
  auto pet = decode_new_pet(*body);
  if (!pet) co_return pet.error();
  if (!pet->status) pet->status = x.options.default_status;

  auto write =
      x.store.create_pet(std::move(*pet), x.options.require_known_category, std::move(*repeatable), x.now_ms());
  auto made = co_await std::move(write);
  if (!made) co_return made.error();
  answer_created(x, collection, std::move(*made));
  co_return result<void>{};
}

outcome get_pet(exchange& x) {
  return get_record(x, &ports::store::read_pet);
}

outcome update_pet(exchange& x) {
  auto condition = read_condition(x.req, "If-Match");
  if (!condition) co_return condition.error();
  auto const body = take_body(x.req, body_kind::merge_patch);
  if (!body) co_return body.error();
  auto patch = decode_pet_patch(*body);
  if (!patch) co_return patch.error();

  auto write =
      x.store.update_pet(x.where.id, std::move(*patch), x.options.require_known_category, std::move(*condition));
  auto changed = co_await std::move(write);
  if (!changed) co_return changed.error();
  answer_changed(x, std::move(*changed));
  co_return result<void>{};
}

outcome delete_pet(exchange& x) {
  auto condition = read_condition(x.req, "If-Match");
  if (!condition) co_return condition.error();

  auto write = x.store.delete_pet(x.where.id, std::move(*condition));
  auto gone = co_await std::move(write);
  if (!gone) co_return gone.error();
  x.out.status = 204;
  co_return result<void>{};
}

}  // namespace petstore::server::handlers
