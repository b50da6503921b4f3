// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The report as one HTML file. It needs no network and no script; its script only shows values under the pointer. Texts
// from a server or a scenario are escaped.
#pragma once

#include <string>

#include "figures/results.hpp"

namespace petstore::load {

std::string to_html(results const&);

}  // namespace petstore::load
