// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "petstore/limits/account.hpp"
#include "petstore/limits/lease.hpp"

namespace petstore::quota {

/// Continuous refill: the time in which a token comes back, rounded up.
constexpr std::chrono::nanoseconds token_interval(limits::plan const& p) noexcept {
  auto const quota = static_cast<std::int64_t>(p.per_minute);
  return std::chrono::nanoseconds{(60'000'000'000 + quota - 1) / quota};
}

/// The part of one quota that a node may admit while it cannot call the server: an equal part of what was left at the
/// server's last answer, and later of the quota of each new period. The share counts what it admits; the node reports
/// that to the server later.
///
/// Not thread-safe.
class share {
 public:
  /// The tokens that were admitted on one day. A count of another day replaces it, since a day that is over need not be
  /// reported.
  struct spending {
    std::int64_t day = 0;  ///< since 1970-01-01
    std::uint64_t count = 0;

    void add(spending const& more) noexcept {
      if (more.count == 0) return;
      if (day != more.day) *this = {.day = more.day, .count = 0};
      count += more.count;
    }
  };

  /// Whether a node's part of the plan is at least as large as the cost.
  static bool covers(limits::plan const&, std::uint32_t nodes, limits::cost) noexcept;

  /// `known`: the last known state of the quota, with the tokens of the lease counted as used. Its `at` is the current
  /// time, on the clock of that state. A cost above this node's part is refused.
  limits::verdict charge(limits::verdict const& known, limits::plan const&, std::uint32_t nodes, limits::cost);

  /// Counts a request that was admitted in another way without the server.
  void count(limits::cost, limits::instant now) noexcept;
  /// What was admitted since the last call of this function, for the report.
  spending take_spent() noexcept;
  /// The server answers again. The next outage begins with what is known then.
  void end() noexcept { account_.reset(); }

 private:
  void begin(limits::saved_account const&, limits::plan const& part, limits::instant now);
  void change_part(limits::saved_account const& begins_with, limits::plan const& part, limits::instant now);

  std::unique_ptr<limits::account> account_;  // created when it is first needed, which is rare
  limits::saved_account begun_with_;
  limits::plan part_{.per_minute = 1};
  spending spent_;
};

}  // namespace petstore::quota
