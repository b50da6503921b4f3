// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/think_time.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "schedule/load_shape.hpp"

namespace petstore::load {
namespace {

using std::chrono::nanoseconds;

constexpr double longest_of_means = 20;

std::string_view without_spaces(std::string_view text) noexcept {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

nanoseconds think_time::draw(chance& random) const noexcept {
  switch (how) {
    case kind::fixed: return most;
    case kind::uniform: return nanoseconds(random.between(least.count(), most.count()));
    case kind::exponential: break;
  }
  auto const means = std::min(-std::log1p(-random.fraction()), longest_of_means);
  return nanoseconds(static_cast<std::int64_t>(means * static_cast<double>(most.count())));
}

parsed<think_time> parse_think_time(std::string_view text) {
  constexpr std::string_view exponential = "exponential ", range = "..";
  think_time time;
  if (text == "none") return {time, {}};
  auto rest = without_spaces(text);
  if (rest.starts_with(exponential)) {
    time.how = think_time::kind::exponential;
    rest = without_spaces(rest.substr(exponential.size()));
  }
  auto const dots = rest.find(range);
  if (dots != rest.npos && time.how == think_time::kind::fixed) {
    auto const least = parse_duration(without_spaces(rest.substr(0, dots)));
    if (!least.value) return {{}, least.mistake};
    time.how = think_time::kind::uniform;
    time.least = *least.value;
    rest = without_spaces(rest.substr(dots + range.size()));
  }
  auto const most = parse_duration(rest);
  if (!most.value)
    return {{}, "a think time is 200ms, 100ms..300ms, 'exponential 200ms' or none; not '" + std::string(text) + "'"};
  time.most = *most.value;
  if (time.least > time.most)
    return {{}, "a think time goes from the shorter to the longer; not '" + std::string(text) + "'"};
  return {time, {}};
}

}  // namespace petstore::load
