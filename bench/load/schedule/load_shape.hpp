// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// How many requests are due in a second, over the time of a run: what flags and scenario files say of it. `schedule`
// makes moments of it.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "parsed.hpp"

namespace petstore::load {

enum class shape_kind {
  constant,  ///< `to` all the time
  ramp,      ///< in a straight line from `from` to `to`
  steps,     ///< from `from` to `to` in `steps` equal steps, each as long
  spike,     ///< `from`, but `to` in the middle (spike_share)
};

enum class arrival_kind {
  even,     ///< as evenly as the rate says
  poisson,  ///< as from many clients that know nothing of each other: gaps are exponentially distributed
};

/// A value. Rates are requests due in a second.
struct load_shape {
  bool is_max = false;  ///< closed loop: each client sends as soon as it is answered; no rate, no shape
  shape_kind shape = shape_kind::constant;
  arrival_kind arrivals = arrival_kind::even;
  double from = 0;
  double to = 0;
  unsigned steps = 5;

  bool operator==(load_shape const&) const = default;
};

/// A spike lasts this share of the time, with as much before it as after it.
inline constexpr double spike_share = 0.2;

/// The most that can be asked for, so that a slip of the finger is a mistake and not a flood.
inline constexpr double rate_max = 10e6;
inline constexpr std::chrono::hours duration_max{24};
inline constexpr unsigned steps_max = 1'000;

/// `500`, `2.5k`, `10..500` (first and last, or base and peak), `max`: into `is_max`, `from` and `to` of `shape`.
parsed<load_shape> parse_rate(std::string_view text, load_shape shape = {});

/// `30s`, `500ms`, `250us`, `5m`, `2h`, `1m30s`; a bare number is seconds. More than nothing and at most duration_max.
parsed<std::chrono::nanoseconds> parse_duration(std::string_view text);

/// `constant`, `ramp`, `steps`, `spike`
parsed<shape_kind> parse_shape(std::string_view text);
/// `even`, `poisson`
parsed<arrival_kind> parse_arrivals(std::string_view text);

/// Requests a second, over the whole time; of `max` there is none.
double mean_rate(load_shape const&) noexcept;

/// `10..500/s ramp, poisson`, as reports tell it.
std::string shape_text(load_shape const&);
/// `1m30s`, as parse_duration reads it.
std::string duration_text(std::chrono::nanoseconds);

}  // namespace petstore::load
