// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/setting_flags.hpp"

#include <algorithm>

#include "cli/line_outline.hpp"

namespace petstore::program {

bool setting_flags::given::any() const {
  return std::ranges::any_of(options, [](CLI::Option const* option) { return option->count() > 0; });
}

void setting_flags::add_all(CLI::App& app) {
  add_config(app);
  for (auto const& row : all_settings()) add(app, row);
}

void setting_flags::add_some(CLI::App& app, std::vector<std::string_view> const& names) {
  add_config(app);
  for (auto const& row : all_settings()) {
    if (std::ranges::find(names, row.name) != names.end()) add(app, row);
  }
}

void setting_flags::add_config(CLI::App& app) {
  command_ = &app;
  auto const help = "TOML file with settings (or " + std::string(config_variable) + ")";
  auto* const option = app.add_option("--config", config_.text, help);
  config_.options.push_back(option->type_name("FILE"));
}

void setting_flags::add(CLI::App& app, setting const& row) {
  auto& flag = flags_[row.name];
  auto const name = "--" + std::string(row.name);
  auto const help = std::string(row.help);
  auto* const option = row.is_flag() ? app.add_flag(name, flag.text, help) : app.add_option(name, flag.text, help);
  option->group(std::string(row.group));
  auto const otherwise = row.otherwise.empty() ? std::string() : " [" + std::string(row.otherwise) + "]";
  if (!row.is_flag()) option->type_name(std::string(row.kind) + otherwise);
  flag.options.push_back(option);
}

/// Returns the variables of all commands, since a variable that only another command reads is not a mistake.
std::vector<std::string> setting_flags::variables_of_flags() const {
  auto const* program = command_;
  while (program->get_parent() != nullptr) program = program->get_parent();
  auto const outline = outline_of(*program);
  std::vector<std::string> names;
  for (auto const* command : flattened(outline)) {
    for (auto const& option : command->options) {
      if (!option.variable.empty()) names.push_back(option.variable);
    }
  }
  return names;
}

setting_sources setting_flags::sources() const {
  setting_sources sources;
  sources.environment = environment_;
  sources.variables_of_flags = variables_of_flags();
  for (auto const& [name, flag] : flags_) {
    if (flag.any()) sources.flags.emplace(name, flag.text);
  }
  auto const variable = environment_.find(config_variable);
  if (config_.any()) {
    sources.file = config_.text;
  } else if (variable != environment_.end() && !variable->second.empty()) {
    sources.file = variable->second;
    sources.file_source = config_variable;
  }
  return sources;
}

}  // namespace petstore::program
