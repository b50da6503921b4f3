// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "bare_store.hpp"

#include <boost/endian/conversion.hpp>
#include <stdexcept>

namespace petstore::bench {
namespace {

constexpr std::size_t map_bytes_max = std::size_t{4} << 30;
constexpr unsigned tables_max = 32;
constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
constexpr std::size_t record_header_bytes = 13;
constexpr std::int64_t category = 1;
constexpr char available = 1;

void put(MDB_txn* t, MDB_dbi table, std::string_view k, std::string_view v) {
  MDB_val key{k.size(), const_cast<char*>(k.data())};
  MDB_val value{v.size(), const_cast<char*>(v.data())};
  check(mdb_put(t, table, &key, &value, 0));
}

}  // namespace

void check(int code) {
  if (code != MDB_SUCCESS) throw std::runtime_error(mdb_strerror(code));
}

bare_environment::bare_environment(char const* directory, unsigned flags) {
  check(mdb_env_create(&handle_));
  if ((flags & MDB_RDONLY) == 0) check(mdb_env_set_mapsize(handle_, map_bytes_max));
  check(mdb_env_set_maxdbs(handle_, tables_max));
  check(mdb_env_open(handle_, directory, flags, 0600));
}

bare_environment::~bare_environment() {
  mdb_env_close(handle_);
}

std::string bare_key(std::initializer_list<std::int64_t> numbers, char status) {
  std::string bytes;
  if (status != 0) bytes.push_back(status);
  for (auto const number : numbers) {
    auto const ordered = boost::endian::native_to_big(static_cast<std::uint64_t>(number) ^ sign_bit);
    bytes.append(reinterpret_cast<char const*>(&ordered), sizeof ordered);
  }
  return bytes;
}

bare_writer::bare_writer(char const* directory) : environment_(directory, 0) {
  auto* const t = begin();
  check(mdb_dbi_open(t, "meta", MDB_CREATE, &meta_));
  check(mdb_dbi_open(t, "pets", MDB_CREATE, &pets_));
  check(mdb_dbi_open(t, "pets_by_category", MDB_CREATE, &by_category_));
  check(mdb_dbi_open(t, "pets_by_status", MDB_CREATE, &by_status_));
  check(mdb_dbi_open(t, "pets_by_status_category", MDB_CREATE, &by_status_category_));
  check(mdb_txn_commit(t));
}

void bare_writer::commit(std::size_t animals) {
  auto* const t = begin();
  for (std::size_t i = 0; i < animals; ++i) add(t);
  check(mdb_txn_commit(t));
}

MDB_txn* bare_writer::begin() {
  MDB_txn* t = nullptr;
  check(mdb_txn_begin(environment_.handle(), nullptr, 0, &t));
  return t;
}

void bare_writer::add(MDB_txn* t) {
  auto const id = ++last_id_;
  std::string record(record_header_bytes, '\2');
  record.append(R"({"id":)").append(std::to_string(id)).append(R"(,"name":"Rex","categoryId":1,"status":"available"})");
  put(t, meta_, "last_pet", bare_key({id}));
  put(t, pets_, bare_key({id}), record);
  put(t, by_category_, bare_key({category, id}), {});
  put(t, by_status_, bare_key({id}, available), {});
  put(t, by_status_category_, bare_key({category, id}, available), {});
}

}  // namespace petstore::bench
