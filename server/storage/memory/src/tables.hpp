// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "petstore/ports/store.hpp"
#include "petstore/storage/rules/import.hpp"
#include "petstore/storage/rules/orders.hpp"
#include "petstore/storage/rules/pets.hpp"
#include "petstore/storage/rules/repetition.hpp"

namespace petstore::storage::memory {

/// A record, its JSON, and the tag of that JSON.
template <class Record>
struct row : rules::present<Record> {
  std::string json;
};

/// The store as plain maps: read, let the rules decide, write. One thread at a time; a copy is a snapshot.
class tables {
 public:
  // tables.cpp: reads
  result<entity_tag> read(record_kind, std::int64_t id, std::string& json) const;
  ports::page_end list(list_query const&, std::string& json) const;
  void export_records(ports::export_sink&) const;

  // writes.cpp
  result<ports::stored> create_pet(new_pet, bool require_known_category, std::optional<ports::idempotency> const&,
                                   unix_ms now);
  result<ports::stored> update_pet(std::int64_t id, pet_patch const&, bool require_known_category,
                                   etag_condition const&);
  result<void> delete_pet(std::int64_t id, etag_condition const&);
  result<ports::stored> create_category(new_category);
  result<ports::stored> create_order(new_order, std::optional<ports::idempotency> const&, unix_ms now);
  result<ports::stored> update_order(std::int64_t id, order_patch const&, etag_condition const&, unix_ms now);
  /// May keep changes that it made before a fault, so call it on a copy.
  result<void> import_record(ports::import_record const&);

  // keys.cpp
  std::uint64_t keys_version() const noexcept { return keys_version_; }
  key_directory read_keys() const;
  result<key_change> change_keys(key_command const&, unix_ms now, std::string const& actor,
                                 std::optional<ports::idempotency> const&);
  std::vector<audit_entry> read_audit_log(std::uint64_t after_sequence, std::uint32_t limit) const;
  std::uint64_t last_audit_entry() const noexcept { return audit_log_.size(); }
  result<void> import_keys(ports::key_archive);

  // usage.cpp
  void add_usage(ports::usage_batch const&);
  std::vector<ports::usage_of_day> read_usage(std::uint64_t key, std::chrono::sys_days first,
                                              std::chrono::sys_days last) const;
  std::vector<ports::last_use> read_last_uses(std::uint64_t first_key, std::uint64_t last_key) const;

 private:
  using answer_scope = std::tuple<std::uint64_t, rules::repeatable, std::string>;  ///< identity, operation, key

  /// Calls `visit` with the map of the kind.
  template <class Visit>
  auto visit_rows(record_kind, Visit) const;

  ports::stored put(pet);
  ports::stored put(category);
  ports::stored put(order);
  rules::category_reference check_category(bool required, std::int64_t id) const;
  rules::kept_answer const* find_answer(rules::repeatable, std::optional<ports::idempotency> const&) const;
  void keep_answer(rules::repeatable, std::optional<ports::idempotency> const&, ports::stored const&, unix_ms now);
  void remove_expired_answers(unix_ms now);

  result<void> import(category const&);
  result<void> import(pet const&);
  result<void> import(order const&);
  result<void> import(ports::last_ids const&);

  std::map<std::int64_t, row<pet>> pets_;
  std::map<std::int64_t, row<category>> categories_;
  std::map<std::int64_t, row<order>> orders_;
  std::set<std::string, std::less<>> category_names_;
  std::map<std::int64_t, std::int64_t> open_orders_;  ///< by animal
  ports::last_ids last_;

  std::map<answer_scope, rules::kept_answer> answers_;
  std::set<std::pair<unix_ms, answer_scope>> answers_by_expiry_;

  std::map<std::uint64_t, key_record> keys_;
  std::map<std::uint64_t, identity_record> identities_;
  std::vector<audit_entry> audit_log_;  ///< the entry with sequence n is at n - 1
  std::uint64_t keys_version_ = 0;

  std::map<std::pair<std::chrono::sys_days, std::uint64_t>, ports::usage_of_day> usage_;  ///< by day and key
  std::map<std::uint64_t, unix_ms> last_uses_;                                            ///< by key
};

}  // namespace petstore::storage::memory
