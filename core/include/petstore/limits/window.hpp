// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <ratio>
#include <string>
#include <utility>

#include "petstore/export.hpp"
#include "petstore/limits/instant.hpp"

namespace petstore::limits {

/// The most tokens of a short window.
inline constexpr std::uint32_t short_tokens_max = (1u << 24) - 1;
/// The most tokens of a long window. If its period begins with a request, `long_tokens_by_request_max`.
inline constexpr std::uint64_t long_tokens_max = (std::uint64_t{1} << 40) - 1;
/// See `long_tokens_max`.
inline constexpr std::uint64_t long_tokens_by_request_max = (std::uint64_t{1} << 32) - 1;

namespace detail {

/// Only its name is used: the compiler prints it for an invalid period.
void a_period_is_of_whole_seconds_from_1_to_31_days_or_a_month();
/// The same.
void a_short_window_has_1_to_16777215_tokens();
/// The same.
void a_long_window_has_1_to_1099511627775_tokens_or_4294967295_if_a_request_begins_it();
/// The same.
void a_long_window_aligned_to_utc_has_a_period_of_whole_hours();

}  // namespace detail

/// How long a window's periods are, and when they begin. There are two kinds:
///  - A period of whole seconds, 1 s .. 31 days, begins with the request that finds none open. `aligned` makes it begin
///    at the multiples of its length since Monday 1970-01-05T00:00:00Z instead: an hour on the hour, a day at 00:00
///    UTC, a week on Monday.
///  - A calendar month by UTC.
///
/// A constant duration of whole numbers converts implicitly and is checked by the compiler, and
/// `std::chrono::months{1}` is the calendar month. Any other duration must go through `of`.
class PETSTORE_EXPORT period {
 public:
  /// A constant. It does not compile outside the range.
  template <std::integral Rep, class Ratio>
  consteval period(std::chrono::duration<Rep, Ratio> length)
      : bits_{static_cast<std::uint32_t>(std::chrono::duration_cast<std::chrono::seconds>(length).count())} {
    if (length < std::chrono::seconds{1} || length > longest_length ||
        length % std::chrono::seconds{1} != length.zero())
      detail::a_period_is_of_whole_seconds_from_1_to_31_days_or_a_month();
  }
  /// The calendar month. No other number of months compiles.
  consteval period(std::chrono::months length) : bits_{month_bit | aligned_bit} {
    if (length.count() != 1) detail::a_period_is_of_whole_seconds_from_1_to_31_days_or_a_month();
  }
  /// Any number of seconds; nullopt outside the range.
  [[nodiscard]] static constexpr std::optional<period> of(std::chrono::seconds length) noexcept {
    if (length < std::chrono::seconds{1} || length > longest_length) return std::nullopt;
    return from_bits(static_cast<std::uint32_t>(length.count()));
  }

  /// The period of the same length that is aligned to UTC.
  [[nodiscard]] constexpr period aligned() const noexcept { return from_bits(bits_ | aligned_bit); }
  /// Whether it is aligned to UTC; a month always is.
  [[nodiscard]] constexpr bool is_aligned() const noexcept { return (bits_ & aligned_bit) != 0; }
  /// Whether it is the calendar month.
  [[nodiscard]] constexpr bool is_month() const noexcept { return (bits_ & month_bit) != 0; }

  /// The length; of a month, that of the longest one, 31 days.
  [[nodiscard]] constexpr std::chrono::seconds longest() const noexcept {
    return is_month() ? std::chrono::seconds{longest_length} : std::chrono::seconds{bits_ & length_mask};
  }
  /// The end of the aligned period that `t` is in: the first later moment at which one begins. If it is not aligned,
  /// the end of the period that a request at `t` begins. `t` is in 1970 .. 2261; a later one counts as
  /// the last month of these.
  [[nodiscard]] constexpr wall_time end_after(wall_time t) const noexcept {
    using namespace std::chrono;
    constexpr wall_time latest = sys_days{year{2261} / December / 1};
    t = std::min(t, latest);
    if (!is_aligned()) return t + longest();
    if (is_month()) {
      year_month_day const day{floor<days>(t)};
      return sys_days{day.year() / day.month() / 1 + months{1}};
    }
    constexpr sys_days monday{days{4}};
    nanoseconds const length = longest();
    nanoseconds const into = (t - monday) % length;
    return t + (into.count() < 0 ? -into : length - into);
  }
  /// The length of the aligned period that ends at `end`; if it is not aligned, its length.
  [[nodiscard]] constexpr std::chrono::seconds length_before(wall_time end) const noexcept {
    using namespace std::chrono;
    if (!is_month()) return longest();
    year_month_day const last{floor<days>(end - days{1})};
    return seconds{(last.year() / last.month() / std::chrono::last).day() - day{0}};
  }

