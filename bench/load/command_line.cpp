// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <ostream>

#include "config/nearest_name.hpp"
#include "figures/merge.hpp"
#include "flags.hpp"
#include "measure.hpp"
#include "report/compare.hpp"
#include "report/csv.hpp"
#include "report/html.hpp"
#include "report/json.hpp"
#include "report/table.hpp"
#include "search/capacity.hpp"

namespace petstore::load {
namespace {

struct compare_flags {
  std::string before;
  std::string after;
  std::vector<std::string> fail_if;
};

struct report_flags {
  std::string run;
  std::string html_file;
  std::string csv_file;
};

struct merge_flags {
  std::vector<std::string> runs;
  std::string json_file;
  std::string html_file;
};

constexpr char const* examples = R"(Examples:
  petstore-load http://127.0.0.1:8080/v1/pets --key file:my.key --rate 500 --duration 30s --html report.html
  petstore-load http://127.0.0.1:8080/v1/pets --key file:my.key --rate 500 --duration 30s --fail-if 'p99>5ms'
  petstore-load compare before.json after.json --fail-if 'p99 worse'

Exit codes: 0 measured, 1 a condition failed or the audit found something, 2 wrong usage, 3 nothing could be
measured, 130 interrupted.)";

/// Adds the options of one group of the help.
class option_group {
 public:
  option_group(CLI::App& app, char const* name) : app_(app), name_(name) {}

  template <class Value>
  void add(char const* names, Value& to, char const* about, char const* type) {
    auto* const option = app_.add_option(names, to, about)->type_name(type)->group(name_);
    // One value each time, so that what follows is not taken for a further value.
    if (!option->get_positional()) option->allow_extra_args(false);
  }
  void add_flag(char const* name, bool& to, char const* about) { app_.add_flag(name, to, about)->group(name_); }

