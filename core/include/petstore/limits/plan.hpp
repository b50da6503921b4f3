// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>

#include "petstore/export.hpp"

namespace petstore::limits {

/// How the minute bucket is refilled.
enum class refill : std::uint8_t {
  periodic,    ///< whole, 60 s after the request that opened the period
  continuous,  ///< one token each 60/quota seconds, burst = quota (GCRA, ITU-T I.371)
};

/// The largest quotas, as many as an account's words have room to count.
inline constexpr std::uint32_t per_minute_max = (1u << 24) - 1;
/// See `per_minute_max`.
inline constexpr std::uint64_t per_day_max = (std::uint64_t{1} << 40) - 1;

namespace detail {

/// Only named, in what a compiler says of a plan that cannot be.
void a_minute_quota_is_1_to_16777215_tokens();
/// The same.
void a_day_quota_is_at_most_1099511627775_tokens();

}  // namespace detail

/// The quota of a minute: 1 .. per_minute_max. A number that is written down is checked by the compiler; one that comes
/// from elsewhere is a std::uint32_t, and counts as the nearest of the range when it is outside.
class PETSTORE_EXPORT tokens_per_minute {
 public:
  /// A number in the source. Outside the range it does not compile.
  consteval tokens_per_minute(int written) : tokens_{static_cast<std::uint32_t>(written)} {
    if (written < 1 || tokens_ > per_minute_max) detail::a_minute_quota_is_1_to_16777215_tokens();
  }
  /// Any other number; the nearest of the range.
  constexpr tokens_per_minute(std::uint32_t tokens) noexcept
      : tokens_{std::clamp<std::uint32_t>(tokens, 1, per_minute_max)} {}
  /// 1 .. per_minute_max.
  constexpr operator std::uint32_t() const noexcept { return tokens_; }

 private:
  std::uint32_t tokens_;
};

/// The quota of a day: 1 .. per_day_max, or 0, which is none. Numbers are checked as those of a minute are; one that
/// comes from elsewhere is a std::uint64_t.
class PETSTORE_EXPORT tokens_per_day {
 public:
  constexpr tokens_per_day() noexcept = default;  ///< none
  /// A number in the source. Outside the range it does not compile.
  template <std::signed_integral Number>
  consteval tokens_per_day(Number written) : tokens_{static_cast<std::uint64_t>(written)} {
    if (written < 0 || tokens_ > per_day_max) detail::a_day_quota_is_at_most_1099511627775_tokens();
  }
  /// There is no part of a token.
  template <std::floating_point Number>
  tokens_per_day(Number) = delete;
  /// Any other number; per_day_max when it is larger.
  constexpr tokens_per_day(std::uint64_t tokens) noexcept : tokens_{std::min(tokens, per_day_max)} {}
  /// 0 .. per_day_max.
  constexpr operator std::uint64_t() const noexcept { return tokens_; }

 private:
  std::uint64_t tokens_ = 0;
};

/// The numbers that apply to one identity: what its named plan says, or what its key overrides. There is no plan
/// without a quota for the minute.
struct PETSTORE_EXPORT plan {
  tokens_per_minute per_minute;             ///< 1 .. per_minute_max; there is no default
  tokens_per_day per_day = 0;               ///< 1 .. per_day_max, 0 = this plan has no day quota
  refill minute_refill = refill::periodic;  ///< of the minute's bucket; the day's is refilled whole at 00:00 UTC

  /// Of numbers from elsewhere, a configuration say: nullopt where one is outside its range.
  static constexpr std::optional<plan> of(std::int64_t per_minute, std::int64_t per_day = 0,
                                          refill minute_refill = refill::periodic) noexcept {
    if (per_minute < 1 || per_minute > per_minute_max || per_day < 0) return std::nullopt;
    auto const day = static_cast<std::uint64_t>(per_day);
    if (day > per_day_max) return std::nullopt;
    return plan{static_cast<std::uint32_t>(per_minute), day, minute_refill};
  }

  friend bool operator==(plan const&, plan const&) = default;
};

/// When a client that ignores its refusals is banned, and for how long.
struct PETSTORE_EXPORT ban_policy {
  std::uint32_t strikes = 100;               ///< 0 turns bans off
  std::chrono::milliseconds grace{250};      ///< after a refusal: what was under way by then is no strike
  std::chrono::milliseconds base{60'000};    ///< a first ban; it doubles with each that began in the 24 h before
  std::chrono::milliseconds max{3'600'000};  ///< no ban is longer
};

/// The default of `limiter`: refusals that are ignored are only refused.
inline constexpr ban_policy no_bans{.strikes = 0};

}  // namespace petstore::limits
