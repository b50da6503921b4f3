// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <vector>

#include "config/load.hpp"
#include "outcome.hpp"

namespace petstore::program {

/// Runs a command line in this process. It takes the arguments (without the program's name) and the environment, and
/// returns the exit code. Errors go to `err`. Never throws.
int run_command_line(std::vector<std::string> arguments, variables const& environment, streams);

}  // namespace petstore::program
