// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "upgrade.hpp"

#include "indexes.hpp"
#include "write_transaction.hpp"

namespace petstore::storage::lmdb {
namespace {

constexpr std::size_t header_size_in_format_1 = 1 + 8;  // format byte, revision

/// Calls `visit(key, value)` for each entry in order. `visit` may write to this table under that key.
template <class Visit>
void visit_all(write_transaction const& t, table visited, Visit visit) {
  std::optional<std::string> last_key;
  for (;;) {
    // A new cursor for each entry, since a write to the table would move the entries under an open cursor.
    auto const entry = last_key ? t.find_after(visited, *last_key) : t.find_first(visited);
    if (!entry) return;
    last_key = entry->first;
    visit(std::string_view{*last_key}, std::string{entry->second});
  }
}

/// Format 1 had no checksums.
void upgrade_from_1(write_transaction& t) {
  for (auto wrapped : {table::pets, table::categories, table::orders, table::answers, table::keys, table::identities,
                       table::audit_log})
    visit_all(t, wrapped, [&](std::string_view key, std::string const& value) {
      if (value.size() < header_size_in_format_1 || value[0] != 1)
        throw damaged_record(std::string{"a record of "} + name_of(wrapped) + " is not of format 1");
      auto const content = std::string_view{value}.substr(header_size_in_format_1);
      t.put_record(wrapped, key, read_big_endian<std::uint64_t>(std::string_view{value}.substr(1)), content);
    });
}

void fill(write_transaction& t, index const& in) {
  visit_all(t, table_of(in.kind), [&](std::string_view key, std::string const&) {
    auto const id = id_at_end(key);
    auto const entry = in.kind == record_kind::pet ? index_key(in, t.find_pet(id).value().record)
                                                   : index_key(in, t.find_order(id).value().record);
    if (entry) t.put(in.entries, *entry, {});
  });
}

}  // namespace

std::uint64_t upgrade(database& d) {
  write_transaction t(d);
  for (std::size_t i = 0; i < table_count; ++i) t.open_table(d, static_cast<table>(i));
  // Read again within the transaction, since another process may have upgraded the store.
  auto const stored = t.meta_number(meta::format);
  if (stored == 1) upgrade_from_1(t);
  for (auto const& in : indexes)
    if (!t.find_first(in.entries)) fill(t, in);  // an older format may not have had this index
  // Records of format 2 can be read, and get the new form when they are written the next time. In format 3 no identity
  // had resets of its quotas.
  if (stored < format_version) t.put_meta(meta::format, format_version);
  check(t.commit(), "upgrade the store");
  return format_version;
}

}  // namespace petstore::storage::lmdb
