// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/records.hpp"

#include <utility>

#include "api/answer.hpp"
#include "api/query.hpp"
#include "petstore/cursor.hpp"
#include "petstore/server/conditions.hpp"

namespace petstore::server::handlers {
namespace {

/// Appends the path of the requested list, as it stands in a link.
void append_list_path(std::string& out, exchange const& x) {
  out.append(x.options.base_path).append(x.where.resource->path.text());
}

void add_next_link(exchange& x, list_parameters const& asked, list_query const& page, std::int64_t next_after) {
  x.out.fields.append("Link: <");
  append_list_path(x.out.fields, x);
  x.out.fields.append("?");
  asked.append_next(x.out.fields);
  append(x.out.fields, cursor{page.kind, page.filters, next_after});
  x.out.fields.append(">; rel=\"next\"\r\n");
}

}  // namespace

outcome get_record(exchange& x, record_kind kind) {
  auto known = read_condition(x.req, known_field::if_none_match);
  if (!known) return known.error();
  auto asked = x.store.read(kind, x.where.id(), x.out.body);
  return std::move(asked).then([&x, known = *std::move(known)](result<entity_tag> const& tag) -> result<void> {
    if (!tag) return tag.error();
    if (answer_not_modified(known, *tag, x.out)) x.out.body.clear();
    add_accept_patch(x.where, x.out);
    return {};
  });
}

outcome get_page(exchange& x, record_kind kind) {
  auto const unknown = x.options.refuse_unknown_parameters ? unknown_parameters::refused : unknown_parameters::ignored;
  list_parameters const asked{kind, x.req.query};
  auto const wanted = asked.parse(unknown);
  if (!wanted) return wanted.error();
  return x.store.list(*wanted, x.out.body)
      .then([&x, asked, wanted = *wanted](result<ports::page_end> const& end) -> result<void> {
        if (!end) return end.error();
        if (end->next_after) add_next_link(x, asked, wanted, *end->next_after);
        return {};
      });
}

outcome answer_created(exchange& x, write w) {
  return ports::eventual{std::move(w)}.then([&x](result<ports::stored> made) -> result<void> {
    if (!made) return made.error();
    x.out.status = 201;
    x.out.fields.append("Location: ");
    append_list_path(x.out.fields, x);
    x.out.fields.append("/").append(std::to_string(made->id)).append("\r\n");
    if (made->replayed) x.out.add("Idempotency-Replayed", "true");
    add_etag(made->tag, x.out);
    x.out.body = std::move(made->json);
    return {};
  });
}

outcome answer_changed(exchange& x, write w) {
  return ports::eventual{std::move(w)}.then([&x](result<ports::stored> changed) -> result<void> {
    if (!changed) return changed.error();
    add_etag(changed->tag, x.out);
    add_accept_patch(x.where, x.out);
    x.out.body = std::move(changed->json);
    return {};
  });
}

}  // namespace petstore::server::handlers
