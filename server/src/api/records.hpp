// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <utility>

#include "api/exchange.hpp"
#include "api/operations.hpp"
#include "petstore/api_key.hpp"
#include "petstore/json.hpp"
#include "petstore/ports/store.hpp"
#include "petstore/server/conditions.hpp"
#include "petstore/server/request_body.hpp"

/// The code that the handlers of animals, categories and orders share: reading a record, reading a page, reading and
/// answering a write.
namespace petstore::server::handlers {

/// Answers 200 with the record of the path's id, its ETag and (if there is a PATCH) Accept-Patch, or 304 if the caller
/// has it.
outcome get_record(exchange&, record_kind);

/// Answers 200 with the requested page of the list, and a Link to the next page if there is one.
outcome get_page(exchange&, record_kind);

/// What a POST asks for.
template <class Body>
struct creation {
  Body body;
  std::optional<ports::idempotency> repeatable;  ///< with the digest of the body
};
/// What a PATCH asks for.
template <class Patch>
struct change {
  Patch patch;
  etag_condition condition;
};

/// The first fault is the one that is answered: the field about the repetition, or the condition, before the body.
template <class Body>
result<creation<Body>> read_creation(exchange const& x) {
  auto repeatable = read_idempotency(x.req, x.caller.identity);
  if (!repeatable) return repeatable.error();
  auto const sent = take_body(x.req, body_kind::json);
  if (!sent) return sent.error();
  if (*repeatable) (*repeatable)->body_digest = sha256(*sent);
  auto body = decode_json<Body>(*sent);
  if (!body) return body.error();
  return creation<Body>{*std::move(body), *std::move(repeatable)};
}
/// The same for a change.
template <class Patch>
result<change<Patch>> read_change(exchange const& x) {
  auto condition = read_condition(x.req, known_field::if_match);
  if (!condition) return condition.error();
  auto const sent = take_body(x.req, body_kind::merge_patch);
  if (!sent) return sent.error();
  auto patch = decode_json<Patch>(*sent);
  if (!patch) return patch.error();
  return change<Patch>{*std::move(patch), *std::move(condition)};
}

using write = ports::asio::awaitable<result<ports::stored>>;

/// Answers 201 with the record, its ETag and its location below the list it was sent to.
outcome answer_created(exchange&, write);
/// Answers 200 with the record, its ETag and Accept-Patch.
outcome answer_changed(exchange&, write);

}  // namespace petstore::server::handlers
