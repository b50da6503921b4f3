// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/line_outline.hpp"

#include <algorithm>
#include <utility>

#include "config/settings.hpp"

namespace petstore::program {
namespace {

bool is_setting(std::string_view flag) {
  return flag == "--config" ||
         std::ranges::any_of(all_settings(), [&](setting const& row) { return flag.substr(2) == row.name; });
}

option_outline outline_of_option(CLI::Option const& option) {
  option_outline out;
  out.is_positional = option.get_positional() && option.get_lnames().empty();
  out.flag = out.is_positional ? option.get_single_name() : "--" + option.get_lnames().front();
  // The default value may follow the name of the type.
  auto const type = option.get_items_expected_max() == 0 ? std::string() : option.get_type_name();
  out.value = type.substr(0, type.find(' '));
  out.help = option.get_description();
  out.variable = option.get_envname();
  out.is_setting = !out.is_positional && is_setting(out.flag);
  return out;
}

command_outline outline_below(CLI::App const& app, std::vector<std::string> path) {
  command_outline out;
  out.help = app.get_description();
  for (auto const* option : app.get_options()) out.options.push_back(outline_of_option(*option));
  for (auto const* command : app.get_subcommands([](CLI::App const*) { return true; })) {
    auto below = path;
    below.push_back(command->get_name());
    out.commands.push_back(outline_below(*command, std::move(below)));
  }
  out.path = std::move(path);
  return out;
}

void flatten(command_outline const& command, std::vector<command_outline const*>& out) {
  out.push_back(&command);
  for (auto const& below : command.commands) flatten(below, out);
}

}  // namespace

std::string command_outline::full_name() const {
  std::string out;
  for (auto const& word : path) out += (out.empty() ? "" : " ") + word;
  return out;
}

command_outline outline_of(CLI::App const& app) {
  return outline_below(app, {});
}

std::vector<command_outline const*> flattened(command_outline const& command) {
  std::vector<command_outline const*> out;
  flatten(command, out);
  return out;
}

}  // namespace petstore::program