  /// In 24 bits, for storage and messages: the seconds (22 bits), whether it is a month, whether it is aligned.
  [[nodiscard]] constexpr std::uint32_t bits() const noexcept { return bits_; }
  /// The inverse; nullopt for other numbers.
  [[nodiscard]] static constexpr std::optional<period> of_bits(std::uint32_t bits) noexcept {
    if (bits == (month_bit | aligned_bit)) return from_bits(bits);
    if ((bits & ~(length_mask | aligned_bit)) != 0) return std::nullopt;
    auto const made = of(std::chrono::seconds{bits & length_mask});
    return made && (bits & aligned_bit) != 0 ? std::optional{made->aligned()} : made;
  }

  friend constexpr bool operator==(period, period) = default;

 private:
  static constexpr std::chrono::days longest_length{31};
  static constexpr std::uint32_t length_mask = (1u << 22) - 1;
  static constexpr std::uint32_t month_bit = 1u << 22;
  static constexpr std::uint32_t aligned_bit = 1u << 23;

  friend class long_window;
  constexpr period() noexcept = default;
  static constexpr period from_bits(std::uint32_t bits) noexcept {
    period made;
    made.bits_ = bits;
    return made;
  }

  std::uint32_t bits_ = 1;
};

/// The name of a period in headers and messages: `second`, `minute`, `hour`, `day`, `week`, `month`, and for any other
/// length its seconds, as in `90s`.
[[nodiscard]] PETSTORE_EXPORT std::string name_of(period);

/// A number of tokens for each period, not checked yet: what the windows of a plan are made of.
///
///     plan const generous{.short_window = per_second(50), .long_window = per_month(1'000'000)};
///     plan const odd{.short_window = window{20, std::chrono::seconds{90}}};
struct PETSTORE_EXPORT window {
  std::int64_t tokens = 0;                           ///< of a whole period
  limits::period period = std::chrono::seconds{60};  ///< how long that is

  friend constexpr bool operator==(window const&, window const&) = default;
};

namespace detail {

/// A number that no int64 has is not in the range of a window either.
template <std::integral Number>
constexpr std::int64_t as_tokens(Number n) noexcept {
  return std::in_range<std::int64_t>(n) ? static_cast<std::int64_t>(n) : -1;
}

}  // namespace detail

/// So many tokens a second; each second begins with the request that finds none open. There are no fractions of a
/// token.
template <std::integral Number>
[[nodiscard]] constexpr window per_second(Number tokens) noexcept {
  return {detail::as_tokens(tokens), std::chrono::seconds{1}};
}
/// So many tokens a minute; each minute begins with the request that finds none open.
template <std::integral Number>
[[nodiscard]] constexpr window per_minute(Number tokens) noexcept {
  return {detail::as_tokens(tokens), std::chrono::minutes{1}};
}
/// So many tokens an hour; each hour begins with the request that finds none open.
template <std::integral Number>
[[nodiscard]] constexpr window per_hour(Number tokens) noexcept {
  return {detail::as_tokens(tokens), std::chrono::hours{1}};
}
/// So many tokens a day; each day begins at 00:00 UTC.
template <std::integral Number>
[[nodiscard]] constexpr window per_day(Number tokens) noexcept {
  return {detail::as_tokens(tokens), period{std::chrono::days{1}}.aligned()};
}
/// So many tokens a week; each week begins on Monday at 00:00 UTC.
template <std::integral Number>
[[nodiscard]] constexpr window per_week(Number tokens) noexcept {
  return {detail::as_tokens(tokens), period{std::chrono::weeks{1}}.aligned()};
}
/// So many tokens a calendar month by UTC.
template <std::integral Number>
[[nodiscard]] constexpr window per_month(Number tokens) noexcept {
  return {detail::as_tokens(tokens), std::chrono::months{1}};
}

/// The short window of a plan: 1 .. short_tokens_max tokens for each period of any kind. A constant `window` converts
/// implicitly and is checked by the compiler; any other must go through `of`, as one of a `plan` through `plan::of`.
class PETSTORE_EXPORT short_window {
 public:
  /// A constant. It does not compile outside the range.
  consteval short_window(window written)
      : tokens_{static_cast<std::uint32_t>(written.tokens)}, period_{written.period} {
    if (!is_valid(written)) detail::a_short_window_has_1_to_16777215_tokens();
  }
  /// Any window; nullopt outside the range.
  [[nodiscard]] static constexpr std::optional<short_window> of(window any) noexcept {
    return is_valid(any) ? std::optional{short_window{checked{}, any}} : std::nullopt;
  }

