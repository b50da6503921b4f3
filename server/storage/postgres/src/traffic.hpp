// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <cstdint>
#include <variant>

#include "pending.hpp"
#include "petstore/ports/store.hpp"

namespace petstore::storage::postgres {

/// Counters of one connection, for metrics. Only the connection's thread writes them, so that counting needs no locked
/// instruction; any thread may add them up.
class traffic {
 public:
  void note_made() noexcept { add(made_); }
  void note_lost() noexcept { add(lost_); }
  void note_failed() noexcept { add(failed_); }

  void note_asked() noexcept { add(asked_); }
  void note_turned_away() noexcept { add(turned_away_); }
  /// Counts the outcome of a request.
  void note_outcome(reply const& outcome) noexcept {
    if (std::holds_alternative<rows>(outcome))
      add(answered_);
    else if (std::holds_alternative<server_fault>(outcome))
      add(refused_);
    else
      add(unanswered_);
  }

  void add_to(ports::connection_figures& sum) const noexcept {
    sum.made += get(made_);
    sum.lost += get(lost_);
    sum.failed += get(failed_);
    sum.turned_away += get(turned_away_);
    auto const answered = get(answered_);
    auto const refused = get(refused_);
    auto const unanswered = get(unanswered_);
    // Read last, so that it is not less than their sum.
    auto const asked = asked_.load(std::memory_order_acquire);
    sum.answered += answered;
    sum.refused += refused;
    sum.unanswered += unanswered;
    sum.in_flight += asked - answered - refused - unanswered;
  }

 private:
  using counter = std::atomic<std::uint64_t>;
  static void add(counter& c) noexcept { c.store(c.load(std::memory_order_relaxed) + 1, std::memory_order_release); }
  static std::uint64_t get(counter const& c) noexcept { return c.load(std::memory_order_acquire); }

  counter made_{0};
  counter lost_{0};
  counter failed_{0};
  counter asked_{0};
  counter turned_away_{0};
  counter answered_{0};
  counter refused_{0};
  counter unanswered_{0};
};

}  // namespace petstore::storage::postgres
