// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "database.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "faults.hpp"
#include "petstore/disk/file_descriptor.hpp"

namespace petstore::storage::lmdb {
namespace {

constexpr unsigned readers_max = 1024;  // reading threads of all processes together; 64 bytes of the lock file each

/// On a damaged page LMDB's assertions fail, which would end the process. During a look-up or a change, an exception
/// ends only the transaction instead. (It passes through functions in C, for which compilers for x86-64 and ARM64
/// generate the unwind tables.) A commit lets no exception out, and still ends the process; so may an assertion while a
/// page is split or joined with another.
void on_failed_assertion(MDB_env*, char const* assertion) {
  throw mdb_fault(MDB_CORRUPTED, assertion);
}

/// LMDB maps the list of readers, but makes the file no larger than its nominal size. On a full disk, a signal would
/// end a reader whose slot is on a page that was never written. So this allocates the disk space now, if possible.
void reserve_list_of_readers(std::filesystem::path const& directory) noexcept {
  constexpr off_t head_and_readers = 4096 + off_t{readers_max} * 64;
  // Before LMDB opens the file: closing a file releases every lock that the process holds on it.
  disk::file_descriptor const file(::open((directory / "lock.mdb").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (file.get() >= 0) ::posix_fallocate(file.get(), 0, head_and_readers);
}

}  // namespace

database::database(std::filesystem::path const& path, std::optional<std::size_t> map_bytes_max, unsigned flags) {
  check(mdb_env_create(&handle_), "create an LMDB environment");
  try {
    if (map_bytes_max) {
      auto const page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
      check(mdb_env_set_mapsize(handle_, *map_bytes_max / page * page), "set the size of the map");
    }
    check(mdb_env_set_assert(handle_, on_failed_assertion), "set what a failed assertion does");
    check(mdb_env_set_maxdbs(handle_, table_count), "set the number of tables");
    check(mdb_env_set_maxreaders(handle_, readers_max), "set the number of readers");
    if ((flags & MDB_NOLOCK) == 0) reserve_list_of_readers(path);
    // NOTLS: a read transaction belongs to an object, not to the thread that began it. Neither WRITEMAP (a stray
    // pointer could write into the file) nor NOSYNC (an answer would not mean that the effect is on disk).
    check(mdb_env_open(handle_, path.c_str(), MDB_NOTLS | flags, 0600), "open the file");
    clear_dead_readers();
  } catch (...) {
    mdb_env_close(handle_);
    throw;
  }
}

database::~database() {
  mdb_env_close(handle_);
}

bool database::clear_dead_readers() const noexcept {
  int dead = 0;
  return mdb_reader_check(handle_, &dead) == MDB_SUCCESS && dead != 0;
}

bool database::open_table(MDB_txn* transaction, table t, unsigned flags) {
  int const code = mdb_dbi_open(transaction, name_of(t), flags, &tables_[static_cast<std::size_t>(t)]);
  if (code == MDB_NOTFOUND) return false;
  // In our files LMDB's main database has plain keys; in another program's file it need not have.
  if (code == MDB_INCOMPATIBLE) return false;
  check(code, "open a table");
  return true;
}

}  // namespace petstore::storage::lmdb
