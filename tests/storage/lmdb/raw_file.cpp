// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "storage/lmdb/raw_file.hpp"

#include <boost/test/unit_test.hpp>

namespace petstore::tests {
namespace {

MDB_val to_val(std::string_view s) {
  return {s.size(), const_cast<char*>(s.data())};
}

}  // namespace

raw_file::raw_file(std::filesystem::path const& directory) {
  BOOST_REQUIRE(mdb_env_create(&environment_) == 0);
  mdb_env_set_maxdbs(environment_, 32);
  BOOST_REQUIRE(mdb_env_open(environment_, directory.c_str(), 0, 0600) == 0);
}

raw_file::~raw_file() {
  mdb_env_close(environment_);
}

std::optional<std::string> raw_file::get(char const* table, std::string_view key) {
  MDB_txn* t = nullptr;
  MDB_dbi dbi = 0;
  BOOST_REQUIRE(mdb_txn_begin(environment_, nullptr, MDB_RDONLY, &t) == 0);
  auto k = to_val(key);
  MDB_val v;
  std::optional<std::string> found;
  if (mdb_dbi_open(t, table, 0, &dbi) == 0 && mdb_get(t, dbi, &k, &v) == 0)
    found.emplace(static_cast<char const*>(v.mv_data), v.mv_size);
  mdb_txn_abort(t);
  return found;
}

void raw_file::put(char const* table, std::string_view key, std::string_view value) {
  MDB_txn* t = nullptr;
  MDB_dbi dbi = 0;
  BOOST_REQUIRE(mdb_txn_begin(environment_, nullptr, 0, &t) == 0);
  BOOST_REQUIRE(mdb_dbi_open(t, table, MDB_CREATE, &dbi) == 0);
  auto k = to_val(key);
  auto v = to_val(value);
  BOOST_REQUIRE(mdb_put(t, dbi, &k, &v, 0) == 0);
  BOOST_REQUIRE(mdb_txn_commit(t) == 0);
}

void raw_file::remove(char const* table, std::string_view key) {
  MDB_txn* t = nullptr;
  MDB_dbi dbi = 0;
  auto k = to_val(key);
  BOOST_REQUIRE(mdb_txn_begin(environment_, nullptr, 0, &t) == 0);
  BOOST_REQUIRE(mdb_dbi_open(t, table, 0, &dbi) == 0);
  BOOST_REQUIRE(mdb_del(t, dbi, &k, nullptr) == 0);
  BOOST_REQUIRE(mdb_txn_commit(t) == 0);
}

void raw_file::drop(char const* table) {
  MDB_txn* t = nullptr;
  MDB_dbi dbi = 0;
  BOOST_REQUIRE(mdb_txn_begin(environment_, nullptr, 0, &t) == 0);
  BOOST_REQUIRE(mdb_dbi_open(t, table, 0, &dbi) == 0);
  BOOST_REQUIRE(mdb_drop(t, dbi, 1) == 0);
  BOOST_REQUIRE(mdb_txn_commit(t) == 0);
}

std::string raw_file::first_key(char const* table) {
  MDB_txn* t = nullptr;
  MDB_dbi dbi = 0;
  MDB_cursor* c = nullptr;
  MDB_val k;
  MDB_val v;
  BOOST_REQUIRE(mdb_txn_begin(environment_, nullptr, MDB_RDONLY, &t) == 0);
  BOOST_REQUIRE(mdb_dbi_open(t, table, 0, &dbi) == 0);
  BOOST_REQUIRE(mdb_cursor_open(t, dbi, &c) == 0);
  BOOST_REQUIRE(mdb_cursor_get(c, &k, &v, MDB_FIRST) == 0);
  std::string const key(static_cast<char const*>(k.mv_data), k.mv_size);
  mdb_cursor_close(c);
  mdb_txn_abort(t);
  return key;
}

std::size_t raw_file::count(char const* table) {
  MDB_txn* t = nullptr;
  MDB_dbi dbi = 0;
  MDB_stat stat{};
  BOOST_REQUIRE(mdb_txn_begin(environment_, nullptr, MDB_RDONLY, &t) == 0);
  if (mdb_dbi_open(t, table, 0, &dbi) == 0) mdb_stat(t, dbi, &stat);
  mdb_txn_abort(t);
  return stat.ms_entries;
}

std::string big_endian(std::uint64_t value) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(value >> shift & 0xFF));
  return bytes;
}

std::string id_key(std::int64_t id) {
  return big_endian(static_cast<std::uint64_t>(id) ^ std::uint64_t{1} << 63);
}

}  // namespace petstore::tests
