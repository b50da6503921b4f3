// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <boost/intrusive/list.hpp>
#include <boost/system/system_error.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "block.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/ports/current_bans.hpp"
#include "petstore/quota/local_quota.hpp"
#include "record.hpp"

namespace petstore::quota {

/// What the disk holds of an account. Most accounts were never charged, so nothing is written of them, and nothing is
/// stored here.
class last_written {
 public:
  last_written& operator=(limits::saved_account const& saved) {
    if (saved == limits::saved_account{})
      something_.reset();
    else
      something_ = std::make_unique<limits::saved_account>(saved);
    return *this;
  }
  friend bool operator==(limits::saved_account const& saved, last_written const& written) {
    return says_the_same(saved, written.something_ ? *written.something_ : limits::saved_account{});
  }

 private:
  std::unique_ptr<limits::saved_account> something_;
};

/// The accounts of identities, which may be any numbers, also hashes. Those of keys are looked up once and keep their
/// address as long as the map lives. Any other is found for each use, under the mutex of one of 16 parts, and is
/// forgotten once nothing of it counts any more; their number is bounded. Nothing holds a mutex for longer than it
/// takes to look at 64 accounts.
///
/// Invariants:
///  1. An account that is not kept is used only under the mutex of its part, and forgotten only under it. So no charge
///     goes to an account that is forgotten at the same time.
///  2. With a writer, only `for_each` forgets, and only one thread calls it at a time. So what it visits without a lock
///     exists until it returns, and until the next call, unless the visitor returned that it may go.
///
/// Thread safety: every function from any thread, except `restore_later`, which must be called before the map is
/// shared, and `for_each`.
class identities {
 public:
  struct owner {
    explicit owner(std::uint64_t number) : identity{number} {}

    limits::account account;
    limits::plan plan{limits::per_minute(1)};  // under the mutex of its shard
    last_written written;                      // used only by the thread that writes, one at a time
    std::uint64_t resets = 0;                  // does not change once others can find the owner
    owner* newest = nullptr;                   // under the mutex; of the first owner of an identity, after a reset
    std::uint64_t const identity;
    std::uint32_t second = 0;  // of the boot clock, under the mutex: when it was last found; after a reset, that one
    bool is_kept = false;      // under the mutex; last, so that all fits into 128 bytes

    owner& now() noexcept { return newest ? *newest : *this; }
  };
  /// An account that is visited.
  struct visited {
    identities::owner* owner;
    limits::plan plan;
    bool is_kept;
  };

  /// When accounts are forgotten: when a writer visits them, or when a new account is made, which looks at some others.
  enum class forgetting { by_visits, by_new_ones };

  /// The rules must outlive the map. `most` bounds the accounts that are not kept.
  identities(ports::current_bans const& bans, std::function<limits::instant()> clock, forgetting how, std::size_t most);

  /// Stores the state of an identity from the disk. Its account is made when it is first used, since its plan is not
  /// known before.
  void restore_later(std::uint64_t identity, kept_quota const&);

  /// Finds or makes the account, which has this plan from now on (`quota_source::account_of`). It keeps its address as
  /// long as the map lives. What the disk has from before a reset is not restored.
  limits::account& account_of(std::uint64_t identity, limits::plan const&, std::uint64_t resets);
  /// Finds or makes the newest account, which keeps its address; does not change its plan.
  limits::account& account_of(std::uint64_t identity);

  /// Finds or makes the newest account, which has this plan from now on, and calls `use(account)` under the mutex.
  /// Throws boost::system::system_error (no_buffer_space) when there is no place for a new one.
  template <class Use>
  auto use(std::uint64_t identity, limits::plan const& plan, limits::instant now, Use use) {
    shard& s = shard_of(identity);
    std::lock_guard const lock(s.mutex);
    owner& first = find_or_admit(s, identity, plan);
    first.second = second_of(now);
    first.now().plan = plan;
    return use(first.now().account);
  }
  /// The same, but where there is no place, `look` gets an account that is not remembered.
  template <class Look>
  auto look_at(std::uint64_t identity, limits::plan const& plan, limits::instant now, Look look) {
    try {
      return use(identity, plan, now, look);
    } catch (boost::system::system_error const&) {
      limits::account unused;
      return look(unused);
    }
  }
  /// Finds or makes the account that was charged at that time, and calls `use(account)` under the mutex. If a reset has
  /// replaced it, or may have, `use` gets the first account of the identity: a replaced account decides on no later
  /// request, so it may be any of these.
  template <class Use>
  auto use_charged(std::uint64_t identity, limits::plan const& plan, limits::instant charged_at, Use use) {
    shard& s = shard_of(identity);
    std::lock_guard const lock(s.mutex);
    owner& first = find_or_make(s, identity, plan, std::nullopt);
    bool const is_first = first.newest && second_of(charged_at) <= first.newest->second;
    return use(is_first ? first.account : first.now().account);
  }

  /// Visits the newest account of each identity without a lock. Forgets those for which `visit` returns true, unless
  /// they were used meanwhile or are kept.
  void for_each(std::function<bool(visited const&)> const& visit);

  /// Looks at some of the states from the disk that no account was made of yet, and forgets those for which
  /// `is_useless` returns true. After some calls it has looked at all of them. `is_useless` is called under a mutex.
  void forget_stored(std::function<bool(std::uint64_t identity, limits::saved_account const&)> const& is_useless);

  /// Whether a new account would decide in the same way. An aligned period counts for an hour longer, since the wall
  /// clock may be set back.
  static bool counts_nothing(limits::saved_account const&, limits::instant now) noexcept;

 private:
  struct shard {
    std::mutex mutex;
    std::vector<std::unique_ptr<block<owner>>> blocks;          // the first owner of each identity
    boost::intrusive::list<block<owner>> open;                  // the blocks with a free place
    boost::unordered_flat_map<std::uint64_t, owner*> first_of;  // by identity; null where memory ran out
    std::deque<owner> renewed;  // by resets; also those that newer ones replaced, since requests may still use them
    std::unordered_map<std::uint64_t, kept_quota> saved;  // only loses some, once the map is shared
    std::size_t bucket = 0;                               // of `saved`, which is looked at next
    std::size_t hand = 0;                                 // new accounts look at the places before it next
  };

  static std::uint32_t second_of(limits::instant t) noexcept {
    return static_cast<std::uint32_t>(t.boot.time_since_epoch() / std::chrono::seconds{1});
  }
  shard& shard_of(std::uint64_t identity) { return shards_[identity % shards_.size()]; }
  /// Returns the first owner of the identity. `resets` is for one that is made; nullopt: as on the disk.
  owner& find_or_make(shard&, std::uint64_t identity, limits::plan const&, std::optional<std::uint64_t> resets);
  /// The same, but makes none when there is no place.
  owner& find_or_admit(shard&, std::uint64_t identity, limits::plan const&);
  bool is_full() const noexcept { return not_kept_.load(std::memory_order_relaxed) >= most_; }
  void keep(owner&) noexcept;
  owner& make(shard&, std::uint64_t identity);
  /// Forgets the account in a place of a block, unless it is kept, was reset, was used lately or still counts
  /// something. If the block is empty then, the last block takes its place.
  void forget_if_unused(shard&, std::size_t block, std::size_t place, limits::instant now);
  void forget_some(shard&, limits::instant now);

  ports::current_bans const& bans_;
  std::function<limits::instant()> const clock_;
  forgetting const how_;
  std::size_t const most_;
  std::atomic<std::size_t> not_kept_{0};  ///< the accounts that are not kept
  std::array<shard, 16> shards_;
};

}  // namespace petstore::quota
