// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/plans.hpp"

#include <string>
#include <vector>

#include "config/render.hpp"
#include "petstore/json_object.hpp"

namespace petstore::program {
namespace {

std::string_view refill_name(limits::plan const& plan) {
  return plan.minute_refill == limits::refill::periodic ? "periodic" : "continuous";
}

/// The costs that the configuration sets, below the plans.
std::string costs_as_text(loaded_settings const& loaded) {
  std::vector<std::vector<std::string>> lines{{"OPERATION", "COST", "SOURCE"}};
  for (auto const& [name, tokens] : loaded.values.service.costs)
    lines.push_back({name, std::to_string(tokens.tokens()), loaded.source_of("costs." + name)});
  return lines.size() == 1 ? "" : "\n" + aligned(lines);
}

}  // namespace

void plans_command(loaded_settings const& loaded, bool json, streams out) {
  std::vector<std::vector<std::string>> lines{{"PLAN", "PER MINUTE", "PER DAY", "REFILL", "SOURCE"}};
  std::string array = "[";
  for (auto const& [name, plan] : loaded.values.plans) {
    auto const day = plan.per_day == 0 ? std::nullopt : std::optional(std::uint64_t{plan.per_day});
    auto const& source = loaded.source_of("plans." + name);
    lines.push_back({name, std::to_string(plan.per_minute), day ? std::to_string(*day) : "unlimited",
                     std::string(refill_name(plan)), source});
    if (array.size() > 1) array += ',';
    json_object{array}
        .add("name", name)
        .add("per_minute", std::uint32_t{plan.per_minute})
        .add("per_day", day)
        .add("refill", refill_name(plan))
        .add("source", source)
        .close();
  }
  if (!loaded.values.plans.contains("enterprise"))
    lines.push_back({"enterprise", "custom", "custom", "periodic", "key"});
  out.out << (json ? array + "]\n" : aligned(lines) + costs_as_text(loaded));
}

}  // namespace petstore::program
