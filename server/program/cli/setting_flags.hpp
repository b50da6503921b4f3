// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <CLI/App.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/load.hpp"

namespace petstore::program {

/// The flags of settings on subcommands, and the other sources of settings: `--config` and the environment.
class setting_flags {
 public:
  explicit setting_flags(variables const& environment) : environment_(environment) {}

  /// Adds `--config` and a flag for every row of the table, or for the named rows.
  void add_all(CLI::App&);
  void add_some(CLI::App&, std::vector<std::string_view> const& names);

  /// Returns the sources after the command line is parsed. They contain only flags that were given.
  setting_sources sources() const;

 private:
  void add_config(CLI::App&);
  std::vector<std::string> variables_of_flags() const;
  void add(CLI::App&, setting const&);

  /// The same flag may be on several subcommands; only one of them is parsed.
  struct given {
    std::string text;
    std::vector<CLI::Option*> options;
    bool any() const;
  };
  variables const& environment_;
  CLI::App const* command_ = nullptr;  ///< a command that has these flags
  given config_;
  std::map<std::string_view, given> flags_;  ///< a map, because CLI11 keeps references to the texts
};

}  // namespace petstore::program
