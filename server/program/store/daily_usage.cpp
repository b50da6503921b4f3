// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/daily_usage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "petstore/json.hpp"
#include "petstore/json_object.hpp"

namespace petstore::program {

using ports::usage_of_day;
using std::chrono::days;
using std::chrono::sys_days;

namespace {

constexpr std::string_view form_of_date = "2026-11-25";
constexpr std::string_view midnight = "T00:00:00.000Z";

}  // namespace

std::optional<sys_days> parse_date(std::string_view text) noexcept {
  if (text.size() != form_of_date.size()) return std::nullopt;
  std::array<char, form_of_date.size() + midnight.size()> time;
  std::ranges::copy(midnight, std::ranges::copy(text, time.begin()).out);
  auto const parsed = parse_rfc3339({time.data(), time.size()});
  return parsed ? std::optional{std::chrono::floor<days>(*parsed)} : std::nullopt;
}

std::string to_text(sys_days day) {
  return to_rfc3339(day).substr(0, form_of_date.size());
}

result<usage_period> make_period(std::optional<sys_days> from, std::optional<sys_days> to, sys_days today) {
  auto const refuse = [](std::string message) { return error{errc::invalid_request, std::move(message), {}}; };
  auto const last = to.value_or(today);
  auto const first = from.value_or(last - (usage_period_usual - days{1}));
  if (last < first) return refuse(fmt::format("from ({}) must not be after to ({})", to_text(first), to_text(last)));
  if (last - first >= ports::usage_kept)
    return refuse(fmt::format("from and to must span at most {} days", ports::usage_kept.count()));
  return usage_period{first, last};
}

std::vector<usage_of_day> fill_days(std::vector<usage_of_day> const& used, usage_period period) {
  std::vector<usage_of_day> all;
  auto next = used.begin();
  for (auto day = period.first; day <= period.last; day += days{1})
    all.push_back(next != used.end() && next->day == day ? *next++ : usage_of_day{.day = day});
  return all;
}

std::string usage_as_json(std::vector<usage_of_day> const& usage) {
  std::string text = "[";
  for (auto const& u : usage) {
    if (text.size() > 1) text.push_back(',');
    json_object{text}.add("date", to_text(u.day)).add("admitted", u.admitted).add("refused", u.refused).close();
  }
  return text + "]";
}

std::string usage_as_csv(std::vector<usage_of_day> const& usage) {
  std::string text = "date,admitted,refused\r\n";
  for (auto const& u : usage) text += fmt::format("{},{},{}\r\n", to_text(u.day), u.admitted, u.refused);
  return text;
}

}  // namespace petstore::program
