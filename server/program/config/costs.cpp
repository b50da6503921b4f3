// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/costs.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "config/plan_windows.hpp"
#include "config/values.hpp"

namespace petstore::program {

void assign_costs(config_file const& file, settings& values, std::vector<std::string>& faults) {
  for (auto const& [name, written] : file.costs) {
    try {
      auto const tokens = parse_integer_as<std::uint32_t>(written.text, 1, cost_max);
      values.service.costs.insert_or_assign(name, limits::cost::of(tokens).value());
    } catch (value_error const& wrong) {
      faults.push_back(fmt::format("costs.{}: `{}` {} (from {})", name, written.text, wrong.what(), written.source));
    }
  }
}

void check_costs(config_file const& file, settings const& values, std::string_view anonymous_source,
                 std::vector<std::string>& faults) {
  auto const check = [&](std::string const& quota, std::uint64_t size, std::string_view source) {
    for (auto const& [name, tokens] : values.service.costs)
      if (tokens.tokens() > size)
        faults.push_back(fmt::format("costs.{}: `{}` (from {}) is more than {} `{}` (from {})", name, tokens.tokens(),
                                     file.costs.at(name).source, quota, size, source));
  };
  check("anonymous-per-minute", values.service.anonymous.short_window.tokens(), anonymous_source);
  for (auto const& [name, plan] : values.plans) {
    auto const source = file.source_of_plan(name);
    auto const window = "plans." + name + ".";
    check(window + key_of(plan.short_window.period()), plan.short_window.tokens(), source);
    if (plan.long_window) check(window + key_of(plan.long_window.period()), plan.long_window.tokens(), source);
  }
}

}  // namespace petstore::program
