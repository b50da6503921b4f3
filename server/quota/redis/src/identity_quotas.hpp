// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "petstore/limits/account.hpp"
#include "quota_names.hpp"
#include "recent_quotas.hpp"
#include "shared_quota.hpp"

namespace petstore::quota {

/// The account that `account_of` returns. Most keys are not used on most nodes, so the shared quota is created when it
/// is first needed.
class identity_account : public limits::account {
 public:
  identity_account(shared_identity const& who, quota_names const& names) : who_(who), names_(names) {}
  ~identity_account() { delete quota_.load(std::memory_order_acquire); }

  std::uint64_t key() const noexcept { return who_.number; }
  shared_quota& quota() {
    shared_quota* known = find_quota();
    if (known != nullptr) return *known;
    auto made = std::make_unique<shared_quota>(names_.key_of(name_of(who_)), *this, shared_quota::owner::identity);
    if (quota_.compare_exchange_strong(known, made.get())) known = made.release();
    return *known;
  }
  shared_quota* find_quota() const noexcept { return quota_.load(std::memory_order_acquire); }

 private:
  friend class identity_quotas;

  std::atomic<shared_quota*> quota_{nullptr};  // owned; never replaced
  shared_identity const who_;
  quota_names const& names_;
  identity_account* newest_ = nullptr;  // of the first account of an identity, after a reset; under the table's mutex

  identity_account& now() noexcept { return newest_ ? *newest_ : *this; }
};

/// The accounts of identities. Those that `account_of` returns are kept: one is looked up once, when keys are read, and
/// then used through a pointer. Others come and go: `pin` finds one for each use, in a table of bounded size
/// (recent_quotas.hpp). When `account_of` comes for one of these, it is moved from the table to the kept ones.
///
/// Invariants:
///  1. An identity has one quota at a time, so it never makes two calls at a time, and a call never claims what another
///     quota of the same identity has taken: an account is made under the mutex of the kept ones, when it is neither
///     kept nor in the table, and is moved under both mutexes.
///  2. An account in the table has no reset: whoever knows of one has called `account_of`.
///
/// Thread safety: any thread. The mutex of a shard is locked after that of the kept ones.
class identity_quotas {
 public:
  /// `others_max`: the number of accounts in the table.
  identity_quotas(std::size_t others_max, quota_names names);

  /// The account after that reset, which begins a new one; after an earlier reset than before: the newest.
  identity_account& account_of(shared_identity const&);
  /// The newest account.
  identity_account& account_of(std::uint64_t identity) { return account_of(shared_identity{identity, 0}); }

  /// Finds or creates the quota of the newest account. Throws boost::system::system_error if the table is full and no
  /// quota can be removed from it, since the server has to be told of each.
  quota::pin pin(std::uint64_t identity);
  /// Finds the same.
  std::optional<quota::pin> find_and_pin(std::uint64_t identity);
  /// Finds the quota with this key on the server.
  std::optional<quota::pin> find_and_pin(std::string_view key);

  /// The number of accounts in the table.
  std::size_t other_count() const;

  /// The parts of the table and of the kept ones, which together have all quotas that this node uses. New parts are
  /// added at the end.
  std::size_t parts() const;
  template <class Visit>
  void visit_part(std::size_t number, Visit const& visit) {
    if (number < shard_count) {
      shards_[number]->visit(visit);
    } else {
      for (shared_quota* const quota : kept_quotas_in(number - shard_count))
        if (quota != nullptr) visit(*quota);
    }
  }

 private:
  static constexpr int shard_bits = 6;
  static constexpr std::size_t shard_count = std::size_t{1} << shard_bits;
  static constexpr std::size_t part_size = 64;

  using shard = recent_shard<std::uint64_t, identity_account>;

  shard& shard_of(std::uint64_t identity) noexcept;
  /// The first account of a kept identity, or null. Under the mutex of the kept ones.
  identity_account* find_kept(std::uint64_t identity) noexcept;
  /// Moves the account from the table to the kept ones, or makes it there.
  identity_account& keep(shared_identity const&);
  std::array<shared_quota*, part_size> kept_quotas_in(std::size_t part);

  quota_names const names_;
  std::vector<std::unique_ptr<shard>> shards_;  // immutable after construction

  mutable std::mutex mutex_;
  // The kept ones, under the mutex.
  std::deque<identity_account> made_;     // also those that newer ones replaced after a reset, since calls may use them
  std::list<identity_account> moved_;     // from the table
  std::deque<identity_account*> firsts_;  // the first of each identity, as they were kept; null where memory ran out
  boost::unordered_flat_map<std::uint64_t, identity_account*> first_of_;  // by identity; null where memory ran out
};

}  // namespace petstore::quota
