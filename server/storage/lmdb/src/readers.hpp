// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <memory>

#include "transaction.hpp"

namespace petstore::storage::lmdb {

/// A read transaction with its cursors, kept from one read to the next: beginning one anew takes the mutex of LMDB's
/// reader table and several allocations, renewing takes neither, and as long as nothing was written there is nothing to
/// renew. Seeing the newest state it pins no page that a writer could use again; parked, it pins none at all.
class reader : public transaction {
 public:
  explicit reader(environment const&);
  ~reader();

  bool is_of(environment const& e) const noexcept { return &environment_ == &e; }
  void see_newest();
  void park_if_outdated() noexcept;
  /// Pins nothing any more. Also after a fault of LMDB's, which leaves its transaction unfit for anything but this.
  void park() noexcept;

  lmdb::cursor cursor(table);

 private:
  bool is_newest() const noexcept;

  bool is_parked_ = false;
  std::array<MDB_cursor*, table_count> cursors_{};
  std::array<bool, table_count> cursor_is_current_{};  ///< renewed since the transaction was
};

/// Lends readers to whoever reads, each thread as a rule the one it had before.
///
/// Thread safety: any thread. A thread looks first at the place its id points at; two threads that point at the same
/// one look further, and at worst make a reader more, which is dropped afterwards. No thread waits for another.
class reader_pool {
 public:
  /// What an idle reader does: it keeps the state that it saw, for the next read, until somebody parks it; or it parks
  /// itself. The former is for the process that writes, the latter for one that nobody would wake to park it.
  enum class idle : bool { keeps_state, parks };

  reader_pool(environment const& e, idle i) noexcept : environment_(&e), idle_(i) {}
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

  /// After a commit: a thread that reads no more must not pin the state that it saw last. A reader that is lent just
  /// now is missed, and found by the next commit.
  void park_outdated() noexcept;

  /// From the next loan on, reads go by this one, which sees the same file. At most once.
  void move_to(std::unique_ptr<environment const>) noexcept;

 private:
  static constexpr std::size_t place_count = 64;
  static constexpr std::size_t places_tried = 4;

  struct alignas(64) place {
    std::atomic<reader*> idle{nullptr};
  };

  static std::unique_ptr<reader> take_from(place&) noexcept;
  static bool put_into(place&, std::unique_ptr<reader>&) noexcept;
  std::unique_ptr<reader> take() noexcept;
  void give_back(std::unique_ptr<reader>) noexcept;

  std::atomic<environment const*> environment_;
  std::unique_ptr<environment const> moved_to_;  ///< written once, before environment_ points at it
  idle const idle_;
  std::array<place, place_count> places_;
};

}  // namespace petstore::storage::lmdb
