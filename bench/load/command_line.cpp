// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <ostream>

#include "flags.hpp"
#include "measure.hpp"
#include "report/compare.hpp"
#include "report/html.hpp"
#include "report/json.hpp"
#include "report/table.hpp"
#include "search/capacity.hpp"

namespace petstore::load {
namespace {

struct compare_flags {
  std::string before;
  std::string after;
  std::string html_file;
};

struct report_flags {
  std::string run;
  std::string html_file;
};

void declare_what(CLI::App& app, run_flags& f) {
  app.add_option("url,--target", f.targets, "whom to load; more than one share the load in turn")->type_name("URL");
  app.add_option("--scenario", f.scenario_file, "what clients do, in TOML (bench/load/scenarios)")->type_name("FILE");
  app.add_option("--key", f.keys, "API key: itself, env:NAME, or file:PATH with one a line; used in turn")
      ->type_name("KEY");
  app.add_option("--method", f.method, "GET, or POST with a body")->type_name("METHOD");
  app.add_option("-H,--header", f.headers, "a field of each request: 'Name: value'")->type_name("FIELD");
  app.add_option("--body", f.body, "the body of each request; @FILE reads it")->type_name("TEXT");
}

void declare_how_much(CLI::App& app, run_flags& f) {
  app.add_option("--rate", f.rate,
                 "requests due in a second: 500, 10..500 with a shape, or max: no schedule, "
                 "each connection sends when it is answered")
      ->type_name("RATE");
  app.add_option("--shape", f.shape, "constant, ramp, steps, spike (the middle fifth)")->type_name("SHAPE");
  app.add_option("--steps", f.steps, "of --shape steps: how many (5)")->type_name("N");
  app.add_option("--arrivals", f.arrivals, "even, or poisson: as from many who know nothing of each other")
      ->type_name("KIND");
  app.add_option("--duration", f.duration, "30s, 2m, at most 24h")->type_name("TIME");
  app.add_option("--warm-up", f.warm_up, "before that, and not counted")->type_name("TIME");
  app.add_option("--requests", f.requests, "stop after so many")->type_name("N");
  app.add_option("--max-errors", f.errors, "stop at so many")->type_name("N");
  app.add_option("--seed", f.seed, "of everything that is drawn by chance (1)")->type_name("N");
}

void declare_how(CLI::App& app, run_flags& f) {
  app.add_option("--connections", f.connections, "at most (1000; with --rate max exactly, 64)")->type_name("N");
  app.add_option("--waiting", f.waiting, "requests that may be due and wait for a connection (100000)")->type_name("N");
  app.add_option("--threads", f.threads, "that send (1)")->type_name("N");
  app.add_option("--timeout", f.timeout, "of a request, connecting included (10s)")->type_name("TIME");
  app.add_flag("--no-keep-alive", f.no_keep_alive, "a connection for each request");
  app.add_flag("--insecure", f.tls.insecure, "believe any certificate");
  app.add_option("--ca", f.tls.ca_file, "believe these authorities (PEM) instead of the machine's")->type_name("FILE");
  app.add_option("--yes-i-may-load", f.permitted_hosts, "a host that is not this machine and may be loaded")
      ->type_name("HOST");
}

void declare_what_for(CLI::App& app, run_flags& f) {
  app.add_option("--fail-if", f.fail_if, "exit 1 if it is true: 'p99>5ms', 'errors>0', 'status(5xx)>0'")
      ->type_name("CONDITION");
  app.add_option("--find-capacity", f.find_capacity, "look for the highest rate at which this holds: 'p99<5ms'")
      ->type_name("OBJECTIVE");
  app.add_option("--rounds", f.rounds, "of --find-capacity (3)")->type_name("N");
  app.add_flag("--audit", f.audit, "check that quotas were kept to the request; exit 1 if not");
  app.add_flag("--smoke", f.smoke, "3 seconds at 10/s, and exit 1 if anything fails; other flags beat it");
  app.add_option("--json", f.json_file, "write all figures here")->type_name("FILE");
  app.add_option("--html", f.html_file, "write a report to look at here")->type_name("FILE");
  app.add_flag("--quiet", f.quiet, "no line while it runs");
}

std::optional<results> read_run(std::string const& path, streams io) {
  std::ifstream file(path, std::ios::binary);
  std::string const text{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    io.err << path << " cannot be read\n";
    return std::nullopt;
  }
  auto read = from_json(text);
  if (!read.value) io.err << path << ": " << read.mistake << '\n';
  return std::move(read.value);
}

exit_code write_page(std::string const& path, std::string const& page, streams io) {
  std::ofstream file(path, std::ios::binary);
  file << page << std::flush;
  if (file) return exit_code::ok;
  io.err << path << " could not be written\n";
  return exit_code::wrong_usage;
}

exit_code compare_runs(compare_flags const& flags, streams io) {
  auto const before = read_run(flags.before, io);
  auto const after = read_run(flags.after, io);
  if (!before || !after) return exit_code::wrong_usage;
  run_names const names{flags.before, flags.after};
  io.out << comparison_table(compare(*before, *after), names, {io.out_is_terminal && io.colour, io.width()});
  if (flags.html_file.empty()) return exit_code::ok;
  return write_page(flags.html_file, comparison_html(*before, *after, names), io);
}

/// The name of the run's file with another extension.
std::string html_beside(std::string const& run) {
  return std::filesystem::path(run).replace_extension(".html").string();
}

exit_code report_run(report_flags const& flags, streams io) {
  auto const found = read_run(flags.run, io);
  if (!found) return exit_code::wrong_usage;
  auto const path = flags.html_file.empty() ? html_beside(flags.run) : flags.html_file;
  if (path == flags.run) {
    io.err << path << " is the run itself: say --html FILE\n";
    return exit_code::wrong_usage;
  }
  text_style const style{io.out_is_terminal && io.colour, io.width()};
  io.out << (found->capacity ? capacity_text(*found->capacity, style) : table_of(*found, style));
  return write_page(path, to_html(*found), io);
}

exit_code run_load(run_flags const& flags, std::vector<std::string> const& arguments, streams io) {
  auto understood = understand(flags, arguments, surroundings::real());
  for (auto const& mistake : understood.mistakes) io.err << mistake << '\n';
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
  compare_command->add_option("--html", compared.html_file, "write a report to look at here")->type_name("FILE");
  report_flags reported;
  auto* const report_command = app.add_subcommand("report", "Makes the report to look at of a run that --json wrote.");
  report_command->add_option("run", reported.run)->required()->type_name("FILE");
  report_command->add_option("--html", reported.html_file, "write it here (beside the run, as .html)")
      ->type_name("FILE");
  try {
    // CLI11 reads the vector from its end.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (CLI::ParseError const& e) {
    return app.exit(e, io.out, io.err) == 0 ? exit_code::ok : exit_code::wrong_usage;
  }
  if (*compare_command) return compare_runs(compared, io);
  return *report_command ? report_run(reported, io) : run_load(load, arguments, io);
}

}  // namespace petstore::load
