// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "petstore/storage/rules/pets.hpp"
#include "transaction.hpp"

namespace petstore::storage::lmdb {

/// The maximum number of writes in a transaction. Space is reserved for as many.
inline constexpr std::size_t writes_per_transaction_max = 256;

/// A write transaction; LMDB allows one at a time, over all processes. Several writes of several clients may share one
/// (see writer.hpp). So each write has three steps: look everything up, let the rules decide, and only then change
/// something. A refused write has changed nothing.
class write_transaction : public transaction {
 public:
  explicit write_transaction(database const&);
  ~write_transaction();  ///< aborts what is not committed

  std::size_t id() const noexcept { return mdb_txn_id(handle_); }

  /// Returns LMDB's or errno's code; 0 means that everything is on disk.
  int commit() noexcept;

  /// Called by a write that takes space permanently, before it changes anything. Throws MDB_MAP_FULL when the remaining
  /// space is reserved for writes that free space.
  void claim_space();

  /// Opens the table, for others after the commit; creates it if it is missing.
  void open_table(database&, table);

  /// The entry with the lowest key, or with the next key after the given one.
  using entry = std::pair<std::string_view, std::string_view>;
  std::optional<entry> find_first(table) const;
  std::optional<entry> find_after(table, std::string_view key) const;

  void put(table, std::string_view key, std::string_view value);
  void remove(table, std::string_view key);  ///< the key must exist
  void put_meta(std::string_view name, std::uint64_t value);

  /// Wraps the content and stores it with the revision.
  entity_tag put_record(table, std::string_view key, std::uint64_t revision, std::string_view content);

  // The records of the store with their indexes and sequences. `before` is the old record; null: none.
  std::optional<rules::present<pet>> find_pet(std::int64_t id) const;
  std::optional<rules::present<category>> find_category(std::int64_t id) const;
  std::optional<rules::present<order>> find_order(std::int64_t id) const;
  std::optional<std::int64_t> find_category_of_name(std::string_view name) const;
  std::optional<std::int64_t> find_open_order(std::int64_t pet) const;
  ports::stored put_pet(rules::present<pet> const* before, pet const&);
  ports::stored put_category(category const&);  ///< a new category
  ports::stored put_order(rules::present<order> const* before, order const&);
  void remove_pet(pet const&);

  /// Removes a few of the expired answers.
  void remove_expired_answers(unix_ms now);

  std::int64_t last_id(std::string_view sequence) const { return static_cast<std::int64_t>(meta_number(sequence)); }
  void raise_last_id(std::string_view sequence, std::int64_t id);

 private:
  using owned_cursor = std::unique_ptr<MDB_cursor, decltype(&mdb_cursor_close)>;
  owned_cursor open_cursor(table) const;
  template <class Record>
  ports::stored store(table, Record const&, std::uint64_t revision);
  /// Updates the index entries from the old record to the new one; null: none.
  template <class Record>
  void update_indexes(Record const* before, Record const* after);

  std::optional<std::size_t> pages_left_;  ///< known once a write has called claim_space
  std::string value_;                      ///< scratch memory, to save an allocation for each record
};

}  // namespace petstore::storage::lmdb
