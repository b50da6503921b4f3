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

/// The accounts of clients without a valid key, by address: a table of bounded size. An entry goes only when its
/// account is forgettable, so that eviction never grants quota; when the table is full of others, new addresses share
/// overflow accounts (chosen by a keyed hash of the address).
///
/// Thread safety: every member may be called from any thread at any time.
class PETSTORE_EXPORT address_table {
 public:
  /// `capacity_max`: accounts kept, rounded up to a power of two. `seed` keys the hash: an attacker must not guess it
  /// (random_seed in keyed_hash.hpp).
  address_table(std::size_t capacity_max, std::uint64_t seed);
  ~address_table();

  /// As `account::charge`, for the account of that address, which is found or made.
  verdict charge(address const&, plan const&, ban_policy const&, instant);
  verdict observe(address const&, plan const&, instant) const;  ///< makes no entry
  /// As `account::refund`; after an eviction nothing has to be given back, as the account was full.
  verdict refund(address const&, verdict const& charged, plan const&, instant);

  /// For persistence: calls back for every entry that is not forgettable.
  void for_each(plan const&, instant, std::function<void(address const&, saved_account const&)> const&) const;
  /// The way back of `for_each`, as `account::restore`. Without room it does nothing.
  void restore(address const&, saved_account const&, plan const&, ban_policy const&, instant);

  /// How many accounts there are now, the overflow accounts aside.
  std::size_t size() const noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace petstore::limits
