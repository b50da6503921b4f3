// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Reads a scenario from TOML. bench/load/scenarios/README.md documents the file. It reports all mistakes, not only the
// first, each with file, line, column, and what would be right.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/scenario.hpp"

namespace petstore::load {

/// Functions for what is not in the text of a scenario. Tests use their own.
struct surroundings {
  /// The content of a file; nullopt if it cannot be read or is larger than `bytes_max`.
  std::function<std::optional<std::string>(std::filesystem::path const&, std::size_t bytes_max)> read_file;
  /// An environment variable.
  std::function<std::optional<std::string>(std::string const&)> variable;

  /// The functions of this process.
  static surroundings real();
};

struct read_scenario_outcome {
  std::optional<scenario> value;      ///< if there is no mistake
  std::vector<std::string> mistakes;  ///< "adopt.toml:12:5: …", a sentence each
};

/// `path` is the name of the file in mistakes, and file names in the scenario are relative to it.
read_scenario_outcome parse_scenario(std::string_view text, std::filesystem::path const& path, surroundings const&);
read_scenario_outcome read_scenario(std::filesystem::path const&, surroundings const&);

/// Keys as flags give them: the key itself, `env:NAME`, or `file:PATH` with one key a line; a plan may follow:
/// `…,plan=free`. Names are key-1, key-2, … from `first` on. `mistake` never contains a key.
parsed<std::vector<api_key>> parse_keys(std::string_view text, std::size_t first, surroundings const&);

}  // namespace petstore::load
