// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <vector>

#include "config/load.hpp"

namespace petstore::program {

/// `config show`: a line for each setting, aligned: name, value, source.
std::string settings_as_text(std::vector<shown_setting> const&);
std::string settings_as_json(std::vector<shown_setting> const&);

/// The table of settings as the README has it (Markdown).
std::string settings_as_markdown();

/// Lines of cells, each column as wide as its widest cell, two spaces between columns.
std::string aligned(std::vector<std::vector<std::string>> const& lines);

}  // namespace petstore::program
