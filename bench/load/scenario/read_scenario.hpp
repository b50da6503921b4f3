// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Reads a scenario from TOML. bench/load/scenarios/README.md documents the file. Every mistake is told, not the first
// alone, each with file, line, column, and what would be right.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/scenario.hpp"

namespace petstore::load {

/// The rim: where a scenario gets what is not in its text. Tests give their own.
struct surroundings {
  /// A file's contents; nothing when it cannot be read or is larger than `bytes_max`.
  std::function<std::optional<std::string>(std::filesystem::path const&, std::size_t bytes_max)> read_file;
  /// A variable of the environment.
  std::function<std::optional<std::string>(std::string const&)> variable;

  /// Of this process.
  static surroundings real();
};

struct read_scenario_outcome {
  std::optional<scenario> value;      ///< when there is no mistake
  std::vector<std::string> mistakes;  ///< "adopt.toml:12:5: …", a sentence each
};

/// `path` names the file in mistakes, and files that the scenario names are relative to it.
read_scenario_outcome parse_scenario(std::string_view text, std::filesystem::path const& path, surroundings const&);
read_scenario_outcome read_scenario(std::filesystem::path const&, surroundings const&);

/// Keys as flags give them: the key itself, `env:NAME`, or `file:PATH` with one key a line; a plan may follow:
/// `…,plan=free`. Names are key-1, key-2, … from `first` on. `mistake` never contains a key.
parsed<std::vector<api_key>> parse_keys(std::string_view text, std::size_t first, surroundings const&);

}  // namespace petstore::load
