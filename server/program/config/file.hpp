// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "config/written_value.hpp"
#include "petstore/key_registry.hpp"

namespace petstore::program {

/// The content of a TOML file: its settings and costs, still as text, and its plans.
struct config_file {
  std::map<std::string, written_value, std::less<>> entries;  ///< by the setting's name
  std::map<std::string, written_value, std::less<>> costs;    ///< by the operation's name; the text is a whole number
  plan_table plans;                                           ///< the standard plans with the file's changes
  std::map<std::string, std::string, std::less<>> plan_sources;
  std::vector<std::string> faults;  ///< a sentence each, with file and line

  std::string source_of_plan(std::string const& name) const;
};

/// Never throws because of what the file contains. A file that cannot be read or is not TOML is a fault, too. `source`
/// says who named the file.
config_file read_config_file(std::filesystem::path const&, std::string_view source);

}  // namespace petstore::program
