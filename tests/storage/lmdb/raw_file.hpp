// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <lmdb.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace petstore::tests {

/// A store's file as bare LMDB, to look behind the store's back and to spoil things. Only while no store has it open: a
/// process may open a file of LMDB's once.
class raw_file {
 public:
  explicit raw_file(std::filesystem::path const& directory);
  ~raw_file();
  raw_file(raw_file const&) = delete;
  raw_file& operator=(raw_file const&) = delete;

  std::optional<std::string> get(char const* table, std::string_view key);
  void put(char const* table, std::string_view key, std::string_view value);  ///< makes the table when it is missing
  void remove(char const* table, std::string_view key);                       ///< which is there
  void drop(char const* table);
  std::string first_key(char const* table);
  std::size_t count(char const* table);

 private:
  MDB_env* environment_ = nullptr;
};

/// As keys and numbers of `meta` are: big-endian.
std::string big_endian(std::uint64_t);
/// The key of a record: its id with the sign flipped.
std::string id_key(std::int64_t);

}  // namespace petstore::tests
