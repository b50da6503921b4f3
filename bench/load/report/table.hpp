// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What a run found, on a terminal: warnings first, then how fast and how often, then what went wrong.
#pragma once

#include <string>

#include "columns.hpp"
#include "figures/results.hpp"

namespace petstore::load {

std::string table_of(results const&, text_style);

}  // namespace petstore::load
