// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace petstore::program {
namespace {

/// Plans and costs can always change; they are not rows of the table.
bool can_change(std::string_view name) {
  auto const row = std::ranges::find(all_settings(), name, &setting::name);
  return row == all_settings().end() || row->reloads;
}

shown_setting find(std::vector<shown_setting> const& among, std::string const& name) {
  auto const found = std::ranges::find(among, name, &shown_setting::name);
  return found == among.end() ? shown_setting{.name = name, .value = {}, .source = {}} : *found;
}

std::string in_quotes(std::string const& value) {
  return value.empty() ? "nothing" : "`" + value + "`";
}

}  // namespace

std::string setting_change::sentence() const {
  auto const source = after.source.empty() ? std::string() : fmt::format(" (from {})", after.source);
  // Only a password differs, and passwords are not shown.
  if (before.value == after.value)
    return fmt::format("{}: another secret in {}{}", after.name, in_quotes(after.value), source);
  return fmt::format("{}: {} → {}{}", after.name, in_quotes(before.value), in_quotes(after.value), source);
}

std::vector<setting_change> find_changes(std::vector<shown_setting> const& in_force,
                                         std::vector<shown_setting> const& fresh) {
  std::vector<setting_change> changes;
  auto const differ = [](shown_setting const& a, shown_setting const& b) {
    return a.value != b.value || a.fingerprint != b.fingerprint;
  };
  for (auto const& after : fresh) {
    auto before = find(in_force, after.name);
    if (differ(before, after)) changes.push_back({std::move(before), after, can_change(after.name)});
  }
  for (auto const& before : in_force) {  // plans that were removed
    if (std::ranges::find(fresh, before.name, &shown_setting::name) == fresh.end())
      changes.push_back({before, find(fresh, before.name), can_change(before.name)});
  }
  return changes;
}

settings apply_changes(settings in_force, loaded_settings const& fresh) {
  for (auto const& row : all_settings())
    if (row.reloads) row.assign(in_force, fresh.texts.at(row.name));
  in_force.plans = fresh.values.plans;
  in_force.service.costs = fresh.values.service.costs;
  return in_force;
}

std::vector<shown_setting> with_changes(std::vector<shown_setting> const& in_force,
                                        std::vector<shown_setting> const& fresh) {
  std::vector<shown_setting> out;
  for (auto const& after : fresh) out.push_back(can_change(after.name) ? after : find(in_force, after.name));
  return out;
}

}  // namespace petstore::program
