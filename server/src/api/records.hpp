// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "api/exchange.hpp"
#include "api/operations.hpp"
#include "petstore/ports/store.hpp"

/// The code that the handlers of animals, categories and orders share: reading a record, reading a page, answering a
/// write.
namespace petstore::server::handlers {

void add_etag(response&, entity_tag);

/// Answers 200 with the record of the path's id, its ETag and (if there is a PATCH) Accept-Patch, or 304 if the caller
/// has it.
outcome get_record(exchange&, record_kind);

/// Answers 200 with the requested page of the list, and a Link to the next page if there is one.
outcome get_page(exchange&, record_kind);

using write = ports::asio::awaitable<result<ports::stored>>;

/// Answers 201 with the record, its ETag and its location below the list it was sent to.
outcome answer_created(exchange&, write);
/// Answers 200 with the record, its ETag and Accept-Patch.
outcome answer_changed(exchange&, write);

}  // namespace petstore::server::handlers
