// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The command line of petstore-load: which flags there are, and what is done for them.
#pragma once

#include <string>
#include <vector>

#include "streams.hpp"

namespace petstore::load {

/// Runs the whole program. `arguments` are without its name. Whatever they or a target cause is told on `err`, and ends
/// in an exit code.
exit_code run_command_line(std::vector<std::string> const& arguments, streams);

}  // namespace petstore::load
