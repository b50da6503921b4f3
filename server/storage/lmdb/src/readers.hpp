// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <memory>

#include "list_cache.hpp"
#include "transaction.hpp"

namespace petstore::storage::lmdb {

/// A read transaction with its cursors, kept for the next read. Beginning a new one takes the mutex of LMDB's reader
/// table and several allocations. Renewing takes neither, and while nothing is written there is nothing to renew. A
/// reader of the newest state pins no page that a writer could reuse; a parked one pins none at all.
class reader : public transaction {
 public:
  explicit reader(database const&);
  ~reader();

  bool is_of(database const& d) const noexcept { return &database_ == &d; }
  void see_newest();
  void park_if_outdated() noexcept;
  /// Releases all pages. Also called after a fault of LMDB, which leaves its transaction unusable for anything else.
  void park() noexcept;

  lmdb::cursor cursor(table);
  /// Lists of the state that it reads now.
  list_cache& lists() noexcept { return lists_; }

 private:
  bool is_newest() const noexcept;

  bool is_parked_ = false;
  std::array<MDB_cursor*, table_count> cursors_{};
  std::array<bool, table_count> cursor_is_current_{};  ///< renewed since the transaction was renewed
  list_cache lists_;
};

/// Lends readers to threads; a thread usually gets the reader it had before.
///
/// Thread safety: any thread. A thread first tries the slot that its id selects. Two threads with the same slot try
/// other slots; at worst they make another reader, which is destroyed afterwards. No thread waits for another.
class reader_pool {
 public:
  /// The state of an idle reader: it keeps the state that it read, for the next read, until it is parked; or it parks
  /// itself. The former is for the process that writes, the latter for a process that is not notified of commits.
  enum class idle : bool { keeps_state, parks };

  reader_pool(database const& d, idle i) noexcept : database_(&d), idle_(i) {}
  ~reader_pool();

  class loan {
   public:
    explicit loan(reader_pool&);
    ~loan();
    loan(loan const&) = delete;
    loan& operator=(loan const&) = delete;

    reader& operator*() const noexcept { return *reader_; }
    reader* operator->() const noexcept { return reader_.get(); }

   private:
    reader_pool& pool_;
    std::unique_ptr<reader> reader_;
  };

  /// Called after a commit, and now and then because other processes commit, so that a thread that reads no more does
  /// not pin the state that it read last. A reader that is lent at the moment is skipped; the next call finds it.
  void park_outdated() noexcept;

  /// From the next loan on, reads use this database, which has the same file. At most once.
  void move_to(std::unique_ptr<database const>) noexcept;

 private:
  static constexpr std::size_t slot_count = 64;
  static constexpr std::size_t slots_tried = 4;

  struct alignas(64) slot {
    std::atomic<reader*> idle{nullptr};
  };

  static std::unique_ptr<reader> take_from(slot&) noexcept;
  static bool put_into(slot&, std::unique_ptr<reader>&) noexcept;
  std::unique_ptr<reader> take() noexcept;
  void give_back(std::unique_ptr<reader>) noexcept;

  std::atomic<database const*> database_;
  std::unique_ptr<database const> moved_to_;  ///< written once, before database_ points to it
  idle const idle_;
  std::array<slot, slot_count> slots_;
};

}  // namespace petstore::storage::lmdb
