// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "petstore/limits/account.hpp"
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

/// The accounts of identities. The account of a key is looked up once, when the keys are read, and then charged through
/// its address. `async_quota` and a host's own check of keys look an account up for each charge: under the mutex of one
/// of 16 parts, which nothing holds for longer than it takes to note 64 accounts. Identities may be any numbers, also
/// hashes.
///
/// Thread safety: every function from any thread, except `restore_later`, which must be called before the map is
/// shared.
class identities {
 public:
  struct owner {
    explicit owner(std::uint64_t number) : identity{number} {}

    limits::account account;
    limits::plan plan{limits::per_minute(1)};  // under the mutex of its shard
    last_written written;                      // used only by the thread that writes, one at a time
    std::uint64_t resets = 0;                  // does not change once others can find the owner
    owner* newest = nullptr;                   // under the mutex; of the first owner of an identity, after a reset
    std::uint64_t const identity;              // last, so that all fits into 128 bytes

    owner& now() noexcept { return newest ? *newest : *this; }
  };

  /// The rules must outlive the map.
  identities(ports::current_bans const& bans, std::function<limits::instant()> clock);

  /// Stores the state of an identity from the disk. Its account is made when it is first used, since its plan is not
  /// known before.
  void restore_later(std::uint64_t identity, kept_quota const&);

  /// Finds or makes the account, which has this plan from now on (`quota_source::account_of`). It keeps its address as
  /// long as the map lives. What the disk has from before a reset is not restored.
  limits::account& account_of(std::uint64_t identity, limits::plan const&, std::uint64_t resets);
  /// Finds or makes the newest account; does not change its plan.
  limits::account& account_of(std::uint64_t identity);

  /// Visits the newest account of each identity, with its present plan and without a lock.
  void for_each(std::function<void(std::uint64_t identity, owner&, limits::plan const&)> const& visit);

 private:
  struct shard {
    std::mutex mutex;
    std::deque<owner> owners;                                   // they stay, in the order in which they were made
    boost::unordered_flat_map<std::uint64_t, owner*> first_of;  // by identity; null where memory ran out
    std::deque<owner> renewed;  // by resets; also those that newer ones replaced, since requests may still use them
    std::unordered_map<std::uint64_t, kept_quota> saved;
  };

  shard& shard_of(std::uint64_t identity) { return shards_[identity % shards_.size()]; }
  /// Returns the first owner of the identity. `resets` is for one that is made; nullopt: as on the disk.
  owner& find_or_make(shard&, std::uint64_t identity, limits::plan const&, std::optional<std::uint64_t> resets);

  ports::current_bans const& bans_;
  std::function<limits::instant()> const clock_;
  std::array<shard, 16> shards_;
};

}  // namespace petstore::quota
