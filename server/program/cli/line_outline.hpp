// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace petstore::program {

/// One option of a command, as completions and the manual page need it.
struct option_outline {
  std::string flag;   ///< `--store`; of a positional argument its name, such as `ID`
  std::string value;  ///< the kind of its value, such as DURATION; empty for a yes-or-no flag
  std::string help;
  std::string variable;  ///< can replace a flag that is not a setting; empty if there is none
  bool is_positional = false;
  bool is_setting = false;  ///< a row of the table of settings, or --config
};

/// One command of the command line, with those below it.
struct command_outline {
  std::vector<std::string> path;  ///< `keys`, `create`; empty for the program itself
  std::string help;
  std::vector<option_outline> options;
  std::vector<command_outline> commands;

  std::string name() const { return path.empty() ? std::string() : path.back(); }
  std::string full_name() const;  ///< `keys create`
};

command_outline outline_of(CLI::App const&);

/// The command itself and all below it, parents first.
std::vector<command_outline const*> flattened(command_outline const&);

}  // namespace petstore::program
