// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "petstore/export.hpp"
#include "petstore/limits/cost.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"

namespace petstore::limits {

/// The decision of the limiter.
enum class decision : std::uint8_t {
  admitted,      ///< tokens of both quotas were taken
  rate_limited,  ///< a quota has too few tokens; nothing was taken
  banned,        ///< no request passes; nothing was taken
  observed,      ///< the request asked for no quota: the current state (protocol errors, getQuota)
};

/// The name of its enumerator, for logs and metrics.
[[nodiscard]] constexpr std::string_view name_of(decision d) noexcept {
  switch (d) {
    case decision::admitted: return "admitted";
    case decision::rate_limited: return "rate_limited";
    case decision::banned: return "banned";
    case decision::observed: break;
  }
  return "observed";
}

/// The operation on the account.
enum class occasion : std::uint8_t {
  charge,
  observation,
  refund,
  inquiry,
  in_flight,        ///< no operation of the limiter: a service refuses since too many requests are in flight
  mistaken_refund,  ///< a refund that gave nothing back, because it is a mistake (`account::refund`)
};

/// Whether a plan's buckets are as large as the cost. If not, such a request is always refused.
[[nodiscard]] constexpr bool can_ever_pass(cost tokens, plan const& p) noexcept {
  return tokens.tokens() <= p.bucket() && (!p.long_window || tokens.tokens() <= p.long_window.tokens());
}

/// The decision of the limiter, and the state it was made on. It is made once for each request. The status, every
/// rate-limit header and the metrics come from this one value, so they cannot disagree. `tell` (notice.hpp) computes
/// the numbers for clients when the answer is written, and not while threads compete for the account.
struct PETSTORE_EXPORT verdict {
  limits::decision decision = decision::observed;     ///< what happens to the request
  limits::occasion occasion = occasion::observation;  ///< what a refund may give back depends on it
  /// Shadow mode (limiter.hpp): the refusal that was not carried out; `observed` if there was none.
  limits::decision withheld = decision::observed;
  /// For a refusal: it was the last strike, and the ban begins with it. One verdict of each ban has it; if nodes share
  /// quotas, one verdict of each node that refuses because of the ban.
  bool begins_ban = false;
  limits::cost cost{1};              ///< in tokens, of each quota
  limits::plan plan{per_minute(1)};  ///< the plan of the decision
  instant at{};                      ///< the time of the decision

  /// The state after the decision. Opaque: the words of the account, in which a refund finds the charged periods.
  std::uint64_t short_word = 0;
  std::uint64_t long_word = 0;  ///< the same for the long window

  /// How long the request is refused, however many tokens there are: the rest of a ban; for a refused inquiry, the time
  /// until its own limit has a token; for a charge of a shared quota, how long this node refuses it without asking. 0
  /// for any other refusal for lack of tokens, where `retry_after` has the time to wait, and for a refusal for requests
  /// in flight, where nobody knows it.
  std::chrono::nanoseconds blocked_for{0};

  /// Whether the request may pass; neither this nor `refused` if the request asked for no quota.
  [[nodiscard]] bool admitted() const noexcept { return decision == decision::admitted; }
  /// Whether it may not pass, for lack of tokens or because of a ban.
  [[nodiscard]] bool refused() const noexcept {
    return decision == decision::rate_limited || decision == decision::banned;
  }

  /// Whether waiting helps: a cost above one of the plan's quotas is always refused.
  [[nodiscard]] bool can_ever_pass() const noexcept { return limits::can_ever_pass(cost, plan); }

  /// For a refusal: the time from `at` until the same request is worth repeating. More than 0, and exact; `tell` rounds
  /// it up to the seconds of Retry-After. nullopt if nothing was refused, or if waiting does not help.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> retry_after() const noexcept;

  /// The verdict without shadow mode.
  [[nodiscard]] verdict in_earnest() const noexcept {
    verdict v = *this;
    if (withheld != decision::observed) v.decision = withheld, v.occasion = occasion::charge;
    v.withheld = decision::observed;
    return v;
  }
};

}  // namespace petstore::limits
