// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <vector>

#include "config/load.hpp"

namespace petstore::program {

/// The output of `config show`: an aligned line for each setting, with name, value and source.
std::string settings_as_text(std::vector<shown_setting> const&);
std::string settings_as_json(std::vector<shown_setting> const&);

/// The tables of docs/settings.md in Markdown, one for each group of settings.
std::string settings_as_markdown();

/// The output of `config example`: a file with the default of every setting, commented out.
std::string settings_as_toml();

/// Renders lines of cells for programs, with a tab between two cells.
std::string tab_separated(std::vector<std::vector<std::string>> const& lines);

/// Renders the same for people on a terminal with that many columns: aligned, under a headline. If the lines are too
/// long, cells go on in further lines; nothing is cut. Words are broken only where it cannot be avoided. A column keeps
/// at least eight characters, so the lines of a very narrow terminal stay too long.
std::string table_of(std::vector<std::string> headline, std::vector<std::vector<std::string>> lines,
                     std::size_t columns);

/// A headline: a text of ASCII letters in capitals.
std::string in_capitals(std::string);

/// Renders lines of cells. Each column is as wide as its widest cell, with two spaces between columns.
std::string aligned(std::vector<std::vector<std::string>> const& lines);

}  // namespace petstore::program
