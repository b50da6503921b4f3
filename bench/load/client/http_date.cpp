// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "client/http_date.hpp"

#include <array>
#include <charconv>

namespace petstore::load {
namespace {

using std::chrono::sys_seconds;

constexpr std::array<std::string_view, 12> month_names{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> day_names{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                    "Thursday", "Friday", "Saturday"};

/// Reads a text from left to right. After the first mistake, everything else is a mistake, too.
class reader {
 public:
  explicit reader(std::string_view text) noexcept : rest_(text) {}

  bool is_right() const noexcept { return is_right_; }
  bool is_done() const noexcept { return is_right_ && rest_.empty(); }

  void take(std::string_view expected) noexcept {
    is_right_ = is_right_ && rest_.starts_with(expected);
    if (is_right_) rest_.remove_prefix(expected.size());
  }
  bool takes(std::string_view expected) noexcept {
    bool const is_there = is_right_ && rest_.starts_with(expected);
    if (is_there) rest_.remove_prefix(expected.size());
    return is_there;
  }
  /// Exactly so many digits; the first may be a space if `padded`.
  unsigned number(std::size_t digits, bool padded = false) noexcept {
    if (padded && takes(" ")) --digits;
    unsigned value = 0;
    auto const end = rest_.data() + std::min(digits, rest_.size());
    auto const [last, fault] = std::from_chars(rest_.data(), end, value);
    is_right_ = is_right_ && rest_.size() >= digits && fault == std::errc{} && last == end;
    if (is_right_) rest_.remove_prefix(digits);
    return value;
  }
  std::chrono::month month() noexcept {
    for (unsigned i = 0; i < month_names.size(); ++i)
      if (takes(month_names[i])) return std::chrono::month(i + 1);
    is_right_ = false;
    return {};
  }
  void day_name(std::size_t letters) noexcept {
    for (auto const name : day_names)
      if (takes(name.substr(0, letters))) return;
    is_right_ = false;
  }
  std::chrono::seconds time_of_day() noexcept {
    std::chrono::hours const h(number(2));
    take(":");
    std::chrono::minutes const m(number(2));
    take(":");
    std::chrono::seconds const s(number(2));
    is_right_ = is_right_ && h.count() < 24 && m.count() < 60 && s.count() <= 60;  // 60: a leap second
    return h + m + s;
  }

 private:
  std::string_view rest_;
  bool is_right_ = true;
};

std::optional<sys_seconds> moment(reader const& read, std::chrono::year_month_day date,
                                  std::chrono::seconds time) noexcept {
  if (!read.is_done() || !date.ok()) return std::nullopt;
  return std::chrono::sys_days(date) + time;
}

std::optional<sys_seconds> imf_fixdate(reader read) noexcept {
  read.day_name(3);
  read.take(", ");
  std::chrono::day const day(read.number(2));
  read.take(" ");
  auto const month = read.month();
  read.take(" ");
  std::chrono::year const year(static_cast<int>(read.number(4)));
  read.take(" ");
  auto const time = read.time_of_day();
  read.take(" GMT");
  return moment(read, year / month / day, time);
}

std::optional<sys_seconds> rfc_850(reader read, sys_seconds now) noexcept {
  read.day_name(std::string_view::npos);
  read.take(", ");
  std::chrono::day const day(read.number(2));
  read.take("-");
  auto const month = read.month();
  read.take("-");
  auto const this_year = int(std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(now)).year());
  auto year = this_year - this_year % 100 + static_cast<int>(read.number(2));
  if (year > this_year + 50) year -= 100;
  if (year <= this_year - 50) year += 100;
  read.take(" ");
  auto const time = read.time_of_day();
  read.take(" GMT");
  return moment(read, std::chrono::year(year) / month / day, time);
}

std::optional<sys_seconds> asctime(reader read) noexcept {
  read.day_name(3);
  read.take(" ");
  auto const month = read.month();
  read.take(" ");
  std::chrono::day const day(read.number(2, true));
  read.take(" ");
  auto const time = read.time_of_day();
  read.take(" ");
  std::chrono::year const year(static_cast<int>(read.number(4)));
  return moment(read, year / month / day, time);
}

}  // namespace

std::optional<sys_seconds> parse_http_date(std::string_view text, sys_seconds now) noexcept {
  reader const read(text);
  if (auto const fixed = imf_fixdate(read)) return fixed;
  if (auto const old = rfc_850(read, now)) return old;
  return asctime(read);
}

}  // namespace petstore::load
