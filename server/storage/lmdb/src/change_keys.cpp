// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/key_json.hpp"
#include "petstore/storage/rules/import.hpp"
#include "repetition.hpp"
#include "writes.hpp"

namespace petstore::storage::lmdb {
namespace {

constexpr std::uint64_t not_revised = 0;  // for records that no client sees, and that have no tag

template <class Record>
std::optional<Record> find(write_transaction const& t, table records, std::uint64_t number,
                           result<Record> (*decode)(std::string_view)) {
  number_key const key{number};
  auto const stored = t.find_record(records, key);
  if (!stored) return std::nullopt;
  return decode_record(*stored, records, key, decode);
}

template <class Record>
void put(write_transaction& t, table records, std::uint64_t number, Record const& record) {
  std::string json;
  append_json(json, record);
  t.put_record(records, number_key{number}, not_revised, json);
}

void put_key(write_transaction& t, key_record const& key) {
  put(t, table::keys, key.number, key);
  t.put(table::key_digests, as_bytes(key.digest), number_key{key.number});
}

key_change replay_creation(write_transaction const& t, std::uint64_t number) {
  auto const key = find(t, table::keys, number, decode_key_record).value();
  return rules::replay_creation(key, find(t, table::identities, key.identity, decode_identity_record).value());
}

/// Every record of a table, by ascending number.
template <class Record>
std::vector<Record> all(write_transaction const& t, table records, result<Record> (*decode)(std::string_view)) {
  std::vector<Record> found;
  for (auto entry = t.find_first(records); entry; entry = t.find_after(records, entry->first)) {
    auto const& [key, value] = *entry;
    found.push_back(decode_record(open_record(value, name_of(records), key), records, key, decode));
  }
  return found;
}

}  // namespace

result<key_change> change_keys(write_transaction& t, key_command const& command, unix_ms now, std::string const& actor,
                               std::optional<ports::idempotency> const& request) {
  repetition repeat(t, rules::repeatable::create_key, request, now);
  auto const again = repeat.find_answer();
  if (!again) return again.error();
  if (*again) return replay_creation(t, static_cast<std::uint64_t>((*again)->id));

  std::optional<key_record> named;
  std::optional<identity_record> identity;
  if (auto const number = named_key(command)) {
    named = find(t, table::keys, *number, decode_key_record);
    if (named) identity = find(t, table::identities, named->identity, decode_identity_record);
  }
  auto change = decide(command, named, identity, t.meta_number(meta::last_key) + 1, now, actor);
  if (!change || change->unchanged) return change;
  if (change->added && t.find(table::key_digests, as_bytes(change->added->digest)))
    return error{.code = errc::conflict, .message = "that key exists", .cause = {}};

  change->entry.sequence = t.meta_number(meta::last_audit) + 1;
  if (change->changed) put(t, table::keys, change->changed->number, *change->changed);
  if (change->added) {
    put_key(t, *change->added);
    t.put_meta(meta::last_key, change->added->number);
  }
  put(t, table::identities, change->identity.number, change->identity);
  put(t, table::audit_log, change->entry.sequence, change->entry);
  t.put_meta(meta::last_audit, change->entry.sequence);
  t.put_meta(meta::keys_version, t.meta_number(meta::keys_version) + 1);
  if (change->added) repeat.keep(rules::creation_of(*change->added));
  return change;
}

result<void> import_keys(write_transaction& t, ports::key_archive const& archive) {
  t.claim_space();
  ports::key_archive const present{all(t, table::keys, decode_key_record),
                                   all(t, table::identities, decode_identity_record),
                                   all(t, table::audit_log, decode_audit_entry)};
  auto const step = rules::import_keys(archive, present);
  if (!step) return step.error();
  if (*step == rules::import_step::skip) return {};

  for (auto const& key : archive.keys) put_key(t, key);
  for (auto const& identity : archive.identities) put(t, table::identities, identity.number, identity);
  for (auto const& entry : archive.audit_log) put(t, table::audit_log, entry.sequence, entry);
  t.put_meta(meta::last_key, archive.keys.size());
  t.put_meta(meta::last_audit, archive.audit_log.size());
  t.put_meta(meta::keys_version, t.meta_number(meta::keys_version) + 1);
  return {};
}

}  // namespace petstore::storage::lmdb
