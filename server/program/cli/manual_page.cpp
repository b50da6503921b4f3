// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/manual_page.hpp"

#include <fmt/format.h>

#include "cli/line_outline.hpp"
#include "config/settings.hpp"
#include "version.hpp"

namespace petstore::program {
namespace {

/// The date of the text below. It is not the date of the build, so that two builds of one version are identical.
constexpr auto written_on = "2026-11-22";

/// Escapes text for the formatter: a `-` can be pasted into a shell, and no line is a control line.
std::string escaped(std::string_view text) {
  std::string out;
  for (char const c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string bold(std::string_view text) {
  return "\\fB" + escaped(text) + "\\fR";
}
std::string italic(std::string_view text) {
  return "\\fI" + escaped(text) + "\\fR";
}

std::string item(std::string const& term, std::string_view text) {
  return fmt::format(".TP\n{}\n{}\n", term, escaped(text));
}

std::string flag_term(option_outline const& o) {
  if (o.is_positional) return italic(o.flag);
  return o.value.empty() ? bold(o.flag) : bold(o.flag) + " " + italic(o.value);
}

std::string usage_of(command_outline const& command) {
  auto out = bold(command.full_name());
  for (auto const& option : command.options)
    if (option.is_positional) out += " " + italic(option.flag);
  return out;
}

std::string commands_section(command_outline const& line) {
  std::string out = ".SH COMMANDS\nEach has\n.BR \\-\\-help .\n";
  for (auto const* command : flattened(line)) {
    if (command->path.empty() || !command->commands.empty()) continue;
    out += fmt::format(".TP\n{}\n{}.\n", usage_of(*command), escaped(command->help));
    std::string options;
    for (auto const& option : command->options) {
      if (option.is_positional || option.is_setting || option.flag == "--help") continue;
      options += item(flag_term(option), option.help);
    }
    if (!options.empty()) out += ".RS\n" + options + ".RE\n";
  }
  return out;
}

std::string settings_section() {
  std::string out =
      ".SH SETTINGS\n"
      "Each is a flag, a variable and a key of the TOML file given with\n.BR \\-\\-config .\n"
      "Flags beat variables, variables beat the file.\n";
  std::string_view group;
  for (auto const& row : all_settings()) {
    if (row.group != group) out += fmt::format(".SS {}\n", row.group);
    group = row.group;
    auto const flag = fmt::format("--{}", row.name);
    auto const term = row.is_flag() ? bold(flag) : bold(flag) + " " + italic(row.kind);
    auto const otherwise = row.otherwise.empty() ? std::string() : fmt::format(" [{}]", row.otherwise);
    out += fmt::format(".TP\n{}\n{}{}.\n.br\n{}, {}{}\n", term, escaped(row.help), escaped(otherwise),
                       escaped(row.variable()), escaped(row.file_key), row.reloads ? "; SIGHUP applies a change" : "");
  }
  return out;
}

constexpr auto introduction = R"(.SH NAME
petstore \- HTTP/JSON service for animals up for adoption
.SH SYNOPSIS
.B petstore
.I command
.RI [ options ]
.SH DESCRIPTION
.B petstore serve
answers over HTTP: animals, categories, adoptions, with API keys and exact rate limits.
It keeps its data in a directory, or shares it with other nodes over PostgreSQL and Redis.
)";

constexpr auto rest = R"(.SH PLANS
Tables of the file, beside the plans of the contract:
.PP
.nf
.RS
[plans.shelter]
per_minute = 600
per_day = 50000
refill = "continuous"

[costs]
createPet = 5
.RE
.fi
.PP
A plan has a short window,
.BR per_second ", " per_minute " or " per_hour ,
and may have a longer one,
.BR per_hour ", " per_day " or " per_month .
.B [costs]
says how many tokens an operation takes from each; without a line it takes one.
.SH ENVIRONMENT
.TP
.B PETSTORE_CONFIG
The settings' file.
.TP
.BI PETSTORE_ SETTING
The setting of that name:
.B PETSTORE_LISTEN
for
.BR \-\-listen .
.TP
.BI PETSTORE_ SETTING _FILE
A file that holds the value, as secrets are given.
.SH SIGNALS
.TP
.BR SIGTERM ", " SIGINT
Finish what was accepted and exit.
.TP
.B SIGHUP
Read the configuration anew and open the log files anew.
Plans and the settings that say so change at once, and the log tells each with its old value.
When something in it is wrong, the log says what, and everything stays as it was.
.SH EXIT STATUS
0 fine, 1 failed, 2 wrong usage or configuration.
After 1 the same start may succeed later, for example when the database answers again.
.SH FILES
Those of the Debian package:
.TP
.I /etc/petstore/petstore.toml
Settings.
.TP
.I /var/lib/petstore
The store.
Commands on it run as its user:
.B runuser \-u petstore \-\- petstore keys list \-\-store lmdb:/var/lib/petstore
.TP
.I /var/log/petstore/access.log
A line for each answer.
.SH SEE ALSO
.BR petstore\-load (1),
.BR systemctl (1),
.BR journalctl (1)
)";

}  // namespace

std::string manual_page(CLI::App const& app) {
  auto out = fmt::format(
      ".\\\" Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.\n"
      ".\\\" Made by `petstore man`.\n"
      ".TH PETSTORE 1 {} \"petstore {}\" \"User Commands\"\n",
      written_on, program_version);
  return out + introduction + commands_section(outline_of(app)) + settings_section() + rest;
}

}  // namespace petstore::program
