// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Finds out from the results of a run whether the tool, and not the server, limited the rate or caused the waits. No
// I/O.
#pragma once

#include <chrono>
#include <vector>

#include "results.hpp"

namespace petstore::load {

/// Above this share of a core, a worker counts as too busy to keep the schedule.
inline constexpr double processor_share_max = 0.9;
/// The tool may begin one request in a hundred late by this time, or by this share of the 99th percentile of the waits.
/// If the lag exceeds both, the waits are the tool's own.
inline constexpr std::chrono::milliseconds lag_p99_max{2};
inline constexpr double lag_share_max = 0.05;
/// A shorter lag gives a warning if it is at least this share of the waits, because short waits are then inexact.
inline constexpr double lag_share_told = 0.5;
/// The rate counts as reached if this share of the requests that were due in the run is answered within it.
inline constexpr double reached_min = 0.99;

/// The warnings for readers of the figures. It ignores `results::warnings`.
std::vector<warning> check_self(results const&);

/// Whether one of the warnings says that the tool was the limit.
bool tool_was_limit(results const&) noexcept;

/// Whether the tool may have broken an objective for this quantile of latency by itself, even for a moment: it was the
/// limit, it began requests so late that they show in the quantile, or a thread used up its core for a second.
bool tool_had_a_hiccup(results const&, double quantile);

}  // namespace petstore::load
