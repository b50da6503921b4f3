// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include "petstore/limits/account.hpp"
#include "petstore/limits/cost.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/verdict.hpp"

namespace petstore::limits {

/// Tokens that were taken ahead of work whose outcome, or real cost, is known later: given back when this goes without
/// `commit`, as far as the periods that they were taken from are still open. Made by `limiter::reserve`.
///
/// The clock is asked when tokens are given back. Should it throw, then out of `commit` and `cancel`, after which all
/// tokens stay taken; out of the destructor nothing can be thrown, and the program ends (std::terminate).
///
/// Thread safety: one thread at a time. Must not outlive its limiter. While it lives its identity is not evicted.
template <class Use, class Clock>
class [[nodiscard]] reservation {
  static_assert(std::is_nothrow_move_constructible_v<Clock>, "tokens that were taken must not be lost on the way out");

 public:
  /// For `limiter::reserve`.
  reservation(Use use, limits::account& account, verdict const& charged, Clock clock)
      : use_{std::move(use)},
        account_{&account},
        charged_{charged},
        clock_{std::move(clock)},
        is_open_{charged.admitted() && charged.occasion == occasion::charge} {}
  /// What was moved from gives nothing back.
  reservation(reservation&& other) noexcept
      : use_{std::move(other.use_)},
        account_{other.account_},
        charged_{other.charged_},
        clock_{std::move(other.clock_)},
        is_open_{std::exchange(other.is_open_, false)} {}
  reservation& operator=(reservation&&) = delete;
  ~reservation() { cancel(); }

  /// What was decided when the tokens were asked for.
  verdict const& decision() const noexcept { return charged_; }
  /// Whether the work may be done.
  bool admitted() const noexcept { return charged_.admitted(); }

  /// All tokens stay taken.
  void commit() noexcept { is_open_ = false; }

  /// So many stay taken, at most what was reserved; the others are given back. Returns the state after that.
  verdict commit(cost used) {
    if (!is_open_) return charged_;
    auto const rest = cost::of(charged_.cost.tokens() - std::min(charged_.cost.tokens(), used.tokens()));
    is_open_ = false;
    return rest ? give_back(*rest) : charged_;
  }

  /// All tokens are given back. Returns the state after that; after a commit, or a second time, does nothing.
  verdict cancel() {
    if (!std::exchange(is_open_, false)) return charged_;
    return give_back(charged_.cost);
  }

 private:
  verdict give_back(cost tokens) {
    verdict part = charged_;
    part.cost = tokens;
    return account_->refund(part, part.plan, clock_());
  }

  Use use_;
  limits::account* account_;
  verdict charged_;
  [[no_unique_address]] Clock clock_;
  bool is_open_;
};

}  // namespace petstore::limits
