// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parameters.hpp"
#include "petstore/crc32c.hpp"
#include "petstore/json.hpp"
#include "petstore/ports/store.hpp"
#include "petstore/storage/rules/present.hpp"
#include "petstore/storage/rules/repetition.hpp"
#include "rows.hpp"

/// Conversion of records between rows and rules.
namespace petstore::storage::postgres {

inline constexpr std::uint64_t first_revision = 1;

/// The record of a row, with the revision in one column and its JSON in the next; nullopt: the row has none.
template <class Record>
result<std::optional<rules::present<Record>>> decode_record_at(rows const& found, int column, char const* table,
                                                               result<Record> (*decode)(std::string_view)) {
  std::optional<rules::present<Record>> record;
  if (found.empty() || found.is_null(0, column)) return record;
  auto const json = found.text(0, column + 1);
  auto decoded = decode(json);
  if (!decoded)
    return error{.code = errc::internal,
                 .message = {},
                 .cause = std::string{"a record of "} + table + " cannot be read: " + decoded.error().message};
  record.emplace(*std::move(decoded), entity_tag{static_cast<std::uint64_t>(found.number(0, column)), crc32c(json)});
  return record;
}

/// The stored answer of a row: digest, expiry, record and JSON from this column on.
std::optional<rules::kept_answer> answer_in(rows const& found, int column);

inline ports::stored stored_as(std::int64_t id, std::uint64_t revision, std::string json) {
  entity_tag const tag{revision, crc32c(json)};
  return {.id = id, .tag = tag, .json = std::move(json), .replayed = false};
}

/// Canonical JSON begins with the id, which the server assigns: this is the text after the id, made from a record with
/// id 0.
template <class Record>
std::string after_id(Record const& record_zero) {
  return to_json(record_zero).substr(std::string_view{"{\"id\":0"}.size());
}
inline ports::stored created_as(std::int64_t id, std::string_view after_id) {
  auto json = "{\"id\":" + std::to_string(id);
  json += after_id;
  return stored_as(id, first_revision, std::move(json));
}

/// The last parameters of a repeatable creation: the owner of the first answer, and when the answer expires.
inline void add_first_answer(parameters& values, ports::idempotency const& request, unix_ms now) {
  values.add(static_cast<std::int64_t>(request.identity));
  values.add(std::string_view{request.key});
  values.add(as_bytes(request.body_digest));
  values.add((now + ports::idempotency_kept).time_since_epoch().count());
  values.add(now.time_since_epoch().count());
}

/// The JSON of an identity in its row. The number of resets has a column of its own (sql/0002_quota_resets.sql).
std::string stored_json(identity_record);

inline std::int64_t to_number(std::optional<pet_status> s) noexcept {
  return s ? static_cast<std::int64_t>(*s) : 0;
}

}  // namespace petstore::storage::postgres
