// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "api/exchange.hpp"
#include "api/operations.hpp"
#include "petstore/ports/store.hpp"

/// What the handlers of animals, categories and orders have in common: how a record and a page are read, how a write is
/// answered.
namespace petstore::server::handlers {

void add_etag(response&, entity_tag);

/// 200 with the record of the path's id, its ETag and (where there is a PATCH) Accept-Patch, or 304 when the caller has
/// it.
outcome get_record(exchange&, record_kind);

/// 200 with the page of the list that the query asks for, and a Link to the next one when there is one.
outcome get_page(exchange&, record_kind);

using write = ports::asio::awaitable<result<ports::stored>>;

/// 201 with the record, its ETag and where it is: below the list that it was sent to.
outcome answer_created(exchange&, write);
/// 200 with the record, its ETag and Accept-Patch.
outcome answer_changed(exchange&, write);

}  // namespace petstore::server::handlers
