// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "../query.hpp"
#include "handlers.hpp"
#include "petstore/ports/store.hpp"

/// What the handlers of animals, categories and orders have in common: how one record is read, how a write is answered,
/// how a page ends.
namespace petstore::server::handlers {

void add_etag(response&, entity_tag);

using record_reader = asio::awaitable<result<entity_tag>> (ports::store::*)(std::int64_t id, std::string& json);

/// 200 with the record, its ETag and (where there is a PATCH) Accept-Patch, or 304 when the caller has it.
outcome get_record(exchange&, record_reader);

/// 201 with the record, its ETag and where it is. `collection` is its list's path below the base path.
void answer_created(exchange&, std::string_view collection, ports::stored&&);
/// 200 with the record, its ETag and Accept-Patch.
void answer_changed(exchange&, ports::stored&&);

/// The Link to the next page, when there is one.
void add_next_link(exchange&, std::string_view collection, list_kind, list_request const&, ports::page_end const&);

}  // namespace petstore::server::handlers
