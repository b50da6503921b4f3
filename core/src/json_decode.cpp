// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "object_reader.hpp"
#include "petstore/json.hpp"

namespace petstore {

result<new_pet> decode_new_pet(std::string_view body) {
  object_reader in(body, {"name", "categoryId", "status"});
  new_pet p;
  p.name = in.checked_name("name");
  p.category_id = in.integer("categoryId");
  p.status = in.optional_choice<pet_status>("status");
  return in.finish(std::move(p));
}

result<pet_patch> decode_pet_patch(std::string_view body) {
  object_reader in(body, {"name", "categoryId", "status"});
  pet_patch patch;
  patch.name = in.optional_name("name");
  patch.category_id = in.optional_integer("categoryId");
  if (in.is_null("status")) {
    patch.status.emplace();
  } else if (auto const s = in.optional_choice<pet_status>("status")) {
    patch.status.emplace(s);
  }
  return in.finish(std::move(patch));
}

result<new_category> decode_new_category(std::string_view body) {
  object_reader in(body, {"name"});
  return in.finish(new_category{.name = in.checked_name("name")});
}

result<new_order> decode_new_order(std::string_view body) {
  object_reader in(body, {"petId"});
  return in.finish(new_order{.pet_id = in.integer("petId")});
}

result<order_patch> decode_order_patch(std::string_view body) {
  object_reader in(body, {"status"});
  return in.finish(order_patch{.status = in.optional_choice<order_status>("status")});
}

result<pet> decode_pet(std::string_view body) {
  object_reader in(body, {"id", "name", "categoryId", "status"});
  pet p;
  p.id = in.id("id");
  p.name = in.checked_name("name");
  p.category_id = in.integer("categoryId");
  p.status = in.optional_choice<pet_status>("status");
  return in.finish(std::move(p));
}

result<category> decode_category(std::string_view body) {
  object_reader in(body, {"id", "name"});
  category c;
  c.id = in.id("id");
  c.name = in.checked_name("name");
  return in.finish(std::move(c));
}

result<order> decode_order(std::string_view body) {
  object_reader in(body, {"id", "petId", "status", "createdAt", "updatedAt"});
  order o;
  o.id = in.id("id");
  o.pet_id = in.id("petId");
  o.status = in.choice<order_status>("status");
  o.created_at = in.time("createdAt");
  o.updated_at = in.time("updatedAt");
  return in.finish(o);
}

}  // namespace petstore
