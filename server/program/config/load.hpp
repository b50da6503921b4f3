// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.hpp"

namespace petstore::program {

using variables = std::map<std::string, std::string, std::less<>>;

/// Names the configuration file if `--config` does not.
inline constexpr std::string_view config_variable = "PETSTORE_CONFIG";

/// The sources of settings, in the order of precedence: a flag overrides a variable, a variable overrides the file, and
/// the file overrides the table's default.
struct setting_sources {
  std::map<std::string, std::string, std::less<>> flags;  ///< by the setting's name
  variables environment;
  std::optional<std::filesystem::path> file;
  std::string file_source = "--config";              ///< who named the file
  std::vector<std::string> variables_of_flags = {};  ///< of flags that are not settings; read elsewhere
};

/// A setting as `config show` prints it, with its passwords redacted.
struct shown_setting {
  std::string name;
  std::string value;
  std::string source;           ///< `--threads`, `PETSTORE_THREADS`, `petstore.toml:7` or `default`
  std::size_t fingerprint = 0;  ///< of the value with its passwords, to detect that one has changed
};

struct loaded_settings {
  settings values;
  std::vector<shown_setting> shown;  ///< every row of the table, then every plan and every cost
  /// The texts of the rows that reload, by name. Unlike the shown values they are whole, so never print them.
  std::map<std::string_view, std::string> texts;
  std::vector<std::string> warnings;

  std::string const& source_of(std::string_view name) const;
};

/// All faults of the configuration, a sentence each: setting, value, source.
struct config_error : std::runtime_error {
  explicit config_error(std::vector<std::string> faults);
  std::vector<std::string> faults;
};

/// Throws the fault of a setting: command_error if it may pass without another setting, otherwise config_error.
[[noreturn]] void throw_fault(std::string fault, bool may_pass);

/// Reads and checks every source, even a value that another source overrides. Throws config_error.
loaded_settings load_settings(setting_sources const&);

}  // namespace petstore::program
