// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "reads.hpp"

#include <limits>

#include "petstore/key_json.hpp"

namespace petstore::storage::lmdb {
namespace {

/// Which entries of which table a page consists of: all keys with this prefix, each ending in the record's id.
struct range {
  table index;
  number_key prefix;
};

[[noreturn]] void report_missing(table index, table records, std::string_view id) {
  throw damaged_record(std::string{name_of(index)} + " names record " + std::to_string(id_at_end(id)) + " of " +
                       name_of(records) + ", which is missing");
}

/// Costs the same however few records match: it steps through matching entries only.
ports::page_end list(reader& r, table records, range const& matching, std::int64_t after, std::uint32_t limit,
                     std::string& json) {
  ports::page_end end;
  json.push_back('[');
  bool const indexed = matching.index != records;
  auto entries = r.cursor(matching.index);
  std::optional<cursor> found;
  if (indexed) found = r.cursor(records);

  std::string_view const prefix = matching.prefix;
  auto from = matching.prefix;
  std::string_view last;
  bool more = after != std::numeric_limits<std::int64_t>::max() && entries.seek(from.add(after + 1));
  for (; more && entries.key().starts_with(prefix); more = entries.next()) {
    if (end.count == limit) {
      end.next_after = limit == 0 ? after : id_at_end(last);
      break;
    }
    last = id_bytes_at_end(entries.key());
    if (indexed && !found->find(last)) report_missing(matching.index, records, last);
    auto const record = open_record(indexed ? found->value() : entries.value(), name_of(records), last);
    if (end.count++ != 0) json.push_back(',');
    json.append(record.content);
  }
  json.push_back(']');
  return end;
}

range range_of(ports::pet_query const& q) {
  if (q.status && q.category_id)
    return {table::pets_by_status_category, number_key{}.add(*q.status).add(*q.category_id)};
  if (q.status) return {table::pets_by_status, number_key{}.add(*q.status)};
  if (q.category_id) return {table::pets_by_category, number_key{}.add(*q.category_id)};
  return {table::pets, {}};
}

range range_of(ports::order_query const& q) {
  if (q.status && q.pet_id) return {table::orders_by_status_pet, number_key{}.add(*q.status).add(*q.pet_id)};
  if (q.status) return {table::orders_by_status, number_key{}.add(*q.status)};
  if (q.pet_id) return {table::orders_by_pet, number_key{}.add(*q.pet_id)};
  return {table::orders, {}};
}

/// The rest of a table as values, decoded one by one.
template <class Record>
std::vector<Record> decode_all(reader& r, table t, result<Record> (*decode)(std::string_view)) {
  std::vector<Record> all;
  auto entries = r.cursor(t);
  for (bool more = entries.first(); more; more = entries.next()) {
    auto record = decode(open_record(entries.value(), name_of(t), entries.key()).content);
    if (!record)
      throw damaged_record(std::string{"a record of "} + name_of(t) + " cannot be read: " + record.error().message);
    all.push_back(*std::move(record));
  }
  return all;
}

}  // namespace

result<entity_tag> read_record(reader& r, table records, std::int64_t id, std::string& json) {
  auto const record = r.find_record(records, number_key{id});
  if (!record) return error{.code = errc::not_found, .message = {}, .cause = {}};
  json.append(record->content);
  return record->tag;
}

ports::page_end list_pets(reader& r, ports::pet_query const& q, std::string& json) {
  return list(r, table::pets, range_of(q), q.after, q.limit, json);
}

ports::page_end list_categories(reader& r, ports::category_query const& q, std::string& json) {
  return list(r, table::categories, {table::categories, {}}, q.after, q.limit, json);
}

ports::page_end list_orders(reader& r, ports::order_query const& q, std::string& json) {
  return list(r, table::orders, range_of(q), q.after, q.limit, json);
}

void export_records(reader& r, ports::export_sink& sink) {
  sink.begin({.categories = r.count(table::categories),
              .pets = r.count(table::pets),
              .orders = r.count(table::orders),
              .given = {.category = static_cast<std::int64_t>(r.meta_number(meta::last_category)),
                        .pet = static_cast<std::int64_t>(r.meta_number(meta::last_pet)),
                        .order = static_cast<std::int64_t>(r.meta_number(meta::last_order))}});
  constexpr std::pair<ports::record_kind, table> kinds[] = {{ports::record_kind::category, table::categories},
                                                            {ports::record_kind::pet, table::pets},
                                                            {ports::record_kind::order, table::orders}};
  for (auto const& [kind, t] : kinds) {
    auto entries = r.cursor(t);
    for (bool more = entries.first(); more; more = entries.next())
      if (!sink.take(kind, open_record(entries.value(), name_of(t), entries.key()).content)) return;
  }
}

key_directory read_keys(reader& r) {
  return {.version = r.meta_number(meta::keys_version),
          .keys = decode_all(r, table::keys, decode_key_record),
          .identities = decode_all(r, table::identities, decode_identity_record)};
}

std::vector<audit_entry> read_audit_log(reader& r, std::uint64_t after_sequence, std::uint32_t limit) {
  std::vector<audit_entry> log;
  if (after_sequence == std::numeric_limits<std::uint64_t>::max()) return log;
  auto entries = r.cursor(table::audit_log);
  for (bool more = entries.seek(number_key{after_sequence + 1}); more && log.size() < limit; more = entries.next()) {
    auto entry = decode_audit_entry(open_record(entries.value(), name_of(table::audit_log), entries.key()).content);
    if (!entry) throw damaged_record("an entry of audit_log cannot be read: " + entry.error().message);
    log.push_back(*std::move(entry));
  }
  return log;
}

}  // namespace petstore::storage::lmdb
