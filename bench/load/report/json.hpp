// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Results as a JSON file and back: documented in bench/README.md, "The file of a run". Durations are whole nanoseconds,
// and names end in their unit.
#pragma once

#include <string>
#include <string_view>

#include "figures/results.hpp"
#include "parsed.hpp"

namespace petstore::load {

/// Raised when a member changes its meaning or goes. Members that are added do not raise it: readers skip what they do
/// not know.
inline constexpr int json_version = 1;
inline constexpr std::string_view json_format = "petstore-load";

/// Everything; reading it gives the same results again. Beside it a `summary`, for scripts.
std::string to_json(results const&);
/// The mistake says where in the document something is missing or of the wrong kind.
parsed<results> from_json(std::string_view);

}  // namespace petstore::load
