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

/// Raised if the meaning of a member changes or a member is removed. A new member does not raise it, since readers skip
/// unknown members.
inline constexpr int json_version = 2;
inline constexpr std::string_view json_format = "petstore-load";

/// All results, and a `summary` for scripts. Reading the text gives the same results again.
std::string to_json(results const&);
/// The mistake says where in the document a member is missing or has the wrong type.
parsed<results> from_json(std::string_view);

}  // namespace petstore::load
