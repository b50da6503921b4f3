// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>

#include "petstore/json.hpp"

namespace petstore {
namespace {

using namespace std::chrono;

constexpr std::string_view pattern = "0000-00-00T00:00:00.000Z";  // 0: a digit
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
  auto const fits = [](char c, char shape) { return shape == '0' ? c >= '0' && c <= '9' : c == shape; };
  if (!std::ranges::equal(text, pattern, fits)) return std::nullopt;

  year_month_day const date{year{get(text.substr(0, 4))}, month{static_cast<unsigned>(get(text.substr(5, 2)))},
                            day{static_cast<unsigned>(get(text.substr(8, 2)))}};
  hours const h{get(text.substr(11, 2))};
  minutes const m{get(text.substr(14, 2))};
  seconds const s{get(text.substr(17, 2))};
  milliseconds const ms{get(text.substr(20, 3))};
  if (!date.ok() || date.year() < year{1} || h >= days{1} || m >= hours{1} || s >= minutes{1}) return std::nullopt;
  return sys_days{date} + h + m + s + ms;
}

}  // namespace petstore
