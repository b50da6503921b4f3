// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/plans.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "config/plan_windows.hpp"
#include "config/render.hpp"
#include "petstore/json_object.hpp"
#include "petstore/key_record.hpp"

namespace petstore::program {
namespace {

std::string_view refill_name(limits::plan const& plan) {
  return plan.short_refill == limits::refill::periodic ? "periodic" : "continuous";
}

/// The costs that the configuration sets, below the plans.
std::string costs_as_text(loaded_settings const& loaded) {
  std::vector<std::vector<std::string>> lines{{"OPERATION", "COST", "SOURCE"}};
  for (auto const& [name, tokens] : loaded.values.service.costs)
    lines.push_back({name, std::to_string(tokens.tokens()), loaded.source_of("costs." + name)});
  return lines.size() == 1 ? "" : "\n" + aligned(lines);
}

/// The periods of which there is a column: a minute and a day always, others if a plan has them. The shortest first.
std::vector<limits::period> shown_periods(plan_table const& plans) {
  std::vector<limits::period> periods;
  for (auto const& key : window_keys) {
    auto const period = key.make(1).period;
    bool const is_usual = key.name == "per_minute" || key.name == "per_day";
    bool const is_used = std::ranges::any_of(plans, [&](auto const& named) {
      limits::plan const& plan = named.second;
      return plan.short_window.period() == period || (plan.long_window && plan.long_window.period() == period);
    });
    if (is_usual || is_used) periods.push_back(period);
  }
  return periods;
}

/// The tokens of a plan in that period. `-`: another quota limits them.
std::string cell_of(limits::plan const& plan, limits::period period) {
  if (plan.short_window.period() == period) return std::to_string(plan.short_window.tokens());
  if (!plan.long_window) return period.is_aligned() ? "unlimited" : "-";
  return plan.long_window.period() == period ? std::to_string(plan.long_window.tokens()) : "-";
}

std::string plans_as_text(loaded_settings const& loaded) {
  auto const& plans = loaded.values.plans;
  auto const periods = shown_periods(plans);
  std::vector<std::vector<std::string>> lines{{"PLAN"}};
  for (auto const period : periods) lines.back().push_back(in_capitals("per " + limits::name_of(period)));
  lines.back().insert(lines.back().end(), {"REFILL", "SOURCE"});
  for (auto const& [name, plan] : plans) {
    lines.push_back({name});
    for (auto const period : periods) lines.back().push_back(cell_of(plan, period));
    lines.back().insert(lines.back().end(), {std::string(refill_name(plan)), loaded.source_of("plans." + name)});
  }
  if (!plans.contains(enterprise_plan)) {
    lines.push_back({std::string{enterprise_plan}});
    for (auto const period : periods) {
      auto const key = key_of(period);
      lines.back().push_back(key == "per_minute" || key == "per_day" ? "custom" : "-");
    }
    lines.back().insert(lines.back().end(), {"periodic", "key"});
  }
  return aligned(lines);
}

std::string plans_as_json(loaded_settings const& loaded) {
  std::string array = "[";
  for (auto const& [name, plan] : loaded.values.plans) {
    if (array.size() > 1) array += ',';
    json_object object{array};
    object.add("name", name).add(key_of(plan.short_window.period()), plan.short_window.tokens());
    if (plan.long_window) object.add(key_of(plan.long_window.period()), plan.long_window.tokens());
    object.add("refill", refill_name(plan)).add("source", loaded.source_of("plans." + name)).close();
  }
  return array + "]\n";
}

}  // namespace

void plans_command(loaded_settings const& loaded, bool json, streams out) {
  out.out << (json ? plans_as_json(loaded) : plans_as_text(loaded) + costs_as_text(loaded));
}

}  // namespace petstore::program