 private:
  CLI::App& app_;
  char const* name_;
};

void declare_what(CLI::App& app, run_flags& f) {
  option_group of(app, "What is sent");
  of.add("url,--target", f.targets, "whom to load; more than one share the load in turn", "URL");
  of.add("--scenario", f.scenario_file, "what clients do, in TOML (bench/load/scenarios)", "FILE");
  of.add("--key", f.keys, "API key: itself, env:NAME, or file:PATH with one a line; used in turn; may be repeated",
         "KEY");
  of.add("--method", f.method, "default: GET, or POST with a body", "METHOD");
  of.add("-H,--header", f.headers, "a field of each request: 'Name: value'; may be repeated", "FIELD");
  of.add("--body", f.body, "the body of each request; @FILE reads it", "TEXT");
}

void declare_how_much(CLI::App& app, run_flags& f) {
  option_group of(app, "How fast, and how long");
  of.add("--rate", f.rate,
         "requests due in a second, as 500, or max: no schedule, each connection sends when it is answered", "RATE");
  of.add("--stages", f.stages, "rates that change, each with its time: '0..500 30s, 500 5m, 500..0 30s'", "STAGES");
  of.add("--arrivals", f.arrivals, "even, or poisson: as from many who know nothing of each other; default: even",
         "KIND");
  of.add("--duration", f.duration, "30s, 2m, at most 24h", "TIME");
  of.add("--warm-up", f.warm_up, "before that, and not counted; default: 0", "TIME");
  of.add("--requests", f.requests, "stop after so many", "N");
  of.add("--max-errors", f.errors, "stop at so many", "N");
  of.add("--seed", f.seed, "of everything that is drawn by chance; default: 1", "N");
}

void declare_how(CLI::App& app, run_flags& f) {
  option_group of(app, "Connections");
  of.add("--connections", f.connections, "at most; default: 1000, with --rate max exactly 64", "N");
  of.add("--waiting", f.waiting, "requests that may be due and wait for a connection; default: 100000", "N");
  of.add("--threads", f.threads, "that send; default: 1", "N");
  of.add("--timeout", f.timeout, "of a request, connecting included; default: 10s", "TIME");
  of.add_flag("--no-keep-alive", f.no_keep_alive, "a connection for each request");
  of.add_flag("--insecure", f.tls.insecure, "believe any certificate");
  of.add("--ca", f.tls.ca_file, "believe these authorities (PEM); default: the machine's", "FILE");
  of.add("--yes-i-may-load", f.permitted_hosts, "a host that is not this machine and may be loaded", "HOST");
}

void declare_what_for(CLI::App& app, run_flags& f) {
  option_group of(app, "Conditions and reports");
  of.add("--fail-if", f.fail_if, "exit 1 if it is true: 'p99>5ms', 'errors>0', 'status(5xx)>0'; may be repeated",
         "CONDITION");
  of.add("--find-capacity", f.find_capacity, "look for the highest rate at which this holds: 'p99<5ms'", "OBJECTIVE");
  of.add("--rounds", f.rounds, "of --find-capacity; default: 3", "N");
  of.add_flag("--audit", f.audit, "check that quotas were kept to the request; exit 1 if not");
  of.add("--json", f.json_file, "write all figures here; - is the standard output", "FILE");
  of.add("--html", f.html_file, "write a report to look at here", "FILE");
  of.add("--csv", f.csv_file, "write the figures of each interval here; - is the standard output", "FILE");
  of.add("--live-metrics", f.live_metrics, "serve live figures for Prometheus here, at /metrics", "ADDRESS:PORT");
  of.add_flag("--quiet", f.quiet, "no line while it runs");
}

std::optional<results> read_run(std::string const& path, streams io) {
  std::string text;
  try {
    std::ifstream file(path, std::ios::binary);
    file.exceptions(std::ios::badbit | std::ios::failbit);
    text.assign(std::istreambuf_iterator<char>(file), {});
  } catch (std::ios_base::failure const&) {  // also of a directory, which can be opened
    io.err << path << " cannot be read\n";
    return std::nullopt;
  }
  auto read = from_json(text);
  if (!read.value) io.err << path << ": " << read.mistake << '\n';
  return std::move(read.value);
}

exit_code write_page(std::string const& path, std::string const& page, streams io) {
  std::ofstream file;
  if (path != standard_output) file.open(path, std::ios::binary);
  std::ostream& out = path == standard_output ? io.out : file;
  if (out << page << std::flush) return exit_code::ok;
  io.err << path << " could not be written\n";
  return exit_code::could_not_measure;
}

/// The figures that must not be worse; nullopt if a condition cannot be read.
std::optional<std::vector<std::string>> read_conditions(compare_flags const& flags, streams io) {
  std::vector<std::string> names;
  bool all_right = true;
  for (auto const& text : flags.fail_if) {
    auto name = parse_comparison_condition(text);
    all_right = all_right && name.value.has_value();
    if (!name.value) io.err << "--fail-if: " << name.mistake << '\n';
    if (name.value) names.push_back(std::move(*name.value));
  }
  return all_right ? std::optional(std::move(names)) : std::nullopt;
}

exit_code compare_runs(compare_flags const& flags, streams io) {
  auto const names = read_conditions(flags, io);
  auto const before = read_run(flags.before, io);
  auto const after = read_run(flags.after, io);
  if (!names || !before || !after) return exit_code::wrong_usage;
  auto const compared = compare(*before, *after);
  std::vector<judged_condition> conditions;
  for (auto const& name : *names) conditions.push_back(judged(name, compared));
  text_style const style{io.out_is_terminal && io.colour, io.width()};
  io.out << comparison_table(compared, {flags.before, flags.after}, style) << conditions_text(conditions, style);
  return std::ranges::any_of(conditions, &judged_condition::failed) ? exit_code::objective_failed : exit_code::ok;
}

/// The name of the run's file with another extension.
std::string html_beside(std::string const& run) {
  return std::filesystem::path(run).replace_extension(".html").string();
}

exit_code report_run(report_flags const& flags, streams io) {
  auto const found = read_run(flags.run, io);
  if (!found) return exit_code::wrong_usage;
  bool const is_html = !flags.html_file.empty() || flags.csv_file.empty();
  auto const path = flags.html_file.empty() ? html_beside(flags.run) : flags.html_file;
  for (auto const& [written, flag] :
       {std::pair(is_html ? path : std::string(), "--html"), std::pair(flags.csv_file, "--csv")})
    if (written == flags.run) {
      io.err << written << " is the run itself: say " << flag << " FILE\n";
      return exit_code::wrong_usage;
    }
  text_style const style{io.out_is_terminal && io.colour, io.width()};
  auto& out = path == standard_output || flags.csv_file == standard_output ? io.err : io.out;
  out << (found->capacity ? capacity_text(*found->capacity, style) : table_of(*found, style));
  auto const code = is_html ? write_page(path, to_html(*found), io) : exit_code::ok;
  return code != exit_code::ok || flags.csv_file.empty() ? code : write_page(flags.csv_file, to_csv(*found), io);
}

exit_code merge_runs(merge_flags const& flags, streams io) {
  if (flags.json_file == standard_output && flags.html_file == standard_output) {
    io.err << "only one of --json and --html may have the standard output (-)\n";
    return exit_code::wrong_usage;
  }
  std::vector<results> runs;
  for (auto const& path : flags.runs) {
    auto run = read_run(path, io);
    if (!run) return exit_code::wrong_usage;
    runs.push_back(std::move(*run));
  }
  auto const all = merged(runs);
  if (!all.value) {
    io.err << all.mistake << '\n';
    return exit_code::wrong_usage;
  }
  auto& out = flags.json_file == standard_output || flags.html_file == standard_output ? io.err : io.out;
  out << table_of(*all.value, {io.out_is_terminal && io.colour, io.width()});
  auto code = exit_code::ok;
  if (!flags.json_file.empty()) code = write_page(flags.json_file, to_json(*all.value), io);
  return code != exit_code::ok || flags.html_file.empty() ? code : write_page(flags.html_file, to_html(*all.value), io);
}

/// The names of the options of a command, with their dashes.
std::vector<std::string> names_of(CLI::App const& command) {
  std::vector<std::string> names;
  for (auto const* const option : command.get_options())
    for (auto const& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// The options that this command does not have, each with the one that was probably meant. Tells them also if something
/// else is missing, since a mistyped option is often why.
std::string unknown_options(CLI::App const& app, std::vector<std::string> const& arguments) {
  auto const is_named = [&](CLI::App const* command) {
    return !arguments.empty() && command->get_name() == arguments.front();
  };
  auto const named = app.get_subcommands(is_named);
  auto const known = names_of(named.empty() ? app : *named.front());
  std::string text;
  for (auto const& argument : arguments) {
    auto const name = argument.substr(0, argument.find('='));
    if (!name.starts_with("--") || name == "--" || std::ranges::find(known, name) != known.end()) continue;
    text.append(shown(name)).append(" is not known");
    if (auto const nearest = nearest_name(name, known); !nearest.empty())
      text.append("; did you mean ").append(nearest).append("?");
    text += '\n';
  }
  return text;
}

exit_code run_load(run_flags const& flags, std::vector<std::string> const& arguments, streams io) {
  auto understood = understand(flags, arguments, surroundings::real());
  for (auto const& mistake : understood.mistakes) io.err << mistake << '\n';
  constexpr std::array<std::string_view, 3> commands{"compare", "merge", "report"};
  if (auto const meant = arguments.empty() ? std::string_view() : nearest_name(arguments.front(), commands);
      !meant.empty())
    io.err << "did you mean `petstore-load " << meant << "`?\n";
  if (!understood.value) return exit_code::wrong_usage;
  return measure(std::move(*understood.value), flags, io);
}

}  // namespace

exit_code run_command_line(std::vector<std::string> const& arguments, streams io) {
  CLI::App app("Loads an HTTP service on a schedule and says how long its clients would have waited.", "petstore-load");
  app.set_version_flag("--version", "petstore-load " PETSTORE_VERSION);
  run_flags load;
  declare_what(app, load);
  declare_how_much(app, load);
  declare_how(app, load);
  declare_what_for(app, load);
  compare_flags compared;
  auto* const compare_command = app.add_subcommand("compare", "Puts two runs, as --json wrote them, side by side.");
  compare_command->add_option("before", compared.before)->required()->type_name("FILE");
  compare_command->add_option("after", compared.after)->required()->type_name("FILE");
  compare_command->add_option("--fail-if", compared.fail_if, "exit 1 if it is true: 'p99 worse', 'errors worse'")
      ->type_name("CONDITION")
      ->allow_extra_args(false);
  merge_flags merging;
  auto* const merge_command = app.add_subcommand("merge", "Adds up runs that were made at the same time.");
  merge_command->add_option("runs", merging.runs)->required()->type_name("FILE");
  merge_command->add_option("--json", merging.json_file, "write all figures here; - is the standard output")
      ->type_name("FILE");
  merge_command->add_option("--html", merging.html_file, "write a report to look at here")->type_name("FILE");
  report_flags reported;
  auto* const report_command = app.add_subcommand("report", "Makes the report to look at of a run that --json wrote.");
  report_command->add_option("run", reported.run)->required()->type_name("FILE");
  report_command->add_option("--html", reported.html_file, "write it here; default: beside the run, as .html")
      ->type_name("FILE");
  report_command->add_option("--csv", reported.csv_file, "write the figures of each interval here")->type_name("FILE");
  app.footer(examples);
  try {
    // CLI11 reads the vector from its end.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (CLI::ParseError const& e) {
    bool const asked_for = e.get_exit_code() == 0;  // help, or the version
    if (auto const unknown = asked_for ? std::string() : unknown_options(app, arguments); !unknown.empty()) {
      io.err << unknown << "petstore-load --help has all options.\n";
      return exit_code::wrong_usage;
    }
    return app.exit(e, io.out, io.err) == 0 ? exit_code::ok : exit_code::wrong_usage;
  }
  if (*compare_command) return compare_runs(compared, io);
  if (*merge_command) return merge_runs(merging, io);
  return *report_command ? report_run(reported, io) : run_load(load, arguments, io);
}

}  // namespace petstore::load
