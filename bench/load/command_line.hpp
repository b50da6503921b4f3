// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The command line of petstore-load: its commands and flags.
#pragma once

#include <string>
#include <vector>

#include "streams.hpp"

namespace petstore::load {

/// Runs the whole program and returns its exit code. `arguments` are without the program's name. Errors are printed to
/// `err`.
exit_code run_command_line(std::vector<std::string> const& arguments, streams);

}  // namespace petstore::load
