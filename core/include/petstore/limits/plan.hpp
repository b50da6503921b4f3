// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

#include "petstore/export.hpp"
#include "petstore/limits/window.hpp"

namespace petstore::limits {

/// How the bucket of the short window is refilled.
enum class refill : std::uint8_t {
  periodic,    ///< completely, when its period ends
  continuous,  ///< one token each period/tokens, up to the burst (GCRA, ITU-T I.371); the periods are not aligned
};

namespace detail {

/// Only its name is used: the compiler prints it for an invalid plan.
void a_burst_is_at_most_16777215_tokens();

/// The longest time that a bucket of continuous refill may take to be full, 36 years: what its word can count.
inline constexpr std::chrono::nanoseconds longest_fill{std::int64_t{1} << 60};

/// How long a token of continuous refill takes. It is rounded up, so that rounding never admits more than the quota: at
/// 60, 300 and 1,000 a minute it is exact, at the largest quota of a minute it is 0.02 % too long.
constexpr std::chrono::nanoseconds token_interval(short_window const& w) noexcept {
  std::chrono::nanoseconds const length = w.period().longest();
  auto const tokens = static_cast<std::int64_t>(w.tokens());
  return std::chrono::nanoseconds{(length.count() + tokens - 1) / tokens};
}

/// The largest bucket that is full within `longest_fill`.
constexpr std::uint64_t burst_max(short_window const& w) noexcept {
  return static_cast<std::uint64_t>(longest_fill / token_interval(w));
}

}  // namespace detail

/// The size of a bucket of continuous refill: 1 .. short_tokens_max, or 0 for the tokens of one period. The compiler
/// checks a constant, which converts implicitly. Any other number must go through `of`.
class PETSTORE_EXPORT burst_tokens {
 public:
  constexpr burst_tokens() noexcept = default;  ///< as many as come in a period
  /// A constant. It does not compile outside the range.
  template <std::integral Number>
  consteval burst_tokens(Number written) : tokens_{static_cast<std::uint32_t>(written)} {
    if (std::cmp_less(written, 0) || std::cmp_greater(written, short_tokens_max))
      detail::a_burst_is_at_most_16777215_tokens();
  }
  /// There are no fractions of a token.
  template <std::floating_point Number>
  burst_tokens(Number) = delete;

  /// Any number; nullopt outside the range.
  template <std::integral Number>
  [[nodiscard]] static constexpr std::optional<burst_tokens> of(Number tokens) noexcept {
    if (std::cmp_less(tokens, 0) || std::cmp_greater(tokens, short_tokens_max)) return std::nullopt;
    return burst_tokens{checked{}, static_cast<std::uint32_t>(tokens)};
  }

  /// 0 .. short_tokens_max.
  constexpr operator std::uint32_t() const noexcept { return tokens_; }

 private:
  struct checked {};
  constexpr burst_tokens(checked, std::uint32_t tokens) noexcept : tokens_{tokens} {}

  std::uint32_t tokens_ = 0;
};

/// The quotas of one identity: those of its named plan, or those that its key overrides. Each request takes its cost
/// from both windows, or nothing. The numbers of a plan are in their ranges, however it was made; `is_sound` says
/// whether they agree.
struct PETSTORE_EXPORT plan {
  limits::short_window short_window;       ///< for example `per_minute(60)`; there is no default
  limits::long_window long_window = {};    ///< for example `per_day(1'000)`; without it, there is only the short one
  refill short_refill = refill::periodic;  ///< of the short window; the long one is refilled when its period ends
  /// Continuous refill: how many tokens a full bucket has, so how many may be taken at once. It may be fewer or more
  /// than come in a period. Periodic refill has none.
  burst_tokens burst = 0;

  /// Makes a plan of numbers from elsewhere, for example a configuration: nullopt if one is outside its range, or if
  /// they do not agree. nullopt for the long window is none; 0 tokens are outside the range.
  ///
  ///     std::optional<plan> const read = plan::of(per_minute(minute), per_day(day));
  [[nodiscard]] static constexpr std::optional<plan> of(window short_one, std::optional<window> long_one = {},
                                                        refill short_refill = refill::periodic,
                                                        std::int64_t burst = 0) noexcept {
    auto const shorter = limits::short_window::of(short_one);
    auto const longer = long_one ? limits::long_window::of(*long_one) : std::optional{limits::long_window{}};
    auto const at_once = burst_tokens::of(burst);
    if (!shorter || !longer || !at_once) return std::nullopt;
    plan const made{*shorter, *longer, short_refill, *at_once};
    return made.is_sound() ? std::optional{made} : std::nullopt;
  }

  /// The tokens of a full bucket of the short window: the burst, or those of a period.
  [[nodiscard]] constexpr std::uint32_t bucket() const noexcept {
    if (short_refill != refill::continuous || burst == 0) return short_window.tokens();
    return static_cast<std::uint32_t>(std::min(std::uint64_t{burst}, detail::burst_max(short_window)));
  }

  /// Whether the members agree. The options of a limiter and `limiter::set_plan` do not take a plan that is not sound.
  /// A charge does not ask: it ignores a burst without continuous refill, and the excess of one that takes too long.
  ///  - The long window's period is longer than the short one's (a month has 31 days here).
  ///  - A burst has continuous refill, and takes at most 36 years to come.
  ///  - Continuous refill is of a period of fixed length, so not of a month.
  [[nodiscard]] constexpr bool is_sound() const noexcept {
    if (long_window && long_window.period().longest() <= short_window.period().longest()) return false;
    if (short_refill == refill::periodic) return burst == 0;
    return !short_window.period().is_month() && burst <= detail::burst_max(short_window);
  }

  friend bool operator==(plan const&, plan const&) = default;
};

/// When a client that ignores refusals is banned, and for how long.
struct PETSTORE_EXPORT ban_policy {
  std::uint32_t strikes = 100;               ///< 0 turns bans off
  std::chrono::milliseconds grace{250};      ///< after a refusal: requests that were already under way are no strikes
  std::chrono::milliseconds base{60'000};    ///< the first ban; it doubles for each ban that began in the 24 h before
  std::chrono::milliseconds max{3'600'000};  ///< the longest ban
};

/// The default of `limiter`: callers that ignore refusals are not banned.
inline constexpr ban_policy no_bans{.strikes = 0};

}  // namespace petstore::limits
