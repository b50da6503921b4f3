// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "reads.hpp"

#include <algorithm>
#include <limits>

#include "faults.hpp"
#include "petstore/crc32c.hpp"
#include "petstore/key_json.hpp"
#include "record_statements.hpp"
#include "records.hpp"

namespace petstore::storage::postgres {
namespace {

/// Appends a JSON array of the rows (id, record); there may be one row more than the page can have.
ports::page_end append_page(rows const& found, std::int64_t after, std::uint32_t limit, std::string& json) {
  ports::page_end end;
  int const taken = static_cast<int>(std::min<std::int64_t>(found.count(), limit));
  std::size_t size = 2;
  for (int i = 0; i < taken; ++i) size += found.text(i, 1).size() + 1;
  json.reserve(json.size() + size);
  json.push_back('[');
  for (int i = 0; i < taken; ++i) {
    if (i != 0) json.push_back(',');
    json.append(found.text(i, 1));
  }
  json.push_back(']');
  end.count = static_cast<std::uint32_t>(taken);
  if (found.count() > taken) end.next_after = taken == 0 ? after : found.number(taken - 1, 0);
  return end;
}

/// Returns whether there is another record now.
template <class Record>
bool decode_into(std::vector<Record>& records, result<Record> (*decode)(std::string_view), rows const& found, int row,
                 int column, char const* table, damage_report const& report) {
  if (auto record = decode(found.text(row, column))) {
    records.push_back(*std::move(record));
    return true;
  } else {
    report(std::string{"a record of "} + table + " cannot be read: " + record.error().message);
    return false;
  }
}

}  // namespace

result<rows> rows_of(reply r) {
  if (auto* const found = std::get_if<rows>(&r)) return std::move(*found);
  if (auto const* const fault = std::get_if<server_fault>(&r)) return to_error(*fault);
  return unavailable(std::move(std::get<lost>(r).cause));
}

asio::awaitable<result<entity_tag>> read_record(connection_group& l, record_kind kind, std::int64_t id,
                                                std::string& json) {
  auto asking = l.read(read_statement(kind), parameters::of(id));
  reply answer = co_await std::move(asking);
  auto const found = rows_of(std::move(answer));
  if (!found) co_return found.error();
  if (found->empty()) co_return error{.code = errc::not_found, .message = {}, .cause = {}};
  auto const record = found->text(0, 1);
  json.append(record);
  co_return entity_tag{.revision = static_cast<std::uint64_t>(found->number(0, 0)), .checksum = crc32c(record)};
}

asio::awaitable<result<ports::page_end>> list_records(connection_group& l, list_query q, std::string& json) {
  // One more row shows whether there is a next page.
  auto values = parameters::of(q.after, std::int64_t{q.limit} + 1);
  for (auto const& value : q.filters)
    if (value) values.add(*value);
  auto asking = l.read(list_statement(q.kind, bits_of(q.filters)), std::move(values));
  reply answer = co_await std::move(asking);
  auto const found = rows_of(std::move(answer));
  if (!found) co_return found.error();
  co_return append_page(*found, q.after, q.limit, json);
}

namespace {

/// The only number of the only row.
asio::awaitable<result<std::uint64_t>> read_number(connection_group& l, statement s) {
  auto asking = l.read(s, {});
  reply answer = co_await std::move(asking);
  auto const found = rows_of(std::move(answer));
  if (!found) co_return found.error();
  if (found->empty()) co_return internal("the row of the store is missing");
  co_return static_cast<std::uint64_t>(found->number(0, 0));
}

}  // namespace

asio::awaitable<result<std::uint64_t>> read_keys_version(connection_group& l) {
  return read_number(l, statement::keys_version);
}

asio::awaitable<result<std::uint64_t>> last_audit_entry(connection_group& l) {
  return read_number(l, statement::last_audit_entry);
}

asio::awaitable<result<key_directory>> read_keys(connection_group& l, damage_report const& report) {
  auto asking = l.read(statement::read_keys, {});
  reply answer = co_await std::move(asking);
  auto const found = rows_of(std::move(answer));
  if (!found) co_return found.error();
  enum kind : std::int64_t { version, key, identity };
  key_directory directory;
  for (int i = 0; i < found->count(); ++i) switch (found->number(i, 0)) {
      case kind::version: directory.version = static_cast<std::uint64_t>(found->number(i, 1)); break;
      case kind::key: decode_into(directory.keys, decode_key_record, *found, i, 2, "api_keys", report); break;
      default:
        if (decode_into(directory.identities, decode_identity_record, *found, i, 2, "identities", report))
          directory.identities.back().quota_resets = static_cast<std::uint64_t>(found->number(i, 3));
    }
  co_return directory;
}

asio::awaitable<result<std::optional<ports::stored>>> find_repetition(connection_group& l, rules::repeatable operation,
                                                                      ports::idempotency const& request, unix_ms now) {
  auto asking = l.read(statement::find_answer,
                       parameters::of(static_cast<std::int64_t>(request.identity), static_cast<std::int64_t>(operation),
                                      std::string_view{request.key}));
  reply answer = co_await std::move(asking);
  auto const found = rows_of(std::move(answer));
  if (!found) co_return found.error();
  auto const kept = answer_in(*found, 0);
  co_return rules::find_repetition(kept ? &*kept : nullptr, request, now);
}

asio::awaitable<result<std::vector<audit_entry>>> read_audit_log(connection_group& l, std::uint64_t after,
                                                                 std::uint32_t limit, damage_report const& report) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  auto asking = l.read(statement::read_audit_log,
                       parameters::of(static_cast<std::int64_t>(std::min(after, most)), std::int64_t{limit}));
  reply answer = co_await std::move(asking);
  auto const found = rows_of(std::move(answer));
  if (!found) co_return found.error();
  std::vector<audit_entry> entries;
  for (int i = 0; i < found->count(); ++i) decode_into(entries, decode_audit_entry, *found, i, 1, "audit_log", report);
  co_return entries;
}

}  // namespace petstore::storage::postgres
