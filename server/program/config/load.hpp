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

/// Names the configuration file where `--config` does not.
inline constexpr std::string_view config_variable = "PETSTORE_CONFIG";

/// What the user gave, in the order of precedence: flags beat environment beat file beats the table's own values.
struct setting_sources {
  std::map<std::string, std::string, std::less<>> flags;  ///< by the setting's name
  variables environment;
  std::optional<std::filesystem::path> file;
  std::string file_source = "--config";              ///< who named the file
  std::vector<std::string> variables_of_flags = {};  ///< of flags that are no settings: read by others, but not unknown
};

/// A setting as `config show` prints it. Passwords in it are blotted out.
struct shown_setting {
  std::string name;
  std::string value;
  std::string source;           ///< `--threads`, `PETSTORE_THREADS`, `petstore.toml:7` or `default`
  std::size_t fingerprint = 0;  ///< of the value with its passwords, so that a change of one shows
};

struct loaded_settings {
  settings values;
  std::vector<shown_setting> shown;  ///< every row of the table, then every plan
  std::vector<std::string> warnings;

  std::string const& source_of(std::string_view name) const;
};

/// Everything that is wrong with the configuration, a sentence each: setting, value, source.
struct config_error : std::runtime_error {
  explicit config_error(std::vector<std::string> faults);
  std::vector<std::string> faults;
};

/// Reads and checks every source, whether or not a stronger one overrides it. Throws config_error.
loaded_settings load_settings(setting_sources const&);

}  // namespace petstore::program
