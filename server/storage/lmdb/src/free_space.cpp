// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "free_space.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include "faults.hpp"

namespace petstore::storage::lmdb {
namespace {

constexpr std::size_t reserve_max = 256;      // pages: several times what a removal takes from trees of five levels
constexpr std::size_t part_in_reserve = 4;    // of a small map, in which this is less
constexpr std::size_t writes_in_reserve = 8;  // one write takes an eighth of it at most
constexpr std::size_t long_ago = 16;          // transactions; a short read is never that far behind

MDB_dbi const free_list = 0;  // LMDB's own table: number of a transaction, and the pages that it freed

MDB_envinfo info_of(database const& d) {
  MDB_envinfo info;
  check(mdb_env_info(d.handle(), &info), "look at the map");
  return info;
}

std::size_t pages_of_map(database const& d) {
  MDB_stat stat;
  check(mdb_env_stat(d.handle(), &stat), "look at the map");
  return info_of(d).me_mapsize / stat.ms_psize;
}

struct reader_slot {
  int process = 0;
  std::size_t transaction = 0;
};

/// The reader of the oldest state. LMDB reports readers as lines of text: process, thread, transaction.
reader_slot oldest_reader(database const& d) {
  reader_slot oldest{.process = 0, .transaction = std::numeric_limits<std::size_t>::max()};
  auto const take_line = [](char const* line, void* out) {
    auto& best = *static_cast<reader_slot*>(out);
    reader_slot one;
    bool const reads = std::sscanf(line, "%d %*x %zu", &one.process, &one.transaction) == 2;
    if (reads && one.transaction < best.transaction) best = one;
    return 0;
  };
  mdb_reader_list(d.handle(), take_line, &oldest);
  return oldest;
}

struct end_transaction {
  void operator()(MDB_txn* t) const noexcept { mdb_txn_abort(t); }
};
struct close_cursor {
  void operator()(MDB_cursor* c) const noexcept { mdb_cursor_close(c); }
};

/// The number of pages that transactions before `end` have freed.
std::size_t free_pages(database const& d, std::size_t end, std::size_t enough) {
  MDB_txn* t = nullptr;
  check(mdb_txn_begin(d.handle(), nullptr, MDB_RDONLY, &t), "look at the free pages");
  std::unique_ptr<MDB_txn, end_transaction> const ends(t);
  MDB_cursor* c = nullptr;
  check(mdb_cursor_open(t, free_list, &c), "look at the free pages");
  std::unique_ptr<MDB_cursor, close_cursor> const closes(c);

  std::size_t pages = 0;
  MDB_val key;
  MDB_val value;
  while (pages < enough && mdb_cursor_get(c, &key, &value, MDB_NEXT) == MDB_SUCCESS) {
    std::size_t freed_by = 0;
    std::size_t count = 0;  // the first word of the value, before the page numbers
    if (key.mv_size != sizeof freed_by || value.mv_size < sizeof count) break;
    std::memcpy(&freed_by, key.mv_data, sizeof freed_by);
    std::memcpy(&count, value.mv_data, sizeof count);
    if (freed_by >= end) break;
    pages += count;
  }
  return pages;
}

}  // namespace

std::size_t pages_left(database const& d, std::size_t enough) {
  auto const info = info_of(d);
  auto const used = info.me_last_pgno + 1;
  auto const in_map = pages_of_map(d);
  auto const never_used = in_map > used ? in_map - used : 0;
  if (never_used >= enough) return never_used;
  // The pages that the newest transaction freed belong to the state before it, which is kept in case the next one
  // fails.
  auto const end = std::min(oldest_reader(d).transaction, info.me_last_txnid);
  return never_used + free_pages(d, end, enough - never_used);
}

ports::store_space space_of(database const& d) {
  MDB_stat stat;
  check(mdb_env_stat(d.handle(), &stat), "look at the map");
  std::uint64_t const page_bytes = stat.ms_psize;
  auto const pages = pages_of_map(d);
  return {.used_bytes = page_bytes * (pages - std::min(pages, pages_left(d))), .max_bytes = page_bytes * pages};
}

std::size_t pages_in_reserve(database const& d) {
  return std::min(reserve_max, pages_of_map(d) / part_in_reserve);
}

std::size_t pages_per_write(database const& d) {
  return pages_in_reserve(d) / writes_in_reserve;
}

bool has_space_again(database const& d) {
  auto const wanted = pages_in_reserve(d) + 2 * pages_per_write(d);
  return pages_left(d, wanted) >= wanted;
}

void reading_allowance::check() {
  auto const newest = info_of(database_).me_last_txnid;
  if (std::exchange(newest_seen_, newest) == newest) return;
  auto const limit = left_at_begin_ / 2;
  if (pages_left(database_, limit) < limit)
    throw reading_too_long(
        "it took so long that what was written meanwhile used up half of the room; start again, or when less is "
        "written");
}

std::string describe_long_reader(database const& d) {
  auto const oldest = oldest_reader(d);
  auto const newest = info_of(d).me_last_txnid;
  if (oldest.process == 0 || newest < oldest.transaction + long_ago) return {};
  return "; process " + std::to_string(oldest.process) + " reads a state that is " +
         std::to_string(newest - oldest.transaction) + " transactions old, so that what they freed cannot be used";
}

}  // namespace petstore::storage::lmdb
