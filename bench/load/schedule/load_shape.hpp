// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The rate of due requests over the time of a run, from flags and scenario files. `schedule` computes the due times.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "parsed.hpp"

namespace petstore::load {

/// A part of a run: the rate goes in a straight line from `from` to `to`, in requests a second.
struct rate_stage {
  double from = 0;
  double to = 0;
  std::chrono::nanoseconds length{};

  bool operator==(rate_stage const&) const = default;
};

enum class arrival_kind {
  even,     ///< evenly spaced
  poisson,  ///< as from many independent clients: gaps are exponentially distributed
};

/// A value type. Rates are in requests a second.
struct load_shape {
  bool is_max = false;  ///< closed loop: each client sends the next request after its answer; no rate, no stages
  arrival_kind arrivals = arrival_kind::even;
  double from = 0;                 ///< less than `to` in a range of rates, which a search for the capacity is given
  double to = 0;                   ///< the constant rate, if there are no stages
  std::vector<rate_stage> stages;  ///< one after the other

  bool operator==(load_shape const&) const = default;
};

/// The limits of what can be requested, so that a typing mistake is an error and not a flood.
inline constexpr double rate_max = 10e6;
inline constexpr std::chrono::hours duration_max{24};
inline constexpr std::size_t stages_max = 1'000;

/// `500`, `2.5k`, `10..500`, `max`: into `is_max`, `from` and `to` of `shape`, which then has no stages.
parsed<load_shape> parse_rate(std::string_view text, load_shape shape = {});

/// `30s`, `500ms`, `250us`, `5m`, `2h`, `1m30s`; a number without a unit is in seconds. More than 0 and at most
/// duration_max.
parsed<std::chrono::nanoseconds> parse_duration(std::string_view text);

/// `0..500 30s, 500 5m, 500..0 30s`: rates that hold or go from one to another, each with its time, in all at most
/// duration_max.
parsed<std::vector<rate_stage>> parse_stages(std::string_view text);
std::chrono::nanoseconds length_of(std::vector<rate_stage> const&) noexcept;
/// `even`, `poisson`
parsed<arrival_kind> parse_arrivals(std::string_view text);

/// The mean rate in requests a second; `max` has none.
double mean_rate(load_shape const&) noexcept;

/// `500/s constant, poisson`, `0..500/s 30s, 500/s 5m`, for reports.
std::string shape_text(load_shape const&);
/// `1m30s`, as parse_duration reads it.
std::string duration_text(std::chrono::nanoseconds);

}  // namespace petstore::load
