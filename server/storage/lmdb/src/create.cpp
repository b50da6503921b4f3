// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "create.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>

#include "petstore/disk/sync.hpp"
#include "write_transaction.hpp"

namespace petstore::storage::lmdb {
namespace {

namespace fs = std::filesystem;

}  // namespace

file_descriptor lock_for_creating(fs::path const& directory) {
  file_descriptor lock(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock.get() < 0 || ::flock(lock.get(), LOCK_EX) != 0)
    throw_refusal(directory, "it cannot be locked: ", {errno, std::generic_category()});
  return lock;
}

void create_store(lmdb_options const& options, petstore::environment environment) {
  auto const& directory = options.directory;
  auto const lock = lock_for_creating(directory);
  std::error_code failure;
  auto const file = directory / data_file_name;
  if (auto const size = fs::file_size(file, failure); !failure && size != 0) return;
  require_no_restore(directory, options.serve ? serving_lock::of_this_process : serving_lock::of_others);

  auto const unfinished = directory / unfinished_file_name;
  fs::remove(unfinished, failure);
  {
    // Nothing else uses the file yet, so it needs no lock file.
    database d(unfinished, options.map_bytes_max, MDB_NOSUBDIR | MDB_NOLOCK);
    create_tables(d, environment);
  }
  sync_way_to(directory);
  fs::rename(unfinished, file, failure);
  if (failure) throw_refusal(directory, "its file cannot be named: ", failure);
}

void create_tables(database& d, petstore::environment environment) {
  write_transaction t(d);
  for (std::size_t i = 0; i < table_count; ++i) t.open_table(d, static_cast<table>(i));
  if (t.find(table::meta, meta::magic)) return;  // another process has created the store
  auto const now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  t.put(table::meta, meta::magic, meta::magic);
  t.put_meta(meta::format, format_version);
  t.put_meta(meta::environment, static_cast<std::uint64_t>(environment));
  t.put_meta(meta::created_at, static_cast<std::uint64_t>(now.time_since_epoch().count()));
  check(t.commit(), "create the tables");
}

void sync_names(fs::path const& directory) {
  if (auto const failure = disk::sync_names(directory)) throw_refusal(directory, "it cannot be synced: ", failure);
}

void sync_way_to(fs::path const& directory) {
  auto const way = fs::canonical(directory);
  for (auto at = way; at != at.root_path(); at = at.parent_path()) sync_names(at.parent_path());
}

}  // namespace petstore::storage::lmdb
