// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace petstore::program {

/// What is wrong with a command line that CLI11 refused, what may have been meant, and where help is.
std::string describe_wrong_line(CLI::App const&, CLI::ParseError const&);

}  // namespace petstore::program
