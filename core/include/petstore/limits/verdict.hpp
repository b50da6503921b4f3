// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "petstore/export.hpp"
#include "petstore/limits/cost.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"

namespace petstore::limits {

/// What the limiter decided.
enum class decision : std::uint8_t {
  admitted,      ///< tokens of both quotas were taken
  rate_limited,  ///< a quota has too few tokens; nothing was taken
  banned,        ///< whatever tokens there are; nothing was taken
  observed,      ///< nothing was asked for: the state as it is (protocol errors, getQuota)
};

/// What was asked of the account.
enum class occasion : std::uint8_t { charge, observation, refund, inquiry };

/// What the limiter decided, and the state it decided on. One value, made once per request, drives the status, every
/// rate-limit header and the metrics, so that they cannot disagree. The numbers that a client is told are worked out
/// of it by `tell` (notice.hpp) when the answer is written, and not while threads compete for the account.
struct PETSTORE_EXPORT verdict {
  limits::decision decision = decision::observed;     ///< what becomes of the request
  limits::occasion occasion = occasion::observation;  ///< decides what a refund may give back
  /// Shadow mode (limiter.hpp): the refusal that was decided on and not carried out; `observed` when there was none.
  limits::decision withheld = decision::observed;
  /// Of a refusal: it was the last strike, and the ban that it tells of begins with it. Of each ban one verdict says
  /// so; of quotas that nodes share, one verdict of each node that refuses because of it.
  bool begins_ban = false;
  limits::cost cost{1};                ///< in tokens of each quota
  limits::plan plan{.per_minute = 1};  ///< by which it was decided
  instant at{};                        ///< when

  /// The state after the decision. Opaque: the account's own words, in which a refund finds the periods that were
  /// charged.
  std::uint64_t minute_word = 0;
  std::uint64_t day_word = 0;  ///< the same of the day's quota

  /// How long nothing passes whatever tokens there are: what is left of a ban; of a refused inquiry, until its own
  /// limit has a token. 0 of a refusal for lack of tokens: how long to wait is what `retry_after` says.
  std::chrono::nanoseconds blocked_for{0};

  /// Whether the request may pass; neither this nor the next holds when nothing was asked for.
  bool admitted() const noexcept { return decision == decision::admitted; }
  /// Whether it may not, for lack of tokens or because of a ban.
  bool refused() const noexcept { return decision == decision::rate_limited || decision == decision::banned; }

  /// Whether waiting helps: a cost above one of the plan's quotas is refused however long one waits.
  bool can_ever_pass() const noexcept {
    return cost.tokens() <= plan.per_minute && (plan.per_day == 0 || cost.tokens() <= plan.per_day);
  }

  /// Of a refusal: how long to wait, counted from `at`, until the same is worth asking again. More than 0, and exact:
  /// what `tell` rounds up to the seconds of Retry-After. nullopt when nothing was refused, and when no waiting helps.
  std::optional<std::chrono::nanoseconds> retry_after() const noexcept;

  /// What would have been said but for shadow mode.
  verdict in_earnest() const noexcept {
    verdict v = *this;
    if (withheld != decision::observed) v.decision = withheld, v.occasion = occasion::charge;
    v.withheld = decision::observed;
    return v;
  }
};

}  // namespace petstore::limits
