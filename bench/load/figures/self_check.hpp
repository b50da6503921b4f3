// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Whether the tool, and not the server, was what limited the rate or made the waits: from what a run found, without
// I/O.
#pragma once

#include <chrono>
#include <vector>

#include "results.hpp"

namespace petstore::load {

/// Above this share of a core a worker is taken to have been too busy to keep time.
inline constexpr double processor_share_max = 0.9;
/// The tool may begin one request in a hundred this late, or by this share of what one in a hundred waited. Later than
/// both, the waits are its own.
inline constexpr std::chrono::milliseconds lag_p99_max{2};
inline constexpr double lag_share_max = 0.05;
/// Short lags that still make up this share of the waits are told, because what they blur is what short waits say.
inline constexpr double lag_share_told = 0.5;
/// The share of what was due that has to be answered within the run for the rate to count as reached.
inline constexpr double reached_min = 0.99;

/// What everybody who reads the figures has to know first. Does not look at `results::warnings`.
std::vector<warning> check_self(results const&);

/// Whether one of the warnings says so.
bool tool_was_limit(results const&) noexcept;

}  // namespace petstore::load
