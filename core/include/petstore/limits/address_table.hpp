// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "petstore/export.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/address.hpp"

namespace petstore::limits {

/// The accounts of clients without a valid key, by address: a table of bounded size. It evicts an entry only if the
/// account is forgettable under every plan, so that eviction never grants quota. While no entry can be evicted, new
/// addresses share overflow accounts (chosen by a keyed hash of the address).
///
/// Thread safety: every member may be called from any thread at any time.
class PETSTORE_EXPORT address_table {
 public:
  /// `capacity_max`: the number of accounts, rounded up to a power of two. `seed` keys the hash: an attacker must not
  /// be able to guess it (random_seed in keyed_hash.hpp).
  address_table(std::size_t capacity_max, std::uint64_t seed);
  ~address_table();

  /// Like `account::charge`, for the account of that address. Makes the account if there is none; throws std::bad_alloc
  /// if there is no memory for it, and then takes nothing.
  [[nodiscard]] verdict charge(address const& whose, plan const& p, ban_policy const& bans, instant now) {
    return charge(whose, p, bans, 1, now);
  }
  /// The same for more than one token.
  [[nodiscard]] verdict charge(address const&, plan const&, ban_policy const&, cost, instant);
  [[nodiscard]] verdict observe(address const&, plan const&, instant) const;  ///< makes no entry
  /// Like `account::refund`. After an eviction there is nothing to give back, since the account was full. Once a part
  /// of the table has been full, only a verdict that took nothing is noticed as a mistake there.
  verdict refund(address const&, verdict const& charged, plan const&, instant);

  /// For persistence: calls back for every entry that is not forgettable under every plan, without a lock. While others
  /// charge, an address may be called back twice, first with its older state.
  void for_each(plan const&, instant, std::function<void(address const&, saved_account const&)> const&) const;
  /// The inverse of `for_each`, like `account::restore`. An address that has an account keeps it, and one that does not
  /// fit into the table is left out; then it returns false. Throws like `charge`.
  bool restore(address const&, saved_account const&, plan const&, ban_policy const&, instant);

  /// The number of accounts now, without the overflow accounts.
  [[nodiscard]] std::size_t size() const noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace petstore::limits
