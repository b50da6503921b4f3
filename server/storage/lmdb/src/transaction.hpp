// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string>

#include "database.hpp"
#include "faults.hpp"
#include "format.hpp"

namespace petstore::storage::lmdb {

/// A transaction that its caller ends.
inline MDB_txn* begin_reading(database const& d) {
  MDB_txn* handle = nullptr;
  check(mdb_txn_begin(d.handle(), nullptr, MDB_RDONLY, &handle), "begin to read");
  return handle;
}

/// The common part of reads and writes: look-ups in one state of the file. Views into the file are valid until the
/// transaction ends; in a write transaction, until its next change.
class transaction {
 public:
  transaction(transaction const&) = delete;
  transaction& operator=(transaction const&) = delete;

  std::optional<std::string_view> find(table t, std::string_view key) const {
    auto k = to_val(key);
    MDB_val value;
    int const code = mdb_get(handle_, database_[t], &k, &value);
    if (code == MDB_NOTFOUND) return std::nullopt;
    if (code != MDB_SUCCESS) throw mdb_fault(code, std::string{"look up a record of "} + name_of(t));
    return to_view(value);
  }

  std::optional<record_view> find_record(table t, std::string_view key) const {
    auto const value = find(t, key);
    if (!value) return std::nullopt;
    return open_record(*value, name_of(t), key);
  }

  /// A number of the table `meta`; 0 if there is none.
  std::uint64_t meta_number(std::string_view name) const {
    auto const value = find(table::meta, name);
    return value && value->size() == sizeof(std::uint64_t) ? read_big_endian<std::uint64_t>(*value) : 0;
  }

  std::uint64_t count(table t) const {
    MDB_stat stat;
    check(mdb_stat(handle_, database_[t], &stat), "count records");
    return stat.ms_entries;
  }

 protected:
  transaction(database const& d, MDB_txn* handle) noexcept : database_(d), handle_(handle) {}
  ~transaction() = default;

  database const& database_;
  MDB_txn* handle_;
};

/// The keys of the table `meta`. The values are numbers, except that of `magic`.
namespace meta {
inline constexpr std::string_view magic = "petstore";  ///< key and value of the entry that marks our files
inline constexpr std::string_view format = "format";
inline constexpr std::string_view environment = "environment";
inline constexpr std::string_view created_at = "created_at";
inline constexpr std::string_view last_category = "last_category";
inline constexpr std::string_view last_pet = "last_pet";
inline constexpr std::string_view last_order = "last_order";
inline constexpr std::string_view last_key = "last_key";
inline constexpr std::string_view last_audit = "last_audit";
inline constexpr std::string_view keys_version = "keys_version";
}  // namespace meta

/// Steps through a table by ascending key. Belongs to a transaction.
class cursor {
 public:
  cursor(MDB_cursor* handle, table t) noexcept : handle_(handle), table_(t) {}

  /// Goes to the first entry at or after the key; returns false if there is none.
  bool seek(std::string_view at) {
    key_ = to_val(at);
    return step(MDB_SET_RANGE);
  }
  bool first() { return step(MDB_FIRST); }
  bool last() { return step(MDB_LAST); }
  bool next() { return step(MDB_NEXT); }
  /// Goes to the entry with exactly this key.
  bool find(std::string_view key) {
    key_ = to_val(key);
    return step(MDB_SET);
  }

  std::string_view key() const noexcept { return to_view(key_); }
  std::string_view value() const noexcept { return to_view(value_); }

 private:
  bool step(MDB_cursor_op operation) {
    int const code = mdb_cursor_get(handle_, &key_, &value_, operation);
    if (code == MDB_NOTFOUND) return false;
    if (code != MDB_SUCCESS) throw mdb_fault(code, std::string{"step through "} + name_of(table_));
    return true;
  }

  MDB_cursor* handle_;
  table table_;
  MDB_val key_{};
  MDB_val value_{};
};

}  // namespace petstore::storage::lmdb
