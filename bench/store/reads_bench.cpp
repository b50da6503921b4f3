// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.

// What do reads of the store cost, compared with their look-ups in LMDB? Both read a file with the same 100,000 animals
// and copy their JSON into a string that is reused. The baseline renews and resets one transaction and follows the
// index, if the list has one, to each record; it checks neither checksums nor errors. A read of one animal reads
// another one each time. A page has 20 animals; pages from the start of the list or from its middle are read in turn,
// so many that the store keeps none of them (list_cache).

#include <benchmark/benchmark.h>

#include <array>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bare_store.hpp"
#include "filled_shop.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::bench {
namespace {

constexpr std::uint32_t page = 20;
constexpr std::int64_t pages_in_turn = 1'000;
constexpr std::int64_t a_category = 7;
constexpr std::size_t record_header_bytes = 13;

/// Ids from everywhere in the shop.
class random_ids {
 public:
  explicit random_ids(int seed) noexcept : state_(static_cast<std::uint64_t>(seed) * 2 + 1) {}
  std::int64_t next() noexcept {
    state_ = state_ * 6'364'136'223'846'793'005u + 1'442'695'040'888'963'407u;
    return static_cast<std::int64_t>((state_ >> 33) % filled_shop::animal_count) + 1;
  }

 private:
  std::uint64_t state_;
};

/// The ids before many pages, in turn.
class page_starts {
 public:
  explicit page_starts(std::int64_t first) noexcept : first_(first) {}
  std::int64_t next() noexcept {
    auto const after = first_ + turn_ * page;
    turn_ = (turn_ + 1) % pages_in_turn;
    return after;
  }

 private:
  std::int64_t first_;
  std::int64_t turn_ = 0;
};

/// One transaction and its cursors, for one thread.
class bare_reader {
 public:
  explicit bare_reader(bare_environment const& e) {
    check(mdb_txn_begin(e.handle(), nullptr, MDB_RDONLY, &transaction_));
  }
  ~bare_reader() {
    for (auto* c : cursors_)
      if (c) mdb_cursor_close(c);
    mdb_txn_abort(transaction_);
  }
  bare_reader(bare_reader const&) = delete;
  bare_reader& operator=(bare_reader const&) = delete;

  void renew() {
    mdb_txn_reset(transaction_);
    check(mdb_txn_renew(transaction_));
  }
  MDB_txn* handle() const noexcept { return transaction_; }
  MDB_cursor* cursor(std::size_t place, MDB_dbi table) {
    auto*& c = cursors_[place];
    if (c) {
      check(mdb_cursor_renew(transaction_, c));
    } else {
      check(mdb_cursor_open(transaction_, table, &c));
    }
    return c;
  }

 private:
  MDB_txn* transaction_ = nullptr;
  std::array<MDB_cursor*, 2> cursors_{};
};

/// Two files with the same animals: a process may open each only once.
class shops {
 public:
  shops() {
    fill(*open_shop(directory_ / "store"));
    std::filesystem::create_directory(directory_ / "bare");
    std::filesystem::copy(directory_ / "store" / "data.mdb", directory_ / "bare");
    store = open_shop(directory_ / "store");
    bare.emplace((directory_ / "bare").c_str(), static_cast<unsigned>(MDB_NOTLS));
  }

  MDB_dbi table(char const* name) const {
    MDB_txn* t = nullptr;
    MDB_dbi handle = 0;
    check(mdb_txn_begin(bare->handle(), nullptr, MDB_RDONLY, &t));
    check(mdb_dbi_open(t, name, 0, &handle));
    check(mdb_txn_commit(t));
    return handle;
  }

 private:
  tests::temporary_directory directory_;

