// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/handlers.hpp"
#include "api/query.hpp"
#include "petstore/ports/store.hpp"

/// What the handlers of animals, categories and orders have in common: how a record and a page are read, how a write is
/// answered.
namespace petstore::server::handlers {

void add_etag(response&, entity_tag);

using record_reader = ports::eventual<result<entity_tag>> (ports::store::*)(std::int64_t id, std::string& json);

/// 200 with the record, its ETag and (where there is a PATCH) Accept-Patch, or 304 when the caller has it.
outcome get_record(exchange&, record_reader);

/// The Link to the next page, when there is one.
void add_next_link(exchange&, list_shape const&, list_request const&, ports::page_end const&);

/// 200 with a page of a list. `read` asks the store for what a list_request wants.
template <class Read>
outcome get_page(exchange& x, list_shape const& shape, Read read) {
  auto const wanted = parse_list_request(shape, x.req.query);
  if (!wanted) return wanted.error();
  return read(*wanted).then([&x, &shape, wanted = *wanted](result<ports::page_end> const& end) -> result<void> {
    if (!end) return end.error();
    add_next_link(x, shape, wanted, *end);
    return {};
  });
}

using write = ports::asio::awaitable<result<ports::stored>>;

/// 201 with the record, its ETag and where it is: below the list that it was sent to.
outcome answer_created(exchange&, write);
/// 200 with the record, its ETag and Accept-Patch.
outcome answer_changed(exchange&, write);

}  // namespace petstore::server::handlers
