// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>

#include "report/live_line.hpp"

namespace petstore::load {

inline constexpr std::string_view live_metrics_type = "text/plain; version=0.0.4; charset=utf-8";

/// The figures of a run that goes on, in the text format of Prometheus: totals since the end of the warm-up, and
/// latencies of the last second.
std::string live_metrics(live_status const&);

}  // namespace petstore::load
