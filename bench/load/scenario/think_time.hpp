// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// How long a client thinks: always the same, anything within a range, or exponentially distributed, as people's pauses
// are when nothing is known of them but their mean.
#pragma once

#include <chrono>
#include <string_view>

#include "parsed.hpp"
#include "scenario/chance.hpp"

namespace petstore::load {

struct think_time {
  enum class kind { fixed, uniform, exponential };
  kind how = kind::fixed;
  std::chrono::nanoseconds least{};  ///< of `uniform`
  std::chrono::nanoseconds most{};   ///< of `uniform`; the time itself of `fixed`, the mean of `exponential`

  bool operator==(think_time const&) const = default;

  /// One of these times. An exponential one is at most 20 times the mean, which one in 485 million would exceed.
  std::chrono::nanoseconds draw(chance&) const noexcept;
};

/// `200ms`, `100ms..300ms`, `exponential 200ms`, `none`.
parsed<think_time> parse_think_time(std::string_view text);

}  // namespace petstore::load
