// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "petstore/export.hpp"
#include "petstore/limits/address.hpp"
#include "petstore/server/address_range.hpp"

namespace petstore::server {

/// The connection limits of an application.
struct PETSTORE_EXPORT connection_shares {
  std::size_t max = 1'024;           ///< connections, of all addresses
  std::size_t max_of_address = 256;  ///< connections of one address
  /// These addresses stand for many clients (a proxy) or for this machine. Only `max` limits their connections.
  std::vector<address_range> exempt;
};

/// Limits the connections of all listeners of one service together, and the connections of one address (an IPv6 address
/// counts as its /64). It remembers only addresses that hold a connection, so it never remembers more addresses than
/// there may be connections.
///
/// Thread safety: any thread. A lock is taken when a connection begins and when it ends, never for a request.
class PETSTORE_EXPORT connection_budget {
 public:
  using address = raw_address;  ///< of a client

  /// No limit.
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  /// `exempt` are addresses that stand for many clients (a proxy) or for this machine.
  explicit connection_budget(std::size_t max, std::size_t max_of_address = unlimited,
                             std::vector<address_range> exempt = {});

  /// The same, with the names of the settings.
  explicit connection_budget(connection_shares shares)
      : connection_budget{shares.max, shares.max_of_address, std::move(shares.exempt)} {}

  /// Whether a connection gets a slot; if not, which limit refused it.
  enum class admission : std::uint8_t { granted, full, address_full };
  /// Takes a slot; give it back with the same address. An address that has reached its own limit gets `address_full`
  /// even when the budget is full: freeing a slot would not help it.
  [[nodiscard]] admission take(address const& from);
  /// Gives back a slot that was granted.
  void give_back(address const& from) noexcept;
  /// Changes the limits. Connections above the new limits stay; no new slot is granted until there are fewer. A budget
  /// that was made with an unlimited `max_of_address` does not count addresses, and still does not after this call.
  void set(connection_shares);
  /// Moves a granted slot from the address `from` to `to`, unless `to` has reached its limit: then nothing changes.
  [[nodiscard]] admission pass_on(address const& from, address const& to);

  /// The number of connections that have a slot now.
  std::size_t in_use() const noexcept { return in_use_.load(std::memory_order_relaxed); }
  /// The number of connections that may have a slot.
  std::size_t max() const noexcept { return max_.load(std::memory_order_relaxed); }

 private:
  bool take_of_share(address const&);
  void give_back_to_share(address const&) noexcept;

  std::atomic<std::size_t> max_;
  bool const counts_addresses_;
  std::atomic<std::size_t> in_use_{0};

  // Under the mutex. A map, because a client could aim at the collisions of a hash. No count in the maps is 0.
  std::mutex mutex_;
  std::size_t max_of_address_;
  std::vector<address_range> exempt_;
  std::map<limits::address, std::size_t> by_address_;
  /// Connections that were exempt when they began, by their whole address. A connection that ends is subtracted from
  /// this map first, if its address is there. So no count is left over when the exempt addresses change.
  std::map<address, std::size_t> of_exempt_;
};

/// The answer for a client that gets no connection slot.
PETSTORE_EXPORT std::string_view reason_for(connection_budget::admission) noexcept;

}  // namespace petstore::server
