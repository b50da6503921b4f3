// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "schedule/load_shape.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "client/head_lines.hpp"

namespace petstore::load {
namespace {

using std::chrono::nanoseconds;

constexpr std::array arrival_names{std::pair{std::string_view("even"), arrival_kind::even},
                                   std::pair{std::string_view("poisson"), arrival_kind::poisson}};

constexpr std::string_view range = "..";

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

/// A rate from 0 on, or two of them.
std::optional<std::pair<double, double>> take_rates(std::string_view text) noexcept {
  auto const dots = text.find(range);
  auto const from = take_rate(text.substr(0, dots));
  auto const to = dots == text.npos ? from : take_rate(text.substr(dots + range.size()));
  if (!from || !to) return std::nullopt;
  return std::pair(*from, *to);
}

std::string number_text(double number) {
  std::array<char, 32> digits;
  auto const [end, fault] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  return {digits.data(), end};
}

parsed<rate_stage> parse_stage(std::string_view text) {
  auto const space = text.find(' ');
  auto const rates = take_rates(text.substr(0, space));
  if (!rates || space == text.npos)
    return {{}, "a stage is a rate and its time, as '500 5m' or '0..500 30s'; not '" + std::string(text) + "'"};
  if (rates->first > rate_max || rates->second > rate_max)
    return {{}, "a rate is at most " + number_text(rate_max) + " requests a second; not '" + std::string(text) + "'"};
  auto const length = parse_duration(trimmed(text.substr(space)));
  if (!length.value) return {{}, length.mistake};
  return {rate_stage{rates->first, rates->second, *length.value}, {}};
}

std::string stage_text(rate_stage const& s) {
  return number_text(s.from) + (s.to == s.from ? "" : ".." + number_text(s.to)) + "/s " + duration_text(s.length);
}

}  // namespace

parsed<load_shape> parse_rate(std::string_view text, load_shape shape) {
  if (text == "max") {
    shape.is_max = true;
    shape.stages.clear();
    return {shape, {}};
  }
  shape.is_max = false;
  shape.stages.clear();
  auto const rates = take_rates(text);
  if (!rates) return {{}, "a rate is requests a second, as 500 or 2.5k, or max; not '" + std::string(text) + "'"};
  auto const [from, to] = *rates;
  if (to <= 0 || from > rate_max || to > rate_max)
    return {{},
            "a rate is more than 0 and at most " + number_text(rate_max) + " requests a second; not '" +
                std::string(text) + "'"};
  shape.from = from;
  shape.to = to;
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

parsed<std::vector<rate_stage>> parse_stages(std::string_view text) {
  parsed<std::vector<rate_stage>> outcome;
  auto& stages = outcome.value.emplace();
  for (std::size_t begin = 0; begin <= text.size();) {
    auto const end = std::min(text.find(',', begin), text.size());
    auto stage = parse_stage(trimmed(text.substr(begin, end - begin)));
    if (!stage.value) return {{}, "stage " + std::to_string(stages.size() + 1) + ": " + stage.mistake};
    if (stages.size() == stages_max) return {{}, "there are at most " + std::to_string(stages_max) + " stages"};
    stages.push_back(*stage.value);
    begin = end + 1;
  }
  if (std::ranges::all_of(stages, [](rate_stage const& s) { return s.from == 0 && s.to == 0; }))
    return {{}, "in one of the stages at least, the rate is more than 0"};
  if (length_of(stages) > duration_max) return {{}, "all stages take at most " + duration_text(duration_max)};
  return outcome;
}

nanoseconds length_of(std::vector<rate_stage> const& stages) noexcept {
  nanoseconds sum{};
  for (auto const& s : stages) sum += s.length;
  return sum;
}

parsed<arrival_kind> parse_arrivals(std::string_view text) {
  return parse_name(arrival_names, text, "a kind of arrivals");
}

double mean_rate(load_shape const& shape) noexcept {
  if (shape.stages.empty()) return shape.to;
  double requests = 0;
  for (auto const& s : shape.stages) requests += (s.from + s.to) / 2 * std::chrono::duration<double>(s.length).count();
  return requests / std::chrono::duration<double>(length_of(shape.stages)).count();
}

std::string shape_text(load_shape const& shape) {
  if (shape.is_max) return "max";
  auto text = shape.stages.empty() ? number_text(shape.to) + "/s constant" : std::string();
  for (auto const& s : shape.stages) text.append(text.empty() ? "" : ", ").append(stage_text(s));
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
