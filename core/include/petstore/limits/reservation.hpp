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

/// Tokens taken in advance for work whose outcome, or real cost, is known later. Without `commit`, the destructor gives
/// them back if the periods that they were taken from are still open. Made by `limiter::reserve`.
///
/// The clock is called when tokens are given back. If it throws, `commit` and `cancel` pass the exception on, and all
/// tokens stay taken; in the destructor the exception ends the program (std::terminate).
///
/// Thread safety: one thread at a time. Must not outlive its limiter. Its identity is not evicted as long as it lives.
template <class Use, class Clock>
class [[nodiscard]] reservation {
  static_assert(std::is_nothrow_move_constructible_v<Clock>, "tokens that were taken must not be lost on the way out");

 public:
  /// Called by `limiter::reserve`.
  reservation(Use use, limits::account& account, limits::verdict const& charged, Clock clock)
      : use_{std::move(use)},
        account_{&account},
        charged_{charged},
        clock_{std::move(clock)},
        is_open_{charged.admitted() && charged.occasion == occasion::charge} {}
  /// The moved-from object gives nothing back.
  reservation(reservation&& other) noexcept
      : use_{std::move(other.use_)},
        account_{other.account_},
        charged_{other.charged_},
        clock_{std::move(other.clock_)},
        is_open_{std::exchange(other.is_open_, false)} {}
  reservation& operator=(reservation&&) = delete;
  ~reservation() { cancel(); }

  /// The verdict when the tokens were requested.
  [[nodiscard]] limits::verdict const& verdict() const noexcept { return charged_; }
  /// Whether the work may be done.
  [[nodiscard]] bool admitted() const noexcept { return charged_.admitted(); }

  /// Keeps all tokens taken.
  void commit() noexcept { is_open_ = false; }

  /// Keeps `used` tokens taken, at most what was reserved, and gives the others back. Returns the state after that.
  limits::verdict commit(cost used) {
    if (!is_open_) return charged_;
    auto const rest = cost::of(charged_.cost.tokens() - std::min(charged_.cost.tokens(), used.tokens()));
    is_open_ = false;
    return rest ? give_back(*rest) : charged_;
  }

  /// Gives all tokens back. Returns the state after that; after a commit, or a second time, it does nothing.
  limits::verdict cancel() {
    if (!std::exchange(is_open_, false)) return charged_;
    return give_back(charged_.cost);
  }

 private:
  limits::verdict give_back(cost tokens) {
    limits::verdict part = charged_;
    part.cost = tokens;
    return account_->refund(part, part.plan, clock_(), charged_account::likely);  // once, so it is no mistake
  }

  Use use_;
  limits::account* account_;
  limits::verdict charged_;
  [[no_unique_address]] Clock clock_;
  bool is_open_;
};

}  // namespace petstore::limits
