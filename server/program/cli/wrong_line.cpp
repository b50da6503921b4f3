// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/wrong_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/line_outline.hpp"
#include "config/suggestion.hpp"

namespace petstore::program {
namespace {

/// Returns the last command that was recognized on the line.
CLI::App const& command_reached(CLI::App const& app) {
  auto const* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return *at;
}

std::string full_name(CLI::App const& command) {
  return command.get_parent() == nullptr ? command.get_name()
                                         : full_name(*command.get_parent()) + " " + command.get_name();
}

std::string unexpected(CLI::App const& command, std::vector<std::string> const& left_over) {
  auto const flag = std::ranges::find_if(left_over, [](auto const& word) { return word.starts_with('-'); });
  bool const is_flag = flag != left_over.end();
  auto const word = is_flag ? flag->substr(0, flag->find('=')) : left_over.front();
  std::vector<std::string> known;
  for (auto const& option : outline_of(command).options)
    if (is_flag && !option.is_positional) known.push_back(option.flag);
  auto const commands = command.get_subcommands([](CLI::App const*) { return true; });
  for (auto const* below : commands)
    if (!is_flag) known.push_back(below->get_name());
  auto const what = is_flag ? "an option" : commands.empty() ? "an argument" : "a command";
  return fmt::format("`{}` is not {} of `{}`{}", word, what, full_name(command), suggestion_for(word, known));
}

std::string missing_command(CLI::App const& command) {
  std::string names;
  for (auto const* below : command.get_subcommands([](CLI::App const*) { return true; }))
    names += (names.empty() ? "" : ", ") + below->get_name();
  return fmt::format("`{}` needs a command: one of {}", full_name(command), names);
}

}  // namespace

std::string describe_unknown_command(CLI::App const& command, std::string const& word) {
  return fmt::format("{}\nTry `{} --help`.", unexpected(command, {word}), full_name(command));
}

std::string describe_wrong_line(CLI::App const& app, CLI::ParseError const& fault) {
  auto const& command = command_reached(app);
  auto const left_over = app.remaining(true);
  bool const lacks_command = fault.get_name() == "RequiredError" && command.get_subcommands().empty() &&
                             command.get_require_subcommand_min() > 0;
  std::string what = fault.what();
  // A flag that is missing may be the one that was mistyped.
  bool const lacks_word = fault.get_name() == "RequiredError";
  if (!left_over.empty() && (lacks_word || fault.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)))
    what = unexpected(command, left_over);
  else if (lacks_command)
    what = missing_command(command);
  return fmt::format("{}\nTry `{} --help`.", what, full_name(command));
}

}  // namespace petstore::program
