// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "transaction.hpp"

namespace petstore::storage::lmdb {

/// What a file contains, known before its tables are opened.
enum class contents { nothing, ours, foreign };

/// A read transaction for opening or checking a store, which opens its tables.
class read_only : public transaction {
 public:
  explicit read_only(database& d) : transaction(d, begin_reading(d)), opening_(d) {}
  ~read_only() {
    cursors_.clear();
    if (handle_) mdb_txn_abort(handle_);
  }

  /// The transaction whose state it reads.
  std::size_t id() const noexcept { return mdb_txn_id(handle_); }

  contents look() {
    MDB_dbi main = 0;
    check(mdb_dbi_open(handle_, nullptr, 0, &main), "open the main database");
    MDB_stat stat;
    check(mdb_stat(handle_, main, &stat), "count tables");
    if (stat.ms_entries == 0) return contents::nothing;
    if (!opening_.open_table(handle_, table::meta, 0)) return contents::foreign;
    return find(table::meta, meta::magic) ? contents::ours : contents::foreign;
  }

  /// Returns false if there is no such table.
  bool open_table(table t) { return opening_.open_table(handle_, t, 0); }

  /// Returns false if a table is missing.
  bool open_every_table() {
    for (std::size_t i = 0; i < table_count; ++i)
      if (!open_table(static_cast<table>(i))) return false;
    return true;
  }

  /// Valid until this transaction ends.
  lmdb::cursor cursor(table t) {
    MDB_cursor* handle = nullptr;
    check(mdb_cursor_open(handle_, database_[t], &handle), "open a cursor");
    cursors_.emplace_back(handle, &mdb_cursor_close);
    return {handle, t};
  }

  /// Keeps the handles of the tables open.
  void commit() { check(mdb_txn_commit(std::exchange(handle_, nullptr)), "keep the tables open"); }

 private:
  database& opening_;
  std::vector<std::unique_ptr<MDB_cursor, decltype(&mdb_cursor_close)>> cursors_;
};

}  // namespace petstore::storage::lmdb
