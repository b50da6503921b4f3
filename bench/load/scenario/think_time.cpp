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
  if (how == kind::fixed) return mean;
  auto const means = std::min(-std::log1p(-random.fraction()), longest_of_means);
  return nanoseconds(static_cast<std::int64_t>(means * static_cast<double>(mean.count())));
}

parsed<think_time> parse_think_time(std::string_view text) {
  constexpr std::string_view exponential = "exponential ";
  think_time time;
  if (text == "none") return {time, {}};
  auto rest = without_spaces(text);
  if (rest.starts_with(exponential)) {
    time.how = think_time::kind::exponential;
    rest = without_spaces(rest.substr(exponential.size()));
  }
  auto const mean = parse_duration(rest);
  if (!mean.value) return {{}, "a think time is 200ms, 'exponential 200ms' or none; not '" + std::string(text) + "'"};
  time.mean = *mean.value;
  return {time, {}};
}

}  // namespace petstore::load
