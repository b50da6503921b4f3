// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string_view>

namespace petstore::program {

/// What to do next about a failure of the command line, as a sentence; empty for one that says so itself.
std::string_view advice_for(std::string_view failure);

}  // namespace petstore::program
