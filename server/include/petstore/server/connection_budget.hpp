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

/// How connections are shared out.
struct PETSTORE_EXPORT connection_shares {
  std::size_t max = 1'024;           ///< connections, of all addresses
  std::size_t max_of_address = 256;  ///< connections of one
  /// Behind these are many clients, or us: proxies, this machine. They may have all.
  std::vector<address_range> exempt;
};

/// How many connections the listeners of one service may hold together, and how many of them may come from one address
/// (an IPv6 address counts as its /64). The addresses it remembers are those that hold something, so it never remembers
/// more of them than there may be connections.
///
/// Thread safety: any thread. A lock is taken when a connection comes and when it goes, and never for a request.
class PETSTORE_EXPORT connection_budget {
 public:
  using address = std::array<unsigned char, 16>;  ///< IPv4 mapped into IPv6

  /// As many as there is room for.
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  /// `exempt` are addresses behind which are many clients, or us: proxies, this machine.
  explicit connection_budget(std::size_t max, std::size_t max_of_address = unlimited,
                             std::vector<address_range> exempt = {});

  /// The same, as settings name it.
  explicit connection_budget(connection_shares shares)
      : connection_budget{shares.max, shares.max_of_address, std::move(shares.exempt)} {}

  /// Whether a connection has a slot; if not, whose fault that is.
  enum class verdict : std::uint8_t { granted, full, address_full };
  /// What is granted is given back with the same address. An address that has its share is told so also when the budget
  /// is full: no slot is made free for it.
  verdict take(address const& from);
  /// What was granted.
  void give_back(address const& from) noexcept;
  /// From now on. Connections that are more than the new numbers stay, and no new one is granted a slot until they are
  /// fewer. A budget that was made with `max_of_address` unlimited counts no addresses and goes on so.
  void set(connection_shares);
  /// What was granted for `from` counts for `to` from now on, unless that has its share: then nothing changes.
  verdict pass_on(address const& from, address const& to);

  /// Connections that have a slot now.
  std::size_t in_use() const noexcept { return in_use_.load(std::memory_order_relaxed); }
  /// How many may have one.
  std::size_t max() const noexcept { return max_.load(std::memory_order_relaxed); }

 private:
  bool take_of_share(address const&);
  void give_back_to_share(address const&) noexcept;

  std::atomic<std::size_t> max_;
  bool const counts_addresses_;
  std::atomic<std::size_t> in_use_{0};

  // Under the mutex. No hash that could be aimed at, and no number is 0.
  std::mutex mutex_;
  std::size_t max_of_address_;
  std::vector<address_range> exempt_;
  std::map<limits::address, std::size_t> by_address_;
  /// Connections that were exempt when they came, by their whole address. They are not looked for when they go, but
  /// taken for gone first, so that nothing is left behind when it changes who is exempt.
  std::map<address, std::size_t> of_exempt_;
};

/// What a client is told that gets no slot.
PETSTORE_EXPORT std::string_view reason_for(connection_budget::verdict) noexcept;

}  // namespace petstore::server
