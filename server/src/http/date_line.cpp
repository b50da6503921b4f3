// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/date_line.hpp"

#include "http/put.hpp"

namespace petstore::server::http {
namespace {

/// Writes the value right-aligned, with leading zeros.
char* put_padded(char* at, unsigned value, unsigned digits) noexcept {
  for (unsigned i = digits; i-- > 0; value /= 10) at[i] = static_cast<char>('0' + value % 10);
  return at + digits;
}

}  // namespace

std::string_view date_line::at(std::chrono::system_clock::time_point now) noexcept {
  auto const second = std::chrono::floor<std::chrono::seconds>(now);
  if (second != written_for_) write(second);
  return {text_.data(), text_.size()};
}

void date_line::write(std::chrono::sys_seconds second) noexcept {
  constexpr std::string_view weekdays[] = {"Sun, ", "Mon, ", "Tue, ", "Wed, ", "Thu, ", "Fri, ", "Sat, "};
  constexpr std::string_view months[] = {" Jan ", " Feb ", " Mar ", " Apr ", " May ", " Jun ",
                                         " Jul ", " Aug ", " Sep ", " Oct ", " Nov ", " Dec "};
  auto const day = std::chrono::floor<std::chrono::days>(second);
  std::chrono::year_month_day const date{day};
  std::chrono::hh_mm_ss const time{second - day};

  char* at = put(text_.data(), "Date: ");
  at = put(at, weekdays[std::chrono::weekday{day}.c_encoding()]);
  at = put_padded(at, unsigned{date.day()}, 2);
  at = put(at, months[unsigned{date.month()} - 1]);
  at = put_padded(at, static_cast<unsigned>(int{date.year()}), 4);
  at = put(at, " ");
  at = put_padded(at, static_cast<unsigned>(time.hours().count()), 2);
  at = put(at, ":");
  at = put_padded(at, static_cast<unsigned>(time.minutes().count()), 2);
  at = put(at, ":");
  at = put_padded(at, static_cast<unsigned>(time.seconds().count()), 2);
  put(at, " GMT\r\n");
  written_for_ = second;
}

}  // namespace petstore::server::http
