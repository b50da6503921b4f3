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
#include "petstore/limits/plan.hpp"
#include "petstore/server/address_range.hpp"
#include "petstore/server/connection_budget.hpp"

namespace petstore::server {

/// The limits of TLS handshakes: a handshake costs the server as much as dozens of requests, and its client next to
/// nothing.
struct PETSTORE_EXPORT handshake_shares {
  /// The rate of one address: a bucket of this many handshakes, refilled at this many a minute, like a plan with
  /// continuous refill. 1 to limits::short_tokens_max; 0: no limit.
  std::uint32_t per_minute_of_address = 1'200;
  /// Handshakes of one address that have begun and are not complete. Other clients of that address can still use its
  /// remaining connections.
  std::size_t under_way_of_address = 128;
  /// These addresses stand for many clients (a proxy) or for this machine. They have no limit.
  std::vector<address_range> exempt = {};
  std::size_t addresses_max = 16'384;  ///< to remember; beyond them, new addresses share buckets
};

/// Decides which TLS handshakes may begin (an IPv6 address counts as its /64).
///
/// Thread safety: any thread. Locks are taken when a handshake begins and when it ends.
class PETSTORE_EXPORT handshake_budget {
 public:
  using address = connection_budget::address;  ///< IPv4 mapped into IPv6

  /// One budget serves all listeners of a service. Throws std::invalid_argument if the rate is outside its range.
  explicit handshake_budget(handshake_shares);

  /// The answer for a new handshake.
  enum class admission : std::uint8_t {
    granted,
    too_many,            ///< its address has used its handshakes of the minute
    too_many_under_way,  ///< its address has as many incomplete handshakes as it may have
  };

  /// A handshake that is under way; its destruction ends it.
  class slot {
   public:
    /// Moves the handshake; `other` is empty afterwards.
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

  /// Begins a handshake. If it is granted, the slot is filled in; the slot must be destroyed before the budget.
  [[nodiscard]] admission begin(address const& from, limits::instant now, std::optional<slot>&);

  /// Changes the limits, except the number of addresses. Handshakes that have begun go on. A budget that was made with
  /// `under_way_of_address` = connection_budget::unlimited does not count them, and still does not after this call.
  /// Throws std::invalid_argument, before it changes anything, if the rate is outside its range.
  void set(handshake_shares);

  /// The number of handshakes that are under way.
  std::size_t under_way() const noexcept { return under_way_.in_use(); }

 private:
  std::optional<limits::short_window> limit_of(address const&) const;

  std::mutex mutable mutex_;
  std::optional<limits::short_window> per_minute_of_address_;  ///< under the mutex; nullopt: no limit
  std::vector<address_range> exempt_;                          ///< under the mutex
  connection_budget under_way_;
  limits::address_table begun_;
};

}  // namespace petstore::server
