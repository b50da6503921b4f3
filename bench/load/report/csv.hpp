// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

#include "figures/results.hpp"

namespace petstore::load {

/// The intervals of a run as comma-separated values (RFC 4180): a line of names, then a line for each interval, of all
/// operations together. The names are those of the JSON file; all values are whole numbers.
std::string to_csv(results const&);

}  // namespace petstore::load
