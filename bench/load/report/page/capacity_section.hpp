// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

#include "figures/capacity_figures.hpp"

namespace petstore::load {

/// The result of a search as HTML: the knee, latency by rate, and all tries.
std::string capacity_section(capacity_figures const&);

}  // namespace petstore::load
