// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "petstore/limits/account.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/ports/current_bans.hpp"

namespace petstore::quota {

/// What the disk holds of an account. Most accounts have never been charged, so nothing is written of them, and nothing
/// kept here.
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
    return saved == (written.something_ ? *written.something_ : limits::saved_account{});
  }

 private:
  std::unique_ptr<limits::saved_account> something_;
};

/// The accounts of identities. An account is found once, when the keys are read, and then charged through its address,
/// so this map is on no request's path and plain mutexes do.
///
/// Thread safety: every function from any thread, but `restore_later` only before the map is shared.
class identities {
 public:
  struct owner {
    limits::account account;
    limits::plan plan{.per_minute = 1};  // under the mutex of its shard
    last_written written;                // touched by whoever writes, one at a time
  };

  /// The rules outlive the map.
  identities(ports::current_bans const& bans, std::function<limits::instant()> clock);

  /// What the disk holds of an identity; its account is made when it is first asked for, since only then is its plan
  /// known.
  void restore_later(std::uint64_t identity, limits::saved_account const&);

  /// Found or made, under this plan from now on. Stays where it is as long as the map lives.
  limits::account& account_of(std::uint64_t identity, limits::plan const&);
  /// Found or made, its plan left alone.
  limits::account& account_of(std::uint64_t identity);

  void for_each(std::function<void(std::uint64_t identity, owner&)> const& visit);

 private:
  /// Identities are numbered one after the other, so neighbours live together: a node of their own for each would cost
  /// more than the account.
  static constexpr std::size_t block_size = 64;
  struct block {
    std::array<owner, block_size> owners;
    std::bitset<block_size> made;
  };
  struct shard {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, std::unique_ptr<block>> blocks;  // by the number of the block
    std::unordered_map<std::uint64_t, limits::saved_account> saved;
  };

  shard& shard_of(std::uint64_t identity) { return shards_[identity / block_size % shards_.size()]; }
  owner& find_or_make(shard&, std::uint64_t identity, limits::plan const&);

  ports::current_bans const& bans_;
  std::function<limits::instant()> const clock_;
  std::array<shard, 16> shards_;  // so that a writer that looks through all of them holds nobody up for long
};

}  // namespace petstore::quota
