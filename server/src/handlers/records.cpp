// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "records.hpp"

#include <utility>

#include "../answer.hpp"
#include "../conditions.hpp"

namespace petstore::server::handlers {

void add_etag(response& out, entity_tag tag) {
  out.fields.append("ETag: ");
  append(out.fields, tag);
  out.fields.append("\r\n");
}

outcome get_record(exchange& x, record_reader read) {
  auto const known = read_condition(x.req, "If-None-Match");
  if (!known) co_return known.error();

  auto const tag = co_await (x.store.*read)(x.where.id, x.out.body);
  if (!tag) co_return tag.error();
  add_etag(x.out, *tag);
  add_accept_patch(x.where, x.out);
  if (known->present() && known->matches_weak(*tag)) {
    x.out.status = 304;
    x.out.body.clear();
  }
  co_return result<void>{};
}

void answer_created(exchange& x, std::string_view collection, ports::stored&& made) {
  x.out.status = 201;
  x.out.fields.append("Location: ").append(x.options.base_path).append(collection).append("/");
  x.out.fields.append(std::to_string(made.id)).append("\r\n");
  if (made.replayed) x.out.add("Idempotency-Replayed", "true");
  add_etag(x.out, made.tag);
  x.out.body = std::move(made.json);
}

void answer_changed(exchange& x, ports::stored&& changed) {
  add_etag(x.out, changed.tag);
  add_accept_patch(x.where, x.out);
  x.out.body = std::move(changed.json);
}

void add_next_link(exchange& x, std::string_view collection, list_kind list, list_request const& wanted,
                   ports::page_end const& end) {
  if (!end.next_after) return;
  cursor const next{list, wanted.status, wanted.parent, *end.next_after};
  x.out.fields.append("Link: <").append(x.options.base_path).append(collection).append("?");
  append_next_query(x.out.fields, x.req.query, to_string(next));
  x.out.fields.append(">; rel=\"next\"\r\n");
}

}  // namespace petstore::server::handlers
