// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "cli/line_outline.hpp"

namespace petstore::program {
namespace {

/// What a shell can offer as the value of a flag or as an argument.
enum class offer { nothing, files, directories };

offer offer_for(std::string_view value) {
  if (value == "FILE" || value == "WHERE") return offer::files;
  return value == "DIRECTORY" ? offer::directories : offer::nothing;
}

/// Returns the flags of all commands that take a value of this kind, as the pattern of a shell's `case`.
std::string flags_that_take(command_outline const& line, offer wanted) {
  std::set<std::string> flags;
  for (auto const* command : flattened(line))
    for (auto const& option : command->options)
      if (!option.is_positional && !option.value.empty() && offer_for(option.value) == wanted)
        flags.insert(option.flag);
  std::string pattern;
  for (auto const& flag : flags) pattern += (pattern.empty() ? "" : "|") + flag;
  return pattern;
}

/// Quotes a text for a shell.
std::string literal(std::string_view text) {
  std::string out = "'";
  for (char const c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// Returns the arms of a `case` that finds the command on the line, word by word.
std::string command_arms(command_outline const& line) {
  std::string out;
  for (auto const* command : flattened(line)) {
    if (command->path.empty()) continue;
    auto const parent = command->full_name().substr(0, command->full_name().size() - command->name().size());
    auto const before = parent.empty() ? std::string() : parent.substr(0, parent.size() - 1);
    out += fmt::format("      {}) command={} ;;\n", literal(before + ":" + command->name()),
                       literal(command->full_name()));
  }
  return out;
}

bool takes_files(command_outline const& command) {
  return std::ranges::any_of(command.options,
                             [](option_outline const& o) { return o.is_positional && o.flag == "FILE"; });
}

std::string for_bash(command_outline const& line) {
  std::string out =
      "# bash completion for petstore; made by `petstore completion bash`\n"
      "_petstore() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= words= files= word\n"
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
      "    case $command:$word in\n";
  out += command_arms(line);
  out += "    esac\n  done\n  case $before in\n";
  out += fmt::format("    {}) COMPREPLY=($(compgen -f -- \"$current\")) && return ;;\n",
                     flags_that_take(line, offer::files));
  out += fmt::format("    {}) COMPREPLY=($(compgen -d -- \"$current\")) && return ;;\n",
                     flags_that_take(line, offer::directories));
  out += fmt::format("    {}) COMPREPLY=() && return ;;\n", flags_that_take(line, offer::nothing));
  out += "  esac\n  case $command in\n";
  for (auto const* command : flattened(line)) {
    std::string words;
    for (auto const& below : command->commands) words += below.name() + " ";
    for (auto const& option : command->options)
      if (!option.is_positional) words += option.flag + " ";
    words.pop_back();
    out += fmt::format("    {}) words={}{} ;;\n", literal(command->full_name()), literal(words),
                       takes_files(*command) ? " files=yes" : "");
  }
  out +=
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  if [[ -n $files ]]; then COMPREPLY+=($(compgen -f -- \"$current\")); fi\n"
      "}\n"
      "complete -o filenames -F _petstore petstore\n";
  return out;
}

std::string for_zsh(command_outline const& line) {
  std::string out =
      "#compdef petstore\n"
      "# zsh completion for petstore; made by `petstore completion zsh`\n"
      "_petstore() {\n"
      "  local command= word\n"
      "  local -a commands options\n"
      "  for word in ${words[2,CURRENT-1]}; do\n"
      "    case $command:$word in\n";
  out += command_arms(line);
  out += "    esac\n  done\n  case ${words[CURRENT-1]} in\n";
  out += fmt::format("    {}) _files && return ;;\n", flags_that_take(line, offer::files));
  out += fmt::format("    {}) _files -/ && return ;;\n", flags_that_take(line, offer::directories));
  out += fmt::format("    {}) return 1 ;;\n", flags_that_take(line, offer::nothing));
  out += "  esac\n  case $command in\n";
  for (auto const* command : flattened(line)) {
    out += fmt::format("    {})\n", literal(command->full_name()));
    if (!command->commands.empty()) {
      out += "      commands=(\n";
      for (auto const& below : command->commands)
        out += fmt::format("        {}\n", literal(below.name() + ":" + below.help));
      out += "      )\n";
    }
    out += "      options=(\n";
    for (auto const& option : command->options)
      if (!option.is_positional) out += fmt::format("        {}\n", literal(option.flag + ":" + option.help));
    out += "      )\n";
    if (takes_files(*command)) out += "      _files\n";
    out += "      ;;\n";
  }
  out +=
      "  esac\n"
      "  (( ${#commands} )) && _describe -t commands command commands\n"
      "  _describe -o -t options option options\n"
      "}\n"
      "if [[ ${funcstack[1]} == _petstore ]]; then _petstore \"$@\"; else compdef _petstore petstore; fi\n";
  return out;
}

/// Returns the condition under which fish offers the words of the command.
std::string fish_condition(command_outline const& line, command_outline const& command) {
  std::string groups;
  for (auto const& top : line.commands)
    if (!top.commands.empty()) groups += " " + top.name();
  std::string out;
  for (auto const& word : command.path)
    out += fmt::format("{}__fish_seen_subcommand_from {}", out.empty() ? "" : "; and ", word);
  // There is a command `check`, and another one below `config`.
  if (command.path.size() == 1 && command.commands.empty()) out += "; and not __fish_seen_subcommand_from" + groups;
  if (!command.commands.empty()) {
    out += "; and not __fish_seen_subcommand_from";
    for (auto const& below : command.commands) out += " " + below.name();
  }
  return command.path.empty() ? "__fish_use_subcommand" : out;
}

std::string for_fish(command_outline const& line) {
  std::string out =
      "# fish completion for petstore; made by `petstore completion fish`\n"
      "complete -c petstore -f\n";
  for (auto const* command : flattened(line)) {
    auto const condition = literal(fish_condition(line, *command));
    for (auto const& below : command->commands)
      out += fmt::format("complete -c petstore -n {} -a {} -d {}\n", condition, below.name(), literal(below.help));
    for (auto const& option : command->options) {
      if (option.is_positional) {
        if (option.flag == "FILE") out += fmt::format("complete -c petstore -n {} -F\n", condition);
        continue;
      }
      auto const kind = option.value.empty() ? "" : offer_for(option.value) == offer::nothing ? " -x" : " -r -F";
      out += fmt::format("complete -c petstore -n {} -l {}{} -d {}\n", condition, option.flag.substr(2), kind,
                         literal(option.help));
    }
  }
  return out;
}

}  // namespace

std::optional<std::string> completion_script(CLI::App const& app, std::string_view shell) {
  auto const line = outline_of(app);
  if (shell == "bash") return for_bash(line);
  if (shell == "zsh") return for_zsh(line);
  if (shell == "fish") return for_fish(line);
  return std::nullopt;
}

}  // namespace petstore::program
