// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

#include "petstore/export.hpp"

namespace petstore::limits {

/// How the minute bucket is refilled.
enum class refill : std::uint8_t {
  periodic,    ///< completely, 60 s after the request that opened the period
  continuous,  ///< one token each 60/quota seconds, up to the burst (GCRA, ITU-T I.371)
};

/// The largest quota that the words of an account can count.
inline constexpr std::uint32_t per_minute_max = (1u << 24) - 1;
/// See `per_minute_max`.
inline constexpr std::uint64_t per_day_max = (std::uint64_t{1} << 40) - 1;

namespace detail {

/// Only its name is used: the compiler prints it for an invalid plan.
void a_minute_quota_is_1_to_16777215_tokens();
/// The same.
void a_day_quota_is_at_most_1099511627775_tokens();
/// The same.
void a_burst_is_at_most_16777215_tokens();

}  // namespace detail

/// The quota of a minute: 1 .. per_minute_max. The compiler checks a constant, which converts implicitly. Any other
/// number must go through `of`, as one of a `plan` through `plan::of`.
class PETSTORE_EXPORT tokens_per_minute {
 public:
  /// A constant. It does not compile outside the range.
  template <std::integral Number>
  consteval tokens_per_minute(Number written) : tokens_{static_cast<std::uint32_t>(written)} {
    if (std::cmp_less(written, 1) || std::cmp_greater(written, per_minute_max))
      detail::a_minute_quota_is_1_to_16777215_tokens();
  }
  /// There are no fractions of a token.
  template <std::floating_point Number>
  tokens_per_minute(Number) = delete;

  /// Any number; nullopt outside the range.
  template <std::integral Number>
  [[nodiscard]] static constexpr std::optional<tokens_per_minute> of(Number tokens) noexcept {
    if (std::cmp_less(tokens, 1) || std::cmp_greater(tokens, per_minute_max)) return std::nullopt;
    return tokens_per_minute{checked{}, static_cast<std::uint32_t>(tokens)};
  }

  /// 1 .. per_minute_max.
  constexpr operator std::uint32_t() const noexcept { return tokens_; }

 private:
  struct checked {};
  constexpr tokens_per_minute(checked, std::uint32_t tokens) noexcept : tokens_{tokens} {}

  std::uint32_t tokens_;
};

/// The quota of a day: 1 .. per_day_max, or 0 for none. Numbers are checked like those of a minute.
class PETSTORE_EXPORT tokens_per_day {
 public:
  constexpr tokens_per_day() noexcept = default;  ///< none
  /// A constant. It does not compile outside the range.
  template <std::integral Number>
  consteval tokens_per_day(Number written) : tokens_{static_cast<std::uint64_t>(written)} {
    if (std::cmp_less(written, 0) || std::cmp_greater(written, per_day_max))
      detail::a_day_quota_is_at_most_1099511627775_tokens();
  }
  /// There are no fractions of a token.
  template <std::floating_point Number>
  tokens_per_day(Number) = delete;

  /// Any number; nullopt outside the range.
  template <std::integral Number>
  [[nodiscard]] static constexpr std::optional<tokens_per_day> of(Number tokens) noexcept {
    if (std::cmp_less(tokens, 0) || std::cmp_greater(tokens, per_day_max)) return std::nullopt;
    return tokens_per_day{checked{}, static_cast<std::uint64_t>(tokens)};
  }

  /// 0 .. per_day_max.
  constexpr operator std::uint64_t() const noexcept { return tokens_; }

 private:
  struct checked {};
  constexpr tokens_per_day(checked, std::uint64_t tokens) noexcept : tokens_{tokens} {}

  std::uint64_t tokens_ = 0;
};

/// The size of a minute's bucket under continuous refill: 1 .. per_minute_max, or 0 for as many as come in a minute.
/// Numbers are checked like those of a minute.
class PETSTORE_EXPORT burst_tokens {
 public:
  constexpr burst_tokens() noexcept = default;  ///< as many as come in a minute
  /// A constant. It does not compile outside the range.
  template <std::integral Number>
  consteval burst_tokens(Number written) : tokens_{static_cast<std::uint32_t>(written)} {
    if (std::cmp_less(written, 0) || std::cmp_greater(written, per_minute_max))
      detail::a_burst_is_at_most_16777215_tokens();
  }
  /// There are no fractions of a token.
  template <std::floating_point Number>
  burst_tokens(Number) = delete;

  /// Any number; nullopt outside the range.
  template <std::integral Number>
  [[nodiscard]] static constexpr std::optional<burst_tokens> of(Number tokens) noexcept {
    if (std::cmp_less(tokens, 0) || std::cmp_greater(tokens, per_minute_max)) return std::nullopt;
    return burst_tokens{checked{}, static_cast<std::uint32_t>(tokens)};
  }

  /// 0 .. per_minute_max.
  constexpr operator std::uint32_t() const noexcept { return tokens_; }

 private:
  struct checked {};
  constexpr burst_tokens(checked, std::uint32_t tokens) noexcept : tokens_{tokens} {}

  std::uint32_t tokens_ = 0;
};

/// The quotas of one identity: those of its named plan, or those that its key overrides. Every plan has a quota for the
/// minute. Its numbers are in their ranges, however it was made, so what takes a plan need not check it.
struct PETSTORE_EXPORT plan {
  tokens_per_minute per_minute;             ///< 1 .. per_minute_max; there is no default
  tokens_per_day per_day = 0;               ///< 1 .. per_day_max; 0: this plan has no day quota
  refill minute_refill = refill::periodic;  ///< of the minute's bucket; the day's is refilled completely at 00:00 UTC
  /// Continuous refill: how many tokens a full bucket has, so how many may be taken at once. It may be fewer or more
  /// than come in a minute. Periodic refill has none: a limiter does not take such a plan (`is_sound`), an account
  /// ignores the burst.
  burst_tokens burst = 0;

  /// Makes a plan of numbers from elsewhere, for example a configuration: nullopt if one is outside its range, or if
  /// there is a burst without continuous refill.
  [[nodiscard]] static constexpr std::optional<plan> of(std::int64_t per_minute, std::int64_t per_day = 0,
                                                        refill minute_refill = refill::periodic,
                                                        std::int64_t burst = 0) noexcept {
    auto const minute = tokens_per_minute::of(per_minute);
    auto const day = tokens_per_day::of(per_day);
    auto const at_once = burst_tokens::of(burst);
    if (!minute || !day || !at_once) return std::nullopt;
    plan const made{*minute, *day, minute_refill, *at_once};
    return made.is_sound() ? std::optional{made} : std::nullopt;
  }

  /// The tokens of a full minute's bucket: the burst, or those of a minute.
  [[nodiscard]] constexpr std::uint32_t minute_bucket() const noexcept {
    return minute_refill == refill::continuous && burst != 0 ? std::uint32_t{burst} : std::uint32_t{per_minute};
  }
  /// Whether the members agree: there is no burst without continuous refill.
  [[nodiscard]] constexpr bool is_sound() const noexcept { return burst == 0 || minute_refill == refill::continuous; }

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
