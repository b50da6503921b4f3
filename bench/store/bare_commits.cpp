// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What does LMDB itself make of the commits that the service makes? Puts the records and index entries of animals, as
// ../../server/storage/lmdb/README.md describes them, into a new file in batches of one size, and nothing else: no network,
// no JSON, no thread beside it. Also tells how many transactions a store has seen, from which follows how many writes
// shared one.
#include <lmdb.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace {

using clock_type = std::chrono::steady_clock;

constexpr std::size_t map_bytes_max = std::size_t{4} << 30;
constexpr unsigned tables_max = 8;

void check(int code) {
  if (code != MDB_SUCCESS) throw std::runtime_error(mdb_strerror(code));
}

class environment {
 public:
  environment(char const* directory, unsigned flags) {
    check(mdb_env_create(&handle_));
    check(mdb_env_set_mapsize(handle_, (flags & MDB_RDONLY) != 0 ? 0 : map_bytes_max));
    check(mdb_env_set_maxdbs(handle_, tables_max));
    check(mdb_env_open(handle_, directory, flags, 0600));
  }
  ~environment() { mdb_env_close(handle_); }
  environment(environment const&) = delete;
  environment& operator=(environment const&) = delete;

  MDB_env* handle() const noexcept { return handle_; }

 private:
  MDB_env* handle_ = nullptr;
};

/// A key of big-endian numbers, after a status.
std::string key(std::initializer_list<std::int64_t> numbers, char status = 0) {
  std::string bytes;
  if (status != 0) bytes.push_back(status);
  for (auto const number : numbers) {
    auto const ordered = __builtin_bswap64(static_cast<std::uint64_t>(number) ^ std::uint64_t{1} << 63);
    char eight[sizeof ordered];
    std::memcpy(eight, &ordered, sizeof ordered);
    bytes.append(eight, sizeof eight);
  }
  return bytes;
}

void put(MDB_txn* t, MDB_dbi table, std::string_view k, std::string_view v) {
  MDB_val key{k.size(), const_cast<char*>(k.data())};
  MDB_val value{v.size(), const_cast<char*>(v.data())};
  check(mdb_put(t, table, &key, &value, 0));
}

class bare_store {
 public:
  explicit bare_store(char const* directory) : environment_(directory, 0) {
    MDB_txn* t = begin();
    check(mdb_dbi_open(t, "meta", MDB_CREATE, &meta_));
    check(mdb_dbi_open(t, "pets", MDB_CREATE, &pets_));
    check(mdb_dbi_open(t, "pets_by_category", MDB_CREATE, &by_category_));
    check(mdb_dbi_open(t, "pets_by_status", MDB_CREATE, &by_status_));
    check(mdb_dbi_open(t, "pets_by_status_category", MDB_CREATE, &by_status_category_));
    check(mdb_txn_commit(t));
  }

  void commit(std::size_t animals) {
    MDB_txn* t = begin();
    for (std::size_t i = 0; i < animals; ++i) add(t);
    check(mdb_txn_commit(t));
  }

 private:
  static constexpr std::int64_t category = 1;
  static constexpr char available = 1;
  static constexpr std::size_t record_header_bytes = 13;

  MDB_txn* begin() {
    MDB_txn* t = nullptr;
    check(mdb_txn_begin(environment_.handle(), nullptr, 0, &t));
    return t;
  }

  void add(MDB_txn* t) {
    auto const id = ++last_id_;
    std::string record(record_header_bytes, '\2');
    record.append(R"({"id":)").append(std::to_string(id)).append(R"(,"name":"Rex","categoryId":1,"status":"available"})");
    put(t, meta_, "last_pet", key({id}));
    put(t, pets_, key({id}), record);
    put(t, by_category_, key({category, id}), {});
    put(t, by_status_, key({id}, available), {});
    put(t, by_status_category_, key({category, id}, available), {});
  }

  environment environment_;
  MDB_dbi meta_ = 0;
  MDB_dbi pets_ = 0;
  MDB_dbi by_category_ = 0;
  MDB_dbi by_status_ = 0;
  MDB_dbi by_status_category_ = 0;
  std::int64_t last_id_ = 0;
};

void run(char const* directory, std::size_t batch, double seconds) {
  bare_store store(directory);
  std::uint64_t commits = 0;
  auto const begin = clock_type::now();
  std::chrono::duration<double> passed{};
  for (; passed.count() < seconds; passed = clock_type::now() - begin, ++commits) store.commit(batch);
  auto const writes = static_cast<double>(commits * batch);
  std::cout << "{\"commits\": " << commits << ", \"seconds\": " << passed.count()
            << ", \"writes_per_second\": " << writes / passed.count() << "}\n";
}

void print_last_transaction(char const* directory) {
  environment const file(directory, MDB_RDONLY);
  MDB_envinfo info;
  check(mdb_env_info(file.handle(), &info));
  std::cout << info.me_last_txnid << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 5 && argv[1] == std::string_view{"run"}) {
      run(argv[2], std::stoul(argv[3]), std::stod(argv[4]));
    } else if (argc == 3 && argv[1] == std::string_view{"last-transaction"}) {
      print_last_transaction(argv[2]);
    } else {
      std::cerr << "usage: bare_commits run DIRECTORY WRITES_PER_COMMIT SECONDS\n"
                   "       bare_commits last-transaction DIRECTORY\n";
      return 2;
    }
  } catch (std::exception const& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
