// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <vector>

#include "config/load.hpp"

namespace petstore::program {

/// `config show`: a line for each setting, aligned: name, value, source.
std::string settings_as_text(std::vector<shown_setting> const&);
std::string settings_as_json(std::vector<shown_setting> const&);

/// The tables of settings, one for each group, as docs/settings.md has them (Markdown).
std::string settings_as_markdown();

/// A file of all settings, each as it is when nobody sets it and commented out: `config example`.
std::string settings_as_toml();

/// Lines of cells as programs read them: a tab between two cells.
std::string tab_separated(std::vector<std::vector<std::string>> const& lines);

/// The same as people read them on a terminal of so many columns: under a headline, aligned. When the lines are too
/// long, the cells of one column are cut, but not to less than eight characters.
std::string table_of(std::vector<std::string> headline, std::vector<std::vector<std::string>> lines,
                     std::size_t columns, std::size_t column_to_cut);

/// Lines of cells, each column as wide as its widest cell, two spaces between columns.
std::string aligned(std::vector<std::vector<std::string>> const& lines);

}  // namespace petstore::program
