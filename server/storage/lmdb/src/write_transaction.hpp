// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "petstore/storage/rules/pets.hpp"
#include "transaction.hpp"

namespace petstore::storage::lmdb {

/// A transaction that writes; LMDB lets one run at a time, over all processes. Several writes of several clients may
/// share one (see writer.hpp), so each follows one order: look everything up, let the rules decide, and only then
/// change something. A write that is refused has changed nothing.
class write_transaction : public transaction {
 public:
  explicit write_transaction(environment const&);
  ~write_transaction();  ///< gives up what is not committed

  std::size_t id() const noexcept { return mdb_txn_id(handle_); }

  /// Returns LMDB's or errno's code; 0 means that everything is on disk.
  int commit() noexcept;

  /// For a write that takes room for good, before it changes anything. Throws MDB_MAP_FULL when what is left is kept
  /// for those that make room.
  void claim_room();

  /// Opens the table for others too, once this is committed; makes it when it is missing.
  void open_table(environment&, table);

  /// The entry with the lowest key, or the lowest above that one.
  using entry = std::pair<std::string_view, std::string_view>;
  std::optional<entry> find_first(table) const;
  std::optional<entry> find_after(table, std::string_view key) const;

  void put(table, std::string_view key, std::string_view value);
  void remove(table, std::string_view key);  ///< which must be there
  void put_meta(std::string_view name, std::uint64_t value);

  /// Wraps the content and stores it under the revision.
  entity_tag put_record(table, std::string_view key, std::uint64_t revision, std::string_view content);

  // The shop's records with their indexes and sequences. `before` is what stood there; null: nothing.
  std::optional<rules::present<pet>> find_pet(std::int64_t id) const;
  std::optional<rules::present<category>> find_category(std::int64_t id) const;
  std::optional<rules::present<order>> find_order(std::int64_t id) const;
  std::optional<std::int64_t> find_category_of_name(std::string_view name) const;
  std::optional<std::int64_t> find_open_order(std::int64_t pet) const;
  ports::stored put_pet(rules::present<pet> const* before, pet const&);
  ports::stored put_category(category const&);  ///< a new one
  ports::stored put_order(rules::present<order> const* before, order const&);
  void remove_pet(pet const&);

  /// Forgets a few of the answers that have expired.
  void remove_expired_answers(unix_ms now);

  std::int64_t last_id(std::string_view sequence) const { return static_cast<std::int64_t>(meta_number(sequence)); }
  void raise_last_id(std::string_view sequence, std::int64_t id);

 private:
  using owned_cursor = std::unique_ptr<MDB_cursor, decltype(&mdb_cursor_close)>;
  owned_cursor open_cursor(table) const;
  template <class Record>
  ports::stored store(table, Record const&, std::uint64_t revision);
  /// From what stood there to what will; null: nothing.
  template <class Record>
  void update_indexes(Record const* before, Record const* after);

  std::optional<std::size_t> pages_left_;  ///< known once a write has asked
  std::string value_;                      ///< scratch, to spare an allocation per record
};

}  // namespace petstore::storage::lmdb
