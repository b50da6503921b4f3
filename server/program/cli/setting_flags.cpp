// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/setting_flags.hpp"

#include <algorithm>

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
  auto* const option = app.add_option("--config", config_.text, "TOML file with settings (or PETSTORE_CONFIG)");
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

setting_sources setting_flags::sources() const {
  setting_sources sources;
  sources.environment = environment_;
  for (auto const& [name, flag] : flags_) {
    if (flag.any()) sources.flags.emplace(name, flag.text);
  }
  auto const variable = environment_.find("PETSTORE_CONFIG");
  if (config_.any()) {
    sources.file = config_.text;
  } else if (variable != environment_.end() && !variable->second.empty()) {
    sources.file = variable->second;
    sources.file_source = "PETSTORE_CONFIG";
  }
  return sources;
}

}  // namespace petstore::program