  /// 1 .. short_tokens_max.
  [[nodiscard]] constexpr std::uint32_t tokens() const noexcept { return tokens_; }
  /// How long the tokens are for.
  [[nodiscard]] constexpr limits::period period() const noexcept { return period_; }

  friend constexpr bool operator==(short_window const&, short_window const&) = default;

 private:
  struct checked {};
  constexpr short_window(checked, window w) noexcept
      : tokens_{static_cast<std::uint32_t>(w.tokens)}, period_{w.period} {}
  static constexpr bool is_valid(window w) noexcept { return w.tokens >= 1 && w.tokens <= short_tokens_max; }

  std::uint32_t tokens_;
  limits::period period_;
};

/// The long window of a plan, or none: 1 .. long_tokens_max tokens for each period that is aligned to UTC and of whole
/// hours or a month, or 1 .. long_tokens_by_request_max for each period that begins with a request. Such a period ends
/// at a full second of the boot clock, up to a second later than its length says. It is checked like a short one.
class PETSTORE_EXPORT long_window {
 public:
  constexpr long_window() noexcept = default;  ///< none
  /// A constant. It does not compile outside the range; 0 tokens are outside, too.
  consteval long_window(window written) : long_window{checked{}, written} {
    if (!is_valid_number(written))
      detail::a_long_window_has_1_to_1099511627775_tokens_or_4294967295_if_a_request_begins_it();
    if (!is_valid_period(written.period)) detail::a_long_window_aligned_to_utc_has_a_period_of_whole_hours();
  }
  /// Any window; nullopt outside the range.
  [[nodiscard]] static constexpr std::optional<long_window> of(window any) noexcept {
    bool const is_valid = is_valid_number(any) && is_valid_period(any.period);
    return is_valid ? std::optional{long_window{checked{}, any}} : std::nullopt;
  }

  /// Whether there is one.
  [[nodiscard]] constexpr explicit operator bool() const noexcept { return bits_ != 0; }
  /// 1 .. long_tokens_max; 0 if there is none.
  [[nodiscard]] constexpr std::uint64_t tokens() const noexcept { return bits_ & long_tokens_max; }
  /// How long the tokens are for. If there is none, a second.
  [[nodiscard]] constexpr limits::period period() const noexcept {
    return limits::period::from_bits(*this ? static_cast<std::uint32_t>(bits_ >> token_bits) : 1);
  }
  /// Whether its periods are aligned to UTC.
  [[nodiscard]] constexpr bool is_aligned() const noexcept { return period().is_aligned(); }

  friend constexpr bool operator==(long_window const&, long_window const&) = default;

 private:
  struct checked {};
  constexpr long_window(checked, window w) noexcept
      : bits_{std::uint64_t{w.period.bits()} << token_bits | static_cast<std::uint64_t>(w.tokens)} {}
  static constexpr bool is_valid_number(window w) noexcept {
    std::uint64_t const most = w.period.is_aligned() ? long_tokens_max : long_tokens_by_request_max;
    return w.tokens >= 1 && static_cast<std::uint64_t>(w.tokens) <= most;
  }
  static constexpr bool is_valid_period(limits::period p) noexcept {
    return !p.is_aligned() || p.longest() % std::chrono::hours{1} == std::chrono::seconds{0};
  }

  static constexpr unsigned token_bits = 40;
  std::uint64_t bits_ = 0;  // the period's 24 bits, then the tokens
};

}  // namespace petstore::limits
