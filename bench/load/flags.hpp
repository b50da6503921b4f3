// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The flags of a run as they were given, and the plan that follows from them and a scenario file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/run_plan.hpp"
#include "report/objective.hpp"
#include "scenario/read_scenario.hpp"
#include "search/capacity.hpp"

namespace petstore::load {

/// The name of a file that means the standard output.
inline constexpr std::string_view standard_output = "-";

struct run_flags {
  // What is sent
  std::vector<std::string> targets;
  std::string scenario_file;
  std::vector<std::string> keys;
  std::string method;
  std::vector<std::string> headers;
  std::string body;
  // How fast, and how long
  std::string rate;
  std::string stages;
  std::string arrivals;
  std::string duration;
  std::string warm_up;
  std::optional<std::uint64_t> requests;
  std::optional<std::uint64_t> errors;
  std::optional<std::uint64_t> seed;
  // Connections, threads and TLS
  std::optional<std::size_t> connections;
  std::optional<std::size_t> waiting;
  std::optional<unsigned> threads;
  std::string timeout;
  bool no_keep_alive = false;
  tls_settings::wanted tls;
  std::vector<std::string> permitted_hosts;
  // Conditions and reports
  std::vector<std::string> fail_if;
  std::string find_capacity;
  std::optional<unsigned> rounds;
  bool audit = false;
  bool quiet = false;
  std::string json_file;
  std::string html_file;
  std::string csv_file;
  std::string live_metrics;
};

/// A run before its targets are resolved: addresses are looked up, and permission is asked for, when all else is right.
struct intention {
  run_plan plan;                ///< without destinations
  std::vector<target> targets;  ///< at least one
  std::vector<objective> fail_if;
  std::optional<objective> find_capacity;
  capacity_options search;
};

struct intention_outcome {
  std::optional<intention> value;     ///< if there is no mistake
  std::vector<std::string> mistakes;  ///< sentences that say what would be right
};

/// `arguments` are the command line, for reports, which leave out secrets. Reads the files that the flags name.
intention_outcome understand(run_flags const&, std::vector<std::string> const& arguments, surroundings const&);

}  // namespace petstore::load
