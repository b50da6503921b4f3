// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <optional>
#include <stdexcept>
#include <string>

#include "petstore/hex.hpp"
#include "petstore/json.hpp"
#include "petstore/key_json.hpp"
#include "petstore/storage/rules/import.hpp"
#include "records.hpp"
#include "transfer.hpp"

namespace petstore::storage::postgres {
namespace {

template <class Record>
std::vector<Record> read_all(session& s, std::string const& select, result<Record> (*decode)(std::string_view)) {
  auto const found = s.run(select);
  std::vector<Record> records;
  for (int i = 0; i < found.count(); ++i) {
    auto record = decode(found.text(i, 0));
    if (!record) throw std::runtime_error("a record of the keys cannot be read: " + record.error().message);
    records.push_back(*std::move(record));
  }
  return records;
}

std::vector<identity_record> read_identities(session& s) {
  auto identities = read_all(s, "SELECT json FROM identities ORDER BY number", decode_identity_record);
  auto const resets = s.run("SELECT quota_resets FROM identities ORDER BY number");
  for (std::size_t i = 0; i < identities.size(); ++i)
    identities[i].quota_resets = static_cast<std::uint64_t>(resets.number(static_cast<int>(i), 0));
  return identities;
}

void write(session& s, ports::key_archive const& archive) {
  array_text numbers, identities, digests, keys;
  for (auto const& key : archive.keys) {
    numbers.add(static_cast<std::int64_t>(key.number));
    identities.add(static_cast<std::int64_t>(key.identity));
    digests.add("\\x" + to_hex(key.digest));  // as PostgreSQL reads bytes
    keys.add(to_json(key));
  }
  s.run(
      "INSERT INTO api_keys (number, identity, digest, json)"
      " SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::text[])",
      {numbers.to_text(), identities.to_text(), digests.to_text(), keys.to_text()});

  array_text owners, owner_records, resets, sequences, entries;
  for (auto const& identity : archive.identities) {
    owners.add(static_cast<std::int64_t>(identity.number));
    owner_records.add(stored_json(identity));
    resets.add(static_cast<std::int64_t>(identity.quota_resets));
  }
  s.run(
      "INSERT INTO identities (number, json, quota_resets)"
      " SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[])",
      {owners.to_text(), owner_records.to_text(), resets.to_text()});
  for (auto const& entry : archive.audit_log) {
    sequences.add(static_cast<std::int64_t>(entry.sequence));
    entries.add(to_json(entry));
  }
  s.run("INSERT INTO audit_log (sequence, json) SELECT * FROM unnest($1::bigint[], $2::text[])",
        {sequences.to_text(), entries.to_text()});
  s.run("UPDATE shop SET keys_version = keys_version + 1, last_key = $1, last_audit = $2",
        {std::to_string(archive.keys.size()), std::to_string(archive.audit_log.size())});
}

}  // namespace

/// It holds the row that every change of keys must lock first.
result<void> import_keys(session& s, ports::key_archive const& archive) {
  result<void> outcome;
  in_transaction(s, "BEGIN", [&] {
    s.run("SELECT keys_version FROM shop WHERE id = 1 FOR UPDATE");
    ports::key_archive const present{read_all(s, "SELECT json FROM api_keys ORDER BY number", decode_key_record),
                                     read_identities(s),
                                     read_all(s, "SELECT json FROM audit_log ORDER BY sequence", decode_audit_entry)};
    auto const step = rules::import_keys(archive, present);
    outcome = step ? result<void>{} : result<void>{step.error()};
    if (step && *step == rules::import_step::insert) write(s, archive);
  });
  return outcome;
}

}  // namespace petstore::storage::postgres
