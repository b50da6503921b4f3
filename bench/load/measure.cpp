// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <istream>
#include <limits>
#include <map>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "client/reach.hpp"
#include "engine/machine.hpp"
#include "engine/run.hpp"
#include "figures/self_check.hpp"
#include "report/csv.hpp"
#include "report/html.hpp"
#include "report/json.hpp"
#include "report/live_line.hpp"
#include "report/table.hpp"
#include "report/wording.hpp"
#include "safety.hpp"

namespace petstore::load {
namespace {

/// Descriptors for other things than sockets: standard streams, epoll, reports, and those of libraries.
constexpr std::size_t other_descriptors = 32;

/// How long a target may take to be reachable, before the measurement.
constexpr std::chrono::seconds reach_patience_min{5};

/// Why nothing was measured, and the exit code for it.
struct no_measurement {
  exit_code code;
  std::string why;
};

std::vector<destination> found_destinations(std::vector<target> targets) {
  std::vector<destination> all;
  for (auto& t : targets) {
    auto addresses = resolve(t);
    if (!addresses.value) throw no_measurement{exit_code::could_not_measure, addresses.mistake};
    all.push_back({std::move(t), std::move(*addresses.value)});
  }
  return all;
}

void ask_permission(run_plan const& plan, run_flags const& flags, streams io) {
  auto const ask = [&](std::string const& text) -> std::optional<std::string> {
    if (!io.in_is_terminal || !io.err_is_terminal) return std::nullopt;
    io.err << text << std::flush;
    std::string line;
    std::getline(io.in, line);
    return line;
  };
  if (auto const refused = refusal(plan.destinations, flags.permitted_hosts, ask))
    throw no_measurement{exit_code::wrong_usage, *refused};
}

/// Resolves and connects to the targets before the measurement. At least one must be reachable. If one of several nodes
/// is down, that is printed, and its requests count as errors. Of a host's addresses, only the reachable ones are kept,
/// as any client would do: `localhost` often has one on which no server listens.
void check_targets(run_plan& plan, streams io) {
  std::optional<tls_settings> tls;
  // Longer than the timeout of requests, if need be: a busy server may accept slowly.
  auto const patience = std::max(std::chrono::ceil<std::chrono::milliseconds>(plan.timeout),
                                 std::chrono::milliseconds(reach_patience_min));
  std::string missing;
  bool is_any_reachable = false;
  for (auto& d : plan.destinations) {
    if (d.to.is_tls && !tls) tls.emplace(plan.tls);
    std::vector<address> there;
    for (auto const& a : d.addresses) {
      auto const why = why_unreachable(d.to, a, tls ? &*tls : nullptr, patience);
      if (why.empty()) there.push_back(a);
      if (!why.empty()) missing.append(missing.empty() ? "" : "\n").append(why);
    }
    is_any_reachable |= !there.empty();
    if (!there.empty()) d.addresses = std::move(there);
  }
  if (!is_any_reachable) throw no_measurement{exit_code::could_not_measure, missing};
  if (!missing.empty()) io.err << missing << '\n';
}

void check_descriptors(run_plan const& plan) {
  auto const limit = raise_descriptor_limit();
  if (plan.connections + other_descriptors <= limit) return;
  throw no_measurement{exit_code::wrong_usage, "--connections " + std::to_string(plan.connections) +
                                                   " needs more than the " + std::to_string(limit) +
                                                   " descriptors that this process may open (ulimit -Hn)"};
}

/// Checks before the run that the reports can be written. Does not change existing files.
void check_files(run_flags const& flags) {
  for (auto const& path : {flags.json_file, flags.html_file, flags.csv_file}) {
    if (!path.empty() && path != standard_output && !std::ofstream(path, std::ios::app))
      throw no_measurement{exit_code::wrong_usage, path + " cannot be written"};
  }
}

void write_file(std::string const& path, std::string const& text, streams io) {
  if (path == standard_output) {
    if (io.out << text << std::flush) return;
    throw no_measurement{exit_code::could_not_measure, "the standard output could not be written"};
  }
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text << std::flush;
  if (!file) throw no_measurement{exit_code::could_not_measure, path + " could not be written"};
}

void write_reports(results const& found, run_flags const& flags, streams io) {
  if (!flags.json_file.empty()) write_file(flags.json_file, to_json(found), io);
  if (!flags.html_file.empty()) write_file(flags.html_file, to_html(found), io);
  if (!flags.csv_file.empty()) write_file(flags.csv_file, to_csv(found), io);
}

/// Where the table goes: a report on the standard output must be alone there.
std::ostream& table_stream(run_flags const& flags, streams io) noexcept {
  return flags.json_file == standard_output || flags.csv_file == standard_output || flags.html_file == standard_output
             ? io.err
             : io.out;
}

text_style style_of(streams const& io) noexcept {
  return {io.out_is_terminal && io.colour, io.width()};
}

/// Plays a run and shows its live line.
results played(run& r, run_plan const& plan, run_flags const& flags, streams io) {
  live_line line({io.err_is_terminal, io.err_is_terminal && io.colour, io.width(),
                  plan.duration.value_or(std::chrono::nanoseconds{})});
  run::onlooker look;
  if (!flags.quiet)
    look = [&](live_status const& status) {
      line.resize(io.width());
      io.err << line.update(status) << std::flush;
    };
  auto found = r.play(look);
  if (!flags.quiet) io.err << line.clear() << std::flush;
  return found;
}

/// The errors as text, for a run that has only errors.
std::string why_nothing_was_answered(results const& found) {
  std::string why = "nothing was answered";
  for (auto const& [kind, error] : found.errors)
    why.append("\n")
        .append(std::to_string(error.count))
        .append(" × ")
        .append(name_of(kind))
        .append(": ")
        .append(error.example.empty() ? meaning_of(kind) : std::string_view(error.example));
  return why;
}

/// Whether the server answered at all while it was measured.
bool is_answered(results const& found) noexcept {
  return totals_of(found).answers > 0 || within_duration(found).answers > 0;
}

bool has_findings(results const& found) noexcept {
  return found.audit && !found.audit->findings.empty();
}

exit_code measure_once(intention const& wanted, run_flags const& flags, streams io) {
  run r(wanted.plan);
  auto found = played(r, wanted.plan, flags, io);
  for (auto const& objective : wanted.fail_if) found.conditions.push_back(judged(objective, found));
  table_stream(flags, io) << table_of(found, style_of(io)) << std::flush;
  write_reports(found, flags, io);

  if (r.was_interrupted()) return exit_code::interrupted;
  if (!is_answered(found)) throw no_measurement{exit_code::could_not_measure, why_nothing_was_answered(found)};
  bool const failed = std::any_of(found.conditions.begin(), found.conditions.end(), [](auto& c) { return c.failed; });
  return failed || has_findings(found) ? exit_code::objective_failed : exit_code::ok;
}

/// The quantile of latency that an objective is about.
double quantile_of(objective const& wanted) noexcept {
  bool const is_quantile = wanted.about == objective::subject::latency || wanted.about == objective::subject::service;
  if (!is_quantile || wanted.of == objective::statistic::mean) return 0.99;
  return wanted.of == objective::statistic::quantile ? wanted.quantile : wanted.of == objective::statistic::max ? 1 : 0;
}

/// Whether the due requests were answered as expected without a growing backlog. An objective about errors or statuses
/// says itself how many answers may be others than expected.
bool was_reached(objective const& wanted, results const& found) noexcept {
  auto const counts = within_duration(found);
  bool const allows_errors = wanted.about == objective::subject::errors || wanted.about == objective::subject::status;
  auto const answers = counts.answers - (allows_errors ? 0 : counts.unexpected);
  return static_cast<double>(answers) >= static_cast<double>(counts.due) * reached_min;
}

/// A rate is held if the objective holds and the rate was reached in a try that was played to its end.
capacity_try try_of(double rate, objective const& wanted, results const& found, bool is_cut_off) {
  auto const judgement = judge(wanted, found);
  auto const latency = latency_of(found);
  return {rate,
          judgement.holds.value_or(false) && was_reached(wanted, found) && !is_cut_off,
          tool_had_a_hiccup(found, quantile_of(wanted)),
          judgement.observed + (is_cut_off ? "; ended by " + found.run.ended_by : ""),
          0,
          rate_of(found),
          latency.quantile(0.5),
          latency.quantile(0.99)};
}

std::string try_text(capacity_try const& tried) {
  return rate_words(tried.rate) + ": " + tried.observed +
         (tried.held             ? ", held"
          : tried.tool_was_limit ? ", not held: this tool was the limit"
                                 : ", not held");
}

/// The tries for the reports: the last try of each round that held, which is the result of the round.
class best_tries {
 public:
  void played(results found, capacity_try const& how) {
    auto& best = by_round_[how.round];
    if (how.held) best = found;
    last_ = std::move(found);
  }

