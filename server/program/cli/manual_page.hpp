// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace petstore::program {

/// Returns the manual page petstore(1) in the format man(7): the commands with their options, the table of settings,
/// signals, exit codes and files.
std::string manual_page(CLI::App const&);

}  // namespace petstore::program
