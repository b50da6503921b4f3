// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "faults.hpp"

#include <lmdb.h>

#include <cerrno>

namespace petstore::storage::lmdb {

mdb_fault::mdb_fault(int code, std::string const& doing)
    : std::runtime_error(doing + ": " + mdb_strerror(code)), code_(code) {}

void check(int code, char const* doing) {
  if (code != MDB_SUCCESS) throw mdb_fault(code, doing);
}

bool is_damage(int code) noexcept {
  return code == MDB_CORRUPTED || code == MDB_PAGE_NOTFOUND || code == MDB_CURSOR_FULL;
}

bool is_lack_of_space(int code) noexcept {
  switch (code) {
    case MDB_MAP_FULL:
    case MDB_TXN_FULL:
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case ENOMEM: return true;
    default: return false;
  }
}

error describe_fault(mdb_fault const& f) {
  // READERS_FULL: more processes and threads read than the lock file has slots for. MAP_RESIZED: another process has a
  // larger map and filled it beyond the size of this one's.
  bool const may_pass = is_lack_of_space(f.code()) || f.code() == MDB_READERS_FULL || f.code() == MDB_MAP_RESIZED;
  return {.code = may_pass ? errc::unavailable : errc::internal, .message = {}, .cause = f.what()};
}

error describe_fault(reading_too_long const& f) {
  return {.code = errc::unavailable, .message = {}, .cause = f.what()};
}

error describe_fault(damaged_record const& f) {
  return {.code = errc::internal, .message = {}, .cause = f.what()};
}

}  // namespace petstore::storage::lmdb
