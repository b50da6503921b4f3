// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "petstore/export.hpp"
#include "petstore/limits/address_table.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/server/address_range.hpp"
#include "petstore/server/connection_budget.hpp"

namespace petstore::server {

/// How TLS handshakes are shared out: one costs the server as much as dozens of requests, and its client next to
/// nothing.
struct PETSTORE_EXPORT handshake_shares {
  /// A bucket of so many refills at so many a minute: as a plan's with continuous refill. 1 to limits::per_minute_max,
  /// 0: no limit.
  std::uint32_t per_minute_of_address = 1'200;
  /// Begun and not complete, at the same time. The rest of its connections can be had by its other clients.
  std::size_t under_way_of_address = 128;
  /// Behind these are many clients, or us: proxies, this machine. They may have any number.
  std::vector<address_range> exempt = {};
  std::size_t addresses_max = 16'384;  ///< that are remembered; beyond them, new ones share buckets
};

/// Which TLS handshakes may begin (an IPv6 address counts as its /64).
///
/// Thread safety: any thread. Locks are taken when a handshake begins and when it ends.
class PETSTORE_EXPORT handshake_budget {
 public:
  using address = connection_budget::address;  ///< IPv4 mapped into IPv6

  /// For all listeners of a service.
  explicit handshake_budget(handshake_shares);

  /// What is said to a handshake.
  enum class verdict : std::uint8_t {
    granted,
    too_many,            ///< its address had its handshakes of the minute
    too_many_under_way,  ///< its address has not completed as many as it may begin
  };

  /// That a handshake is under way, for as long as this is there.
  class slot {
   public:
    /// Nothing is left in the other one.
    slot(slot&& other) noexcept : of_{std::exchange(other.of_, nullptr)}, from_{other.from_} {}
    slot& operator=(slot&&) = delete;
    ~slot() {
      if (of_) of_->under_way_.give_back(from_);
    }

   private:
    friend class handshake_budget;
    slot(handshake_budget& of, address const& from) noexcept : of_{&of}, from_{from} {}
    handshake_budget* of_;
    address from_;
  };

  /// Granted: the slot is filled in, which ends before the budget does.
  verdict begin(address const& from, limits::instant now, std::optional<slot>&);

  /// From now on, but for the number of addresses. What was begun stays begun.
  void set(handshake_shares);

  /// How many are under way.
  std::size_t under_way() const noexcept { return under_way_.in_use(); }

 private:
  std::uint32_t limit_of(address const&) const;

  std::mutex mutable mutex_;
  std::uint32_t per_minute_of_address_;  ///< under the mutex
  std::vector<address_range> exempt_;    ///< under the mutex
  connection_budget under_way_;
  limits::address_table begun_;
};

}  // namespace petstore::server
