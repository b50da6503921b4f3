// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace petstore::program {

/// petstore(1), as `man` reads it (man(7)): the commands of this command line with their options,
/// the table of settings, and what else a person looks up.
std::string manual_page(CLI::App const&);

}  // namespace petstore::program
