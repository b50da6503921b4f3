// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "schedule/load_shape.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace petstore::load {
namespace {

using std::chrono::nanoseconds;

constexpr std::array shape_names{std::pair{std::string_view("constant"), shape_kind::constant},
                                 std::pair{std::string_view("ramp"), shape_kind::ramp},
                                 std::pair{std::string_view("steps"), shape_kind::steps},
                                 std::pair{std::string_view("spike"), shape_kind::spike}};
constexpr std::array arrival_names{std::pair{std::string_view("even"), arrival_kind::even},
                                   std::pair{std::string_view("poisson"), arrival_kind::poisson}};

struct unit {
  std::string_view name;
  double nanoseconds;
};
constexpr std::array units{unit{"ns", 1},  unit{"us", 1e3}, unit{"ms", 1e6},
                           unit{"s", 1e9}, unit{"m", 60e9}, unit{"h", 3'600e9}};

template <class Names>
auto parse_name(Names const& names, std::string_view text, std::string_view what) {
  parsed<decltype(names[0].second)> outcome;
  std::string known;
  for (auto const& [name, value] : names) {
    if (name == text) outcome.value = value;
    known.append(known.empty() ? "" : ", ").append(name);
  }
  if (!outcome.value) outcome.mistake = std::string(what) + " is one of " + known + "; not '" + std::string(text) + "'";
  return outcome;
}

template <class Names, class Value>
std::string_view name_in(Names const& names, Value value) noexcept {
  for (auto const& [name, known] : names)
    if (known == value) return name;
  return {};
}

/// Removes a number without a sign from the front.
std::optional<double> take_number(std::string_view& text) noexcept {
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  double number = 0;
  auto const [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (fault != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<double> take_rate(std::string_view text) noexcept {
  auto rate = take_number(text);
  if (!rate) return std::nullopt;
  if (text == "k" || text == "K") {
    *rate *= 1e3;
  } else if (!text.empty()) {
    return std::nullopt;
  }
  return rate;
}

std::string number_text(double number) {
  std::array<char, 32> digits;
  auto const [end, fault] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  return {digits.data(), end};
}

}  // namespace

parsed<load_shape> parse_rate(std::string_view text, load_shape shape) {
  constexpr std::string_view range = "..";
  if (text == "max") {
    shape.is_max = true;
    return {shape, {}};
  }
  shape.is_max = false;
  auto const dots = text.find(range);
  auto const from = take_rate(text.substr(0, dots));
  auto const to = dots == text.npos ? from : take_rate(text.substr(dots + range.size()));
  if (!from || !to)
    return {{},
            "a rate is requests a second, as 500 or 2.5k, or from one to another, as 10..500, or max; not '" +
                std::string(text) + "'"};
  if (*to <= 0 || *from > rate_max || *to > rate_max)
    return {{},
            "a rate is more than 0 and at most " + number_text(rate_max) + " requests a second; not '" +
                std::string(text) + "'"};
  shape.from = *from;
  shape.to = *to;
  return {shape, {}};
}

parsed<nanoseconds> parse_duration(std::string_view text) {
  auto const mistake = [&](std::string_view why) -> parsed<nanoseconds> {
    return {{}, std::string(why) + "; not '" + std::string(text) + "'"};
  };
  constexpr std::string_view form = "a duration is a number and a unit (us, ms, s, m, h), as 30s or 1m30s";
  auto rest = text;
  double total = 0;
  do {
    auto const number = take_number(rest);
    if (!number) return mistake(form);
    auto const letters = rest.substr(0, rest.find_first_of("0123456789"));
    rest.remove_prefix(letters.size());
    double scale = 0;
    for (auto const& u : units)
      if (u.name == letters) scale = u.nanoseconds;
    if (letters.empty()) scale = 1e9;
    if (scale == 0) return mistake(form);
    total += *number * scale;
  } while (!rest.empty());
  if (!(total >= 1) || total > static_cast<double>(nanoseconds(duration_max).count()))
    return mistake("a duration is more than nothing and at most " + duration_text(duration_max));
  return {nanoseconds(std::llround(total)), {}};
}

parsed<shape_kind> parse_shape(std::string_view text) {
  return parse_name(shape_names, text, "a shape");
}

parsed<arrival_kind> parse_arrivals(std::string_view text) {
  return parse_name(arrival_names, text, "a kind of arrivals");
}

double mean_rate(load_shape const& shape) noexcept {
  switch (shape.shape) {
    case shape_kind::constant: return shape.to;
    case shape_kind::ramp:
    case shape_kind::steps: return (shape.from + shape.to) / 2;
    case shape_kind::spike: return std::lerp(shape.from, shape.to, spike_share);
  }
  return 0;
}

std::string shape_text(load_shape const& shape) {
  if (shape.is_max) return "max";
  auto text = number_text(shape.to) + "/s";
  if (shape.shape != shape_kind::constant) text = number_text(shape.from) + ".." + text;
  text.append(" ").append(name_in(shape_names, shape.shape));
  if (shape.shape == shape_kind::steps) text.append(" (").append(std::to_string(shape.steps)).append(")");
  if (shape.arrivals != arrival_kind::even) text.append(", ").append(name_in(arrival_names, shape.arrivals));
  return text;
}

std::string duration_text(nanoseconds duration) {
  std::string text;
  auto left = duration.count();
  auto const take = [&](std::int64_t size, std::string_view name) {
    if (left >= size) text.append(std::to_string(left / size)).append(name);
    left %= size;
  };
  take(3'600'000'000'000, "h");
  take(60'000'000'000, "m");
  take(1'000'000'000, "s");
  take(1'000'000, "ms");
  take(1'000, "us");
  take(1, "ns");
  return text.empty() ? "0s" : text;
}

}  // namespace petstore::load
