// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace petstore::program {

/// Returns what is wrong with a command line that CLI11 refused, what the user may have meant, and where to find help.
std::string describe_wrong_line(CLI::App const&, CLI::ParseError const&);

/// The same for a word that is no command below this one.
std::string describe_unknown_command(CLI::App const&, std::string const& word);

}  // namespace petstore::program
