// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The time that a client thinks: fixed, or exponentially distributed, which is the usual model if only the mean is
// known.
#pragma once

#include <chrono>
#include <string_view>

#include "parsed.hpp"
#include "scenario/chance.hpp"

namespace petstore::load {

struct think_time {
  enum class kind { fixed, exponential };
  kind how = kind::fixed;
  std::chrono::nanoseconds mean{};

  bool operator==(think_time const&) const = default;

  /// A random time. An exponential one is cut at 20 times the mean, which one in 485 million would exceed.
  std::chrono::nanoseconds draw(chance&) const noexcept;
};

/// `200ms`, `exponential 200ms`, `none`.
parsed<think_time> parse_think_time(std::string_view text);

}  // namespace petstore::load
