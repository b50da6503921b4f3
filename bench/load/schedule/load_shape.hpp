// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The rate of due requests over the time of a run, from flags and scenario files. `schedule` computes the due times.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "parsed.hpp"

namespace petstore::load {

enum class shape_kind {
  constant,  ///< always `to`
  ramp,      ///< linear from `from` to `to`
  steps,     ///< from `from` to `to` in `steps` equal steps of equal length
  spike,     ///< `from`, but `to` in the middle (spike_share)
};

enum class arrival_kind {
  even,     ///< evenly spaced
  poisson,  ///< as from many independent clients: gaps are exponentially distributed
};

/// A value type. Rates are in requests a second.
struct load_shape {
  bool is_max = false;  ///< closed loop: each client sends the next request after its answer; no rate, no shape
  shape_kind shape = shape_kind::constant;
  arrival_kind arrivals = arrival_kind::even;
  double from = 0;
  double to = 0;
  unsigned steps = 5;

  bool operator==(load_shape const&) const = default;
};

/// A spike lasts this share of the time, in the middle.
inline constexpr double spike_share = 0.2;

/// The limits of what can be requested, so that a typing mistake is an error and not a flood.
inline constexpr double rate_max = 10e6;
inline constexpr std::chrono::hours duration_max{24};
inline constexpr unsigned steps_max = 1'000;

/// `500`, `2.5k`, `10..500` (first and last, or base and peak), `max`: into `is_max`, `from` and `to` of `shape`.
parsed<load_shape> parse_rate(std::string_view text, load_shape shape = {});

/// `30s`, `500ms`, `250us`, `5m`, `2h`, `1m30s`; a number without a unit is in seconds. More than 0 and at most
/// duration_max.
parsed<std::chrono::nanoseconds> parse_duration(std::string_view text);

/// `constant`, `ramp`, `steps`, `spike`
parsed<shape_kind> parse_shape(std::string_view text);
/// `even`, `poisson`
parsed<arrival_kind> parse_arrivals(std::string_view text);

/// The mean rate in requests a second; `max` has none.
double mean_rate(load_shape const&) noexcept;

/// `10..500/s ramp, poisson`, for reports.
std::string shape_text(load_shape const&);
/// `1m30s`, as parse_duration reads it.
std::string duration_text(std::chrono::nanoseconds);

}  // namespace petstore::load
