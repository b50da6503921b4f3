// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <lmdb.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "tables.hpp"

namespace petstore::storage::lmdb {

/// An open file of LMDB, which calls that an environment, and the handles of its tables.
///
/// Thread safety: constructed and given its handles by one thread; then immutable.
class database {
 public:
  /// `map_bytes_max` is rounded down to whole pages; nullopt: the size that is stored in the file. `flags` are LMDB's,
  /// for special uses.
  database(std::filesystem::path const&, std::optional<std::size_t> map_bytes_max, unsigned flags = 0);
  ~database();
  database(database const&) = delete;
  database& operator=(database const&) = delete;

  MDB_env* handle() const noexcept { return handle_; }
  /// Frees the slots of readers whose process died, which would keep old pages from being reused. Returns false if
  /// there were none. Any thread.
  bool clear_dead_readers() const noexcept;

  MDB_dbi operator[](table t) const noexcept { return tables_[static_cast<std::size_t>(t)]; }

  /// Returns false if there is no such table and MDB_CREATE is not among the flags. Others can use the handle after the
  /// transaction is committed.
  bool open_table(MDB_txn*, table, unsigned flags);

 private:
  MDB_env* handle_ = nullptr;
  std::array<MDB_dbi, table_count> tables_{};
};

inline MDB_val to_val(std::string_view bytes) noexcept {
  return {bytes.size(), const_cast<char*>(bytes.data())};  // LMDB does not write through the pointer
}
inline std::string_view to_view(MDB_val const& v) noexcept {
  return {static_cast<char const*>(v.mv_data), v.mv_size};
}

}  // namespace petstore::storage::lmdb
