// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The results of a run for a terminal: first warnings, then latencies and rates, then errors.
#pragma once

#include <span>
#include <string>

#include "columns.hpp"
#include "figures/results.hpp"

namespace petstore::load {

std::string table_of(results const&, text_style);
/// Which conditions passed and which failed, with a heading; empty without conditions.
std::string conditions_text(std::span<judged_condition const>, text_style);

}  // namespace petstore::load
