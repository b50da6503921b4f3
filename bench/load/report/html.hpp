// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The report to look at: one HTML file that needs nothing else, neither a network nor its script, which only adds
// values under the pointer. Whatever a server or a scenario said is shown as text.
#pragma once

#include <string>

#include "figures/results.hpp"

namespace petstore::load {

std::string to_html(results const&);

}  // namespace petstore::load
