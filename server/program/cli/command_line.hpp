// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <vector>

#include "config/load.hpp"
#include "outcome.hpp"

namespace petstore::program {

/// The whole program without its process: takes the command line (without the program's name) and the environment,
/// runs the command and returns the exit code. What is wrong is said on `err`. Never throws.
int run_command_line(std::vector<std::string> arguments, variables const& environment, console);

}  // namespace petstore::program
