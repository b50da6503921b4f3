// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "open.hpp"

#include <chrono>
#include <string>

#include "upgrade.hpp"
#include "write_transaction.hpp"

namespace petstore::storage::lmdb {
namespace {

[[noreturn]] void refuse(lmdb_options const& options, std::string_view cause) {
  throw open_error("cannot open the store in '" + options.directory.string() + "': " + std::string{cause});
}

/// What a file says of itself before its tables are opened.
enum class contents { nothing, ours, foreign };

class read_only : public transaction {
 public:
  explicit read_only(environment& e) : transaction(e, begin(e)), opening_(e) {}
  ~read_only() {
    if (handle_) mdb_txn_abort(handle_);
  }

  contents look() {
    MDB_dbi main = 0;
    check(mdb_dbi_open(handle_, nullptr, 0, &main), "open the main database");
    MDB_stat stat;
    check(mdb_stat(handle_, main, &stat), "count tables");
    if (stat.ms_entries == 0) return contents::nothing;
    if (!opening_.open_table(handle_, table::meta, 0)) return contents::foreign;
    return find(table::meta, meta::magic) ? contents::ours : contents::foreign;
  }

  /// false: one is missing.
  bool open_every_table() {
    for (std::size_t i = 0; i < table_count; ++i)
      if (!opening_.open_table(handle_, static_cast<table>(i), 0)) return false;
    return true;
  }

  /// Keeps the handles of the tables.
  void commit() { check(mdb_txn_commit(std::exchange(handle_, nullptr)), "keep the tables open"); }

 private:
  static MDB_txn* begin(environment const& e) {
    MDB_txn* handle = nullptr;
    check(mdb_txn_begin(e.handle(), nullptr, MDB_RDONLY, &handle), "begin to read");
    return handle;
  }

  environment& opening_;
};

std::optional<petstore::environment> kind_of_new(lmdb_options const& options) {
  return options.environment ? options.environment : options.environment_if_new;
}

void create(environment& e, petstore::environment kind) {
  write_transaction t(e);
  for (std::size_t i = 0; i < table_count; ++i) t.open_table(e, static_cast<table>(i));
  if (t.find(table::meta, meta::magic)) return;  // another process was quicker
  auto const now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  t.put(table::meta, meta::magic, meta::magic);
  t.put_meta(meta::format, format_version);
  t.put_meta(meta::environment, static_cast<std::uint64_t>(kind));
  t.put_meta(meta::created_at, static_cast<std::uint64_t>(now.time_since_epoch().count()));
  check(t.commit(), "create the tables");
}

/// Brings an older file up to date. A tool does so only when no server is at work on it, which might be an older one.
void bring_up_to_date(environment& e, lmdb_options const& options, std::uint64_t format) {
  if (format == format_version) return;
  if (format > format_version || format == 0)
    refuse(options, "its format is " + std::to_string(format) +
                        ", written by a newer version of this program, which knows formats up to " +
                        std::to_string(format_version));
  file_descriptor alone;
  if (!options.serve) alone = lock_for_serving(options.directory);
  auto const now_in = upgrade(e);
  if (options.report)
    options.report("store_upgraded", "the store in '" + options.directory.string() + "' was upgraded from format " +
                                         std::to_string(format) + " to " + std::to_string(now_in));
}

petstore::environment check_kind(lmdb_options const& options, std::uint64_t stored) {
  auto const kind = static_cast<petstore::environment>(stored);
  if (to_string(kind).empty()) refuse(options, "it does not say which environment it belongs to");
  if (options.environment && *options.environment != kind)
    refuse(options, "it belongs to the environment " + std::string{to_string(kind)} + ", not to " +
                        std::string{to_string(*options.environment)});
  return kind;
}

petstore::environment open_tables(environment& e, lmdb_options const& options) {
  auto found = read_only(e).look();
  if (found == contents::foreign) refuse(options, "its data.mdb was made by another program");
  if (found == contents::nothing) {
    auto const kind = kind_of_new(options);
    if (!kind) refuse(options, "there is no store in it");
    create(e, *kind);
  }
  std::uint64_t format = 0;
  std::uint64_t kind = 0;
  {
    read_only t(e);
    t.look();
    format = t.meta_number(meta::format);
    kind = t.meta_number(meta::environment);
    t.commit();
  }
  auto const checked_kind = check_kind(options, kind);
  bring_up_to_date(e, options, format);
  read_only t(e);
  if (!t.open_every_table()) refuse(options, "a table is missing: the file is damaged");
  t.commit();
  return checked_kind;
}

std::string describe(mdb_fault const& f) {
  switch (f.code()) {
    case MDB_INVALID: return "its data.mdb is not an LMDB file, or its head is damaged";
    case MDB_VERSION_MISMATCH: return "its data.mdb or lock.mdb was made by another version of LMDB";
    default: return f.what();
  }
}

}  // namespace

opened open(lmdb_options const& options) {
  auto const file =
      prepare_directory(options.directory, kind_of_new(options) ? on_absence::create : on_absence::refuse);
  bool const keeps_size = !options.serve && file == store_file::present;
  opened store;
  if (options.serve) store.serving = lock_for_serving(options.directory);
  try {
    store.environment = std::make_unique<environment>(options.directory,
                                                      keeps_size ? std::nullopt : std::optional{options.map_bytes_max});
    store.kind = open_tables(*store.environment, options);
  } catch (mdb_fault const& f) {
    refuse(options, describe(f));
  } catch (damaged_record const& f) {
    refuse(options, f.what());
  }
  return store;
}

}  // namespace petstore::storage::lmdb
