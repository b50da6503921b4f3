// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "readers.hpp"

#include <bit>
#include <cstdint>

namespace petstore::storage::lmdb {
namespace {

/// Every thread has this variable at an address of its own. The addresses differ by a fixed distance; the
/// multiplication moves the difference into the upper bits.
std::size_t slot_of_this_thread() noexcept {
  thread_local char const here = 0;
  return static_cast<std::size_t>(std::bit_cast<std::uintptr_t>(&here) * std::uint64_t{0x9E37'79B9'7F4A'7C15} >> 58);
}

}  // namespace

reader::reader(database const& d) : transaction(d, begin_reading(d)) {
  park();
}

reader::~reader() {
  for (auto* c : cursors_)
    if (c) mdb_cursor_close(c);
  mdb_txn_abort(handle_);
}

/// Whether there was no commit since. A read sees every acknowledged write of any process: the page that names the
/// newest state is in the shared map before the commit returns.
bool reader::is_newest() const noexcept {
  MDB_envinfo info;
  return mdb_env_info(database_.handle(), &info) == MDB_SUCCESS && info.me_last_txnid == mdb_txn_id(handle_);
}

void reader::see_newest() {
  if (!is_parked_) {
    if (is_newest()) return;
    park();
  }
  check(mdb_txn_renew(handle_), "begin to read");
  is_parked_ = false;
  cursor_is_current_.fill(false);
  lists_.clear();
}

void reader::park_if_outdated() noexcept {
  if (!is_parked_ && !is_newest()) park();
}

void reader::park() noexcept {
  if (is_parked_) return;
  mdb_txn_reset(handle_);
  is_parked_ = true;
}

lmdb::cursor reader::cursor(table t) {
  auto const i = static_cast<std::size_t>(t);
  if (!cursors_[i]) {
    check(mdb_cursor_open(handle_, database_[t], &cursors_[i]), "open a cursor");
  } else if (!cursor_is_current_[i]) {
    check(mdb_cursor_renew(handle_, cursors_[i]), "renew a cursor");
  }
  cursor_is_current_[i] = true;
  return {cursors_[i], t};
}

reader_pool::~reader_pool() {
  for (auto& p : slots_) delete p.idle.load(std::memory_order_acquire);
}

reader_pool::loan::loan(reader_pool& pool) : pool_(pool), reader_(pool.take()) {
  auto const& now = *pool.database_.load(std::memory_order_acquire);
  if (!reader_ || !reader_->is_of(now)) reader_ = std::make_unique<reader>(now);
  reader_->see_newest();
}

reader_pool::loan::~loan() {
  pool_.give_back(std::move(reader_));
}

void reader_pool::move_to(std::unique_ptr<database const> d) noexcept {
  moved_to_ = std::move(d);
  database_.store(moved_to_.get(), std::memory_order_release);
}

void reader_pool::park_outdated() noexcept {
  for (auto& p : slots_) {
    auto r = take_from(p);
    if (!r) continue;
    r->park_if_outdated();
    put_into(p, r);
  }
}

std::unique_ptr<reader> reader_pool::take_from(slot& p) noexcept {
  // Reads before it takes, so that an empty slot is not written to. Acquire: sees the last borrower's changes to the
  // reader.
  if (!p.idle.load(std::memory_order_relaxed)) return nullptr;
  return std::unique_ptr<reader>(p.idle.exchange(nullptr, std::memory_order_acquire));
}

bool reader_pool::put_into(slot& p, std::unique_ptr<reader>& r) noexcept {
  reader* none = nullptr;
  if (!p.idle.compare_exchange_strong(none, r.get(), std::memory_order_release, std::memory_order_relaxed))
    return false;
  r.release();
  return true;
}

std::unique_ptr<reader> reader_pool::take() noexcept {
  auto const first = slot_of_this_thread();
  for (std::size_t i = 0; i < slots_tried; ++i)
    if (auto r = take_from(slots_[(first + i) % slot_count])) return r;
  return nullptr;
}

void reader_pool::give_back(std::unique_ptr<reader> r) noexcept {
  if (idle_ == idle::parks) r->park();
  auto const first = slot_of_this_thread();
  for (std::size_t i = 0; i < slots_tried; ++i)
    if (put_into(slots_[(first + i) % slot_count], r)) return;
}

}  // namespace petstore::storage::lmdb
