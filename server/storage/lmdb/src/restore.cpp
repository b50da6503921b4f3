// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

#include "check_copy.hpp"
#include "create.hpp"
#include "directory.hpp"
#include "file_copy.hpp"
#include "petstore/storage/lmdb.hpp"
#include "petstore/storage/lmdb_maintenance.hpp"

namespace petstore::storage {
namespace {

using namespace lmdb;
namespace fs = std::filesystem;

/// A file that a server writes to cannot be copied by reading it: a part of it would be of another state. No server
/// starts as long as the descriptor is held.
file_descriptor lock_at_rest(fs::path const& backup) {
  file_descriptor lock(::open((backup / lock_file_name).c_str(), O_RDONLY | O_CLOEXEC));
  if (lock.get() >= 0 && ::flock(lock.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw ports::unavailable_error("a server is using '" + backup.string() + "': restore from a backup of it");
  return lock;
}

void require_no_store(fs::path const& directory) {
  if (prepare_directory(directory, on_absence::create) == store_file::present)
    throw open_error("there is a store in '" + directory.string() + "' already");
}

void copy_if_there(fs::path const& from, fs::path const& to) {
  std::error_code ignored;
  if (!fs::exists(from / data_file_name, ignored)) return;
  make_empty_directory(to);
  copy_whole_file(from / data_file_name, to / data_file_name);
  sync_to_disk(to / data_file_name);
}

}  // namespace

check_summary restore_lmdb_store(fs::path const& backup, fs::path const& directory) {
  if (prepare_directory(backup, on_absence::refuse) == store_file::absent)
    throw open_error("there is no store in '" + backup.string() + "'");
  auto const at_rest = lock_at_rest(backup);
  require_no_store(directory);
  auto const serving = lock_for_serving(directory);

  auto const unfinished = directory / restored_directory_name;
  std::error_code ignored;
  try {
    copy_if_there(backup, unfinished);
    copy_if_there(backup / "quota", unfinished / "quota");
    auto const found = check_copy(unfinished);
    auto const creating = lock_for_creating(directory);
    require_no_store(directory);  // a program of an earlier version may have made one meanwhile
    // The store comes last: without a store, no server uses the quotas, and the next attempt overwrites them.
    if (fs::exists(unfinished / "quota", ignored)) {
      make_empty_directory(directory / "quota");
      rename_to(unfinished / "quota" / data_file_name, directory / "quota" / data_file_name);
      sync_to_disk(directory / "quota");
    }
    sync_to_disk(directory);
    sync_way_to(directory);
    rename_to(unfinished / data_file_name, directory / data_file_name);
    sync_to_disk(directory);
    fs::remove_all(unfinished, ignored);
    return found;
  } catch (...) {
    fs::remove_all(unfinished, ignored);
    throw;
  }
}

}  // namespace petstore::storage