  /// The try of the round nearest to the median; if none held, the last try.
  results of(capacity_figures const& wanted) {
    results* nearest = &last_;
    double distance = std::numeric_limits<double>::max();
    for (unsigned round = 1; round <= wanted.knees.size(); ++round) {
      auto const its = std::abs(wanted.knees[round - 1] - wanted.median);
      if (!by_round_[round] || its >= distance) continue;
      nearest = &*by_round_[round];
      distance = its;
    }
    return std::move(*nearest);
  }

 private:
  std::map<unsigned, std::optional<results>> by_round_;
  results last_;
};

exit_code find_capacity(intention wanted, run_flags const& flags, streams io) {
  capacity_search search(wanted.search);
  best_tries tries;
  auto const& objective = *wanted.find_capacity;
  bool is_interrupted = false;
  bool was_answered = false;
  unsigned with_findings = 0;
  std::string why_nothing;
  while (auto const rate = search.next()) {
    wanted.plan.shape.from = wanted.plan.shape.to = *rate;
    run r(wanted.plan);
    auto found = played(r, wanted.plan, flags, io);
    is_interrupted = r.was_interrupted();
    was_answered |= is_answered(found);
    if (!was_answered) why_nothing = why_nothing_was_answered(found);
    with_findings += has_findings(found);
    auto const outcome = try_of(*rate, objective, found, r.was_ended_by_errors());
    if (is_interrupted) {
      tries.played(std::move(found), {});
      break;
    }
    io.err << try_text(outcome) << std::endl;
    if (has_findings(found)) io.err << "The audit: " << found.audit->findings.front().text << std::endl;
    search.tried(outcome);
    tries.played(std::move(found), search.found().tries.back());
  }
  auto figures = search.found();
  figures.objective = objective.text;
  table_stream(flags, io) << capacity_text(figures, style_of(io)) << std::flush;
  if (with_findings > 0)
    table_stream(flags, io) << "The audit found that quotas were not kept in " << with_findings << " of the tries.\n"
                            << std::flush;
  auto reported = tries.of(figures);
  reported.capacity = std::move(figures);
  write_reports(reported, flags, io);
  if (is_interrupted) return exit_code::interrupted;
  if (!was_answered) throw no_measurement{exit_code::could_not_measure, why_nothing};
  return reported.capacity->median > 0 && with_findings == 0 ? exit_code::ok : exit_code::objective_failed;
}

}  // namespace

exit_code measure(intention wanted, run_flags const& flags, streams io) {
  try {
    check_descriptors(wanted.plan);
    check_files(flags);
    wanted.plan.destinations = found_destinations(std::move(wanted.targets));
    ask_permission(wanted.plan, flags, io);
    check_targets(wanted.plan, io);
    return wanted.find_capacity ? find_capacity(std::move(wanted), flags, io) : measure_once(wanted, flags, io);
  } catch (no_measurement const& none) {
    io.err << none.why << '\n';
    return none.code;
  } catch (std::exception const& e) {
    io.err << e.what() << '\n';
    return exit_code::could_not_measure;
  }
}

}  // namespace petstore::load
