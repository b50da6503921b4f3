// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/page/axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "report/wording.hpp"

namespace petstore::load {
namespace {

/// A small tolerance, so that rounding of the logarithm does not add a step at a power of ten.
constexpr double slack = 1e-9;

double round_down(double value) noexcept {
  auto const decade = std::pow(10, std::floor(std::log10(value) + slack));
  auto const lead = value / decade;
  return decade * (lead >= 5 - slack ? 5 : lead >= 2 - slack ? 2 : 1);
}

std::string time_label(double seconds, bool in_minutes) {
  if (!in_minutes) return round_duration_words(std::chrono::nanoseconds(std::llround(seconds * 1e9)));
  auto const whole = static_cast<std::int64_t>(std::lround(seconds));
  auto const two = [](std::int64_t n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  if (whole >= 3'600) return std::to_string(whole / 3'600) + ":" + two(whole / 60 % 60) + " h";
  return std::to_string(whole / 60) + ":" + two(whole % 60);
}

/// The usual steps of time.
double time_step(double about) noexcept {
  if (about <= 10) return round_up(std::max(about, 0.1));
  for (double const step : {15.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1'800.0, 3'600.0, 7'200.0})
    if (about <= step) return step;
  return 3'600 * round_up(about / 3'600);
}

}  // namespace

double round_up(double value) noexcept {
  auto const decade = std::pow(10, std::floor(std::log10(value) + slack));
  auto const lead = value / decade;
  return decade * (lead <= 1 + slack ? 1 : lead <= 2 + slack ? 2 : lead <= 5 + slack ? 5 : 10);
}

axis axis::linear_to(double high, std::size_t ticks_about) {
  axis a;
  // Without values, the scale still needs an end.
  if (!(high > 0)) high = 1;
  auto const step = round_up(high / static_cast<double>(std::max<std::size_t>(ticks_about, 1)));
  a.high_ = step * std::ceil(high / step - slack);
  for (double i = 0; i * step <= a.high_ * (1 + slack); ++i) a.ticks_.push_back({i * step, {}});
  return a;
}

axis axis::of_durations(double low, double high) {
  axis a;
  a.scale_ = scale::logarithmic;
  a.low_ = round_down(std::max(low, 1.0));
  a.high_ = std::max(round_up(std::max(high, 1.0)), a.low_ * 2);
  // Over many decades, one line for each is enough.
  bool const fine = a.high_ / a.low_ < 2'000;
  for (auto value = a.low_; value <= a.high_ * (1 + slack);) {
    auto const lead = value / std::pow(10, std::floor(std::log10(value) + slack));
    if (fine || lead < 1.5)
      a.ticks_.push_back({value, round_duration_words(std::chrono::nanoseconds(std::llround(value)))});
    value *= lead < 1.5 ? 2 : lead < 3 ? 2.5 : 2;
  }
  return a;
}

axis axis::of_time(double end, std::size_t ticks_about) {
  axis a;
  a.high_ = std::max(end, 1e-3);
  auto const step = time_step(a.high_ / static_cast<double>(std::max<std::size_t>(ticks_about, 1)));
  for (double i = 0; i * step <= a.high_ * (1 + slack); ++i)
    a.ticks_.push_back({i * step, i == 0 ? "0" : time_label(i * step, a.high_ >= 120)});
  return a;
}

axis axis::of_percentiles(double last, bool fewer_lines) {
  axis a;
  a.scale_ = scale::nines;
  a.high_ = std::min(last, 0.9999999);
  struct line {
    double q;
    bool in_narrow;
  };
  for (auto const& [q, in_narrow] :
       {line{0, true}, line{0.5, true}, line{0.75, false}, line{0.9, true}, line{0.95, false}, line{0.99, true},
        line{0.995, false}, line{0.999, true}, line{0.9999, true}, line{0.99999, true}, line{0.999999, true}})
    if (q <= a.high_ + slack && (in_narrow || !fewer_lines)) a.ticks_.push_back({q, q == 0 ? "min" : quantile_name(q)});
  return a;
}

double axis::place(double value) const noexcept {
  double at = 0;
  switch (scale_) {
    case scale::linear: at = (value - low_) / (high_ - low_); break;
    case scale::logarithmic: at = std::log(std::max(value, 1e-9) / low_) / std::log(high_ / low_); break;
    case scale::nines: at = std::log(1 - std::min(value, high_)) / std::log(1 - high_); break;
  }
  return std::clamp(at, 0.0, 1.0);
}

}  // namespace petstore::load
