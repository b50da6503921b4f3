// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <lmdb.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

/// LMDB by itself, with the tables of animals that ../../server/storage/lmdb/README.md describes: only the calls of
/// LMDB, without the rest of the store.
namespace petstore::bench {

void check(int code);

class bare_environment {
 public:
  bare_environment(char const* directory, unsigned flags);
  ~bare_environment();
  bare_environment(bare_environment const&) = delete;
  bare_environment& operator=(bare_environment const&) = delete;

  MDB_env* handle() const noexcept { return handle_; }

 private:
  MDB_env* handle_ = nullptr;
};

/// A key: a status and big-endian numbers.
std::string bare_key(std::initializer_list<std::int64_t> numbers, char status = 0);

/// Puts animals into a new file.
class bare_writer {
 public:
  explicit bare_writer(char const* directory);

  /// Puts animals in one transaction.
  void commit(std::size_t animals);

 private:
  MDB_txn* begin();
  void add(MDB_txn*);

  bare_environment environment_;
  MDB_dbi meta_ = 0;
  MDB_dbi pets_ = 0;
  MDB_dbi by_category_ = 0;
  MDB_dbi by_status_ = 0;
  MDB_dbi by_status_category_ = 0;
  std::int64_t last_id_ = 0;
};

}  // namespace petstore::bench
