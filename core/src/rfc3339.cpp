// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>

#include "petstore/json.hpp"

namespace petstore {
namespace {

using namespace std::chrono;

// 0: a digit
constexpr std::string_view pattern = "0000-00-00T00:00:00.000Z";
constexpr std::string_view date_pattern = "0000-00-00";
constexpr std::string_view time_pattern = "00:00:00";
constexpr std::string_view offset_pattern = "00:00";
constexpr unix_ms earliest = sys_days{year{1} / 1 / 1};
constexpr unix_ms latest = sys_days{year{10'000} / 1 / 1} - milliseconds{1};

void put(char* to, int digits, std::int64_t value) noexcept {
  while (digits-- != 0) {
    to[digits] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
}

int get(std::string_view digits) noexcept {
  int value = 0;
  for (char c : digits) value = value * 10 + (c - '0');
  return value;
}

bool has_shape(std::string_view text, std::string_view shape) noexcept {
  return std::ranges::equal(text, shape, [](char c, char s) { return s == '0' ? c >= '0' && c <= '9' : c == s; });
}

/// Cuts as many characters off the front, or all that there are.
std::string_view take(std::string_view& text, std::size_t size) noexcept {
  auto const taken = text.substr(0, size);
  text.remove_prefix(taken.size());
  return taken;
}

/// Takes a fraction of a second, such as `.25`; nullopt if there are no digits after the point.
std::optional<milliseconds> take_fraction(std::string_view& text) noexcept {
  if (!text.starts_with('.')) return milliseconds{0};
  auto const digits = text.substr(1, std::min(text.find_first_not_of("0123456789", 1), text.size()) - 1);
  if (digits.empty()) return std::nullopt;
  take(text, 1 + digits.size());
  int value = 0;
  for (std::size_t i = 0; i < 3; ++i) value = value * 10 + (i < digits.size() ? digits[i] - '0' : 0);
  return milliseconds{value};
}

/// Parses `Z`, or how far the local time is ahead of UTC, such as `+02:00`.
std::optional<minutes> parse_offset(std::string_view text) noexcept {
  if (text == "Z" || text == "z") return minutes{0};
  auto const sign = take(text, 1);
  if ((sign != "+" && sign != "-") || !has_shape(text, offset_pattern)) return std::nullopt;
  hours const h{get(text.substr(0, 2))};
  minutes const m{get(text.substr(3, 2))};
  if (h >= days{1} || m >= hours{1}) return std::nullopt;
  return sign == "+" ? h + m : -(h + m);
}

}  // namespace

void append_rfc3339(std::string& out, unix_ms t) {
  t = std::clamp(t, earliest, latest);
  auto const day = floor<days>(t);
  year_month_day const date{day};
  hh_mm_ss const clock{t - day};
  char text[pattern.size()];
  pattern.copy(text, pattern.size());
  put(text, 4, int{date.year()});
  put(text + 5, 2, unsigned{date.month()});
  put(text + 8, 2, unsigned{date.day()});
  put(text + 11, 2, clock.hours().count());
  put(text + 14, 2, clock.minutes().count());
  put(text + 17, 2, clock.seconds().count());
  put(text + 20, 3, clock.subseconds().count());
  out.append(text, pattern.size());
}

std::string to_rfc3339(unix_ms t) {
  std::string text;
  append_rfc3339(text, t);
  return text;
}

std::optional<unix_ms> parse_rfc3339(std::string_view text) noexcept {
  bool const has_leap_second = text.size() > 17 && text[17] == '6';
  return has_shape(text, pattern) && !has_leap_second ? parse_any_rfc3339(text) : std::nullopt;
}

std::optional<unix_ms> parse_any_rfc3339(std::string_view text) noexcept {
  auto const day = take(text, date_pattern.size());
  auto const separator = take(text, 1);
  auto const clock = take(text, time_pattern.size());
  if (!has_shape(day, date_pattern) || (separator != "T" && separator != "t") || !has_shape(clock, time_pattern))
    return std::nullopt;
  auto const fraction = take_fraction(text);
  auto const offset = parse_offset(text);
  if (!fraction || !offset) return std::nullopt;

  year_month_day const date{year{get(day.substr(0, 4))}, month{static_cast<unsigned>(get(day.substr(5, 2)))},
                            std::chrono::day{static_cast<unsigned>(get(day.substr(8, 2)))}};
  hours const h{get(clock.substr(0, 2))};
  minutes const m{get(clock.substr(3, 2))};
  seconds const s{get(clock.substr(6, 2))};
  if (!date.ok() || h >= days{1} || m >= hours{1} || s > minutes{1}) return std::nullopt;
  unix_ms const time = sys_days{date} + h + m + s + *fraction - *offset;
  bool const is_leap_second = s == minutes{1};
  if (is_leap_second && floor<seconds>(time) != floor<days>(time)) return std::nullopt;
  if (time < earliest || time > latest) return std::nullopt;
  return time;
}

}  // namespace petstore
