// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Runs for tests: small ones, against servers on this machine.
#pragma once

#include <string>
#include <string_view>

#include "engine/run.hpp"
#include "support/time_limit.hpp"

namespace petstore::load {

/// As many requests as this over two connections, with more patience than any machine needs.
inline run_plan plan_of(std::string const& url, std::string_view rate, std::uint64_t requests) {
  run_plan plan;
  plan.played = plain_scenario("GET", "", {}, "", {});
  plan.shape = parse_rate(rate).value.value();
  plan.requests = requests;
  plan.connections = 2;
  plan.timeout = tests::time_limit;
  auto to = parse_target(url).value.value();
  auto addresses = resolve(to).value.value();
  plan.destinations.push_back({std::move(to), std::move(addresses)});
  return plan;
}

inline results played(run_plan const& plan) {
  return run(plan).play({});
}

inline std::uint64_t errors_of(results const& found, error_kind kind) {
  auto const at = found.errors.find(kind);
  return at == found.errors.end() ? 0 : at->second.count;
}

inline std::uint64_t answers_of(results const& found) {
  return totals_of(found).answers;
}

}  // namespace petstore::load