 public:
  std::unique_ptr<ports::store> store;
  std::optional<bare_environment> bare;
};

void copy_content(MDB_val const& record, std::string& json) {
  json.append(static_cast<char const*>(record.mv_data) + record_header_bytes, record.mv_size - record_header_bytes);
}

void get_bare(benchmark::State& state, bare_environment const& e, MDB_dbi pets) {
  bare_reader reader(e);
  random_ids ids(state.thread_index());
  std::string json;
  for (auto _ : state) {
    json.clear();
    reader.renew();
    auto id = bare_key({ids.next()});
    MDB_val key{id.size(), id.data()};
    MDB_val record;
    check(mdb_get(reader.handle(), pets, &key, &record));
    copy_content(record, json);
    benchmark::DoNotOptimize(json.data());
  }
}

void get_from_store(benchmark::State& state, ports::store& store) {
  random_ids ids(state.thread_index());
  std::string json;
  for (auto _ : state) {
    json.clear();
    auto tag = store.read(record_kind::pet, ids.next(), json).take();
    if (!tag) throw std::runtime_error("an animal is missing");
    benchmark::DoNotOptimize(json.data());
  }
}

/// Pages of a list: the query for the store, and the position for LMDB.
struct wanted_pages {
  char const* name;
  list_query query;    ///< for the first of the pages
  char const* index;   ///< null: the list is the table itself
  std::string prefix;  ///< the prefix of the index entries
};

std::string first_key(wanted_pages const& p, std::int64_t after) {
  return p.prefix + bare_key({after + 1});
}

void list_bare(benchmark::State& state, bare_environment const& e, MDB_dbi pets, MDB_dbi index, wanted_pages const& p) {
  bare_reader reader(e);
  page_starts starts(p.query.after);
  std::string json;
  for (auto _ : state) {
    json.assign(1, '[');
    reader.renew();
    auto* const entries = reader.cursor(0, index);
    auto* const records = index == pets ? nullptr : reader.cursor(1, pets);
    auto from = first_key(p, starts.next());
    MDB_val key{from.size(), from.data()};
    MDB_val record;
    int code = mdb_cursor_get(entries, &key, &record, MDB_SET_RANGE);
    for (std::uint32_t i = 0; i < page && code == MDB_SUCCESS; ++i) {
      if (records) {
        MDB_val id{sizeof(std::int64_t), static_cast<char*>(key.mv_data) + key.mv_size - sizeof(std::int64_t)};
        check(mdb_cursor_get(records, &id, &record, MDB_SET));
      }
      copy_content(record, json);
      json.push_back(',');
      code = mdb_cursor_get(entries, &key, &record, MDB_NEXT);
    }
    json.back() = ']';
    benchmark::DoNotOptimize(json.data());
  }
}

void list_from_store(benchmark::State& state, ports::store& store, wanted_pages const& p) {
  page_starts starts(p.query.after);
  list_query query = p.query;
  std::string json;
  for (auto _ : state) {
    json.clear();
    query.after = starts.next();
    auto end = store.list(query, json).take();
    if (!end || end->count != page) throw std::runtime_error("a page is not full");
    benchmark::DoNotOptimize(json.data());
  }
}

std::array<wanted_pages, 7> pages() {
  constexpr auto middle = filled_shop::animal_count / 2;
  constexpr auto pending = pet_status::pending;
  auto const status = std::string(1, static_cast<char>(pending));
  auto const category = bare_key({a_category});
  auto const query = [](std::optional<pet_status> s, std::optional<std::int64_t> c, std::int64_t after) {
    return list_query{.filters = pet_filters(s, c), .after = after, .limit = page};
  };
  return {{
      {"all/first", query({}, {}, 0), nullptr, {}},
      {"all/middle", query({}, {}, middle), nullptr, {}},
      {"status/first", query(pending, {}, 0), "pets_by_status", status},
      {"status/middle", query(pending, {}, middle), "pets_by_status", status},
      {"category/first", query({}, a_category, 0), "pets_by_category", category},
      {"category/middle", query({}, a_category, middle), "pets_by_category", category},
      {"status_and_category/middle", query(pending, a_category, middle), "pets_by_status_category", status + category},
  }};
}

void run_with_one_and_two_threads(std::string const& name, auto function) {
  benchmark::RegisterBenchmark(name.c_str(), function)->ThreadRange(1, 2)->UseRealTime();
}

void register_all(shops const& s, std::array<wanted_pages, 7> const& all) {
  auto const pets = s.table("pets");
  run_with_one_and_two_threads("get/baseline", [&s, pets](auto& state) { get_bare(state, *s.bare, pets); });
  run_with_one_and_two_threads("get/store", [&s](auto& state) { get_from_store(state, *s.store); });
  for (auto const& p : all) {
    auto const index = p.index ? s.table(p.index) : pets;
    std::string const name = std::string("list/") + p.name;
    run_with_one_and_two_threads(name + "/baseline",
                                 [&s, pets, index, &p](auto& state) { list_bare(state, *s.bare, pets, index, p); });
    run_with_one_and_two_threads(name + "/store", [&s, &p](auto& state) { list_from_store(state, *s.store, p); });
  }
}

}  // namespace
}  // namespace petstore::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  petstore::bench::shops const shops;
  auto const pages = petstore::bench::pages();
  petstore::bench::register_all(shops, pages);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
