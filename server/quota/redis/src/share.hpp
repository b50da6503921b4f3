// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "petstore/limits/account.hpp"
#include "petstore/limits/lease.hpp"

namespace petstore::quota {

/// Continuous refill: the time in which a token comes back, rounded up.
constexpr std::chrono::nanoseconds token_interval(limits::plan const& p) noexcept {
  return limits::detail::token_interval(p.short_window);
}

/// The tokens that were taken of one period. A count of another period replaces it, since a period that is over need
/// not be told.
struct period_count {
  std::int64_t end = 0;  ///< in us since 1970; 0: unknown
  std::uint64_t count = 0;

  void add(period_count const& more) noexcept {
    if (more.count == 0) return;
    if (end != more.end) *this = {.end = more.end, .count = 0};
    count += more.count;
  }
  friend bool operator==(period_count const&, period_count const&) = default;
};

/// The part of one quota that a node may admit while it cannot call the server: an equal part of what was left at the
/// server's last answer, and later of the quota of each new period. The share counts what it admits; the node reports
/// that to the server later.
///
/// Not thread-safe.
class share {
 public:
  /// What was admitted, in the present period of each window. Only an aligned period has an end here. If requests begin
  /// the periods, all of it counts in the period that the server opened last: once that is over, nothing is reported.
  struct spending {
    period_count of_short;
    period_count of_long;

    void add(spending const& more) noexcept {
      of_short.add(more.of_short);
      of_long.add(more.of_long);
    }
  };

  /// Whether a node's part of the plan is at least as large as the cost.
  static bool covers(limits::plan const&, std::uint32_t nodes, limits::cost) noexcept;

  /// `known`: the last known state of the quota, with the tokens of the lease counted as used. Its `at` is the current
  /// time, on the clock of that state. A cost above this node's part is refused.
  limits::verdict charge(limits::verdict const& known, limits::plan const&, std::uint32_t nodes, limits::cost);

  /// What is left at `now`, on the clock of `known` above: this node's part and the tokens that it holds. nullopt if
  /// the share has decided nothing under this plan since the server's last answer.
  std::optional<limits::verdict> observe(limits::plan const& whole, std::uint32_t held, limits::instant now) const;

  /// Counts a request that was admitted in another way without the server.
  void count(limits::plan const&, limits::cost, limits::instant now) noexcept;
  /// What was admitted since the last call of this function, for the report.
  spending take_spent() noexcept;
  /// The server answers again. The next outage begins with what is known then.
  void end() noexcept { account_.reset(); }

 private:
  void begin(limits::saved_account const&, limits::plan const& part, limits::instant now);
  void change_part(limits::saved_account const& begins_with, limits::plan const& part, limits::instant now);

  std::unique_ptr<limits::account> account_;  // created when it is first needed, which is rare
  limits::saved_account begun_with_;
  limits::plan part_{limits::per_minute(1)};
  spending spent_;
  limits::plan whole_{limits::per_minute(1)};  ///< the plan of the last charge
};

}  // namespace petstore::quota
