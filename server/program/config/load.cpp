// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "config/file.hpp"
#include "config/values.hpp"
#include "logging/redact.hpp"

namespace petstore::program {
namespace {

std::string joined(std::vector<std::string> const& lines) {
  std::string out;
  for (auto const& line : lines) out += (out.empty() ? "" : "\n") + line;
  return out;
}

/// Puts texts into their settings, and remembers each as the one in force, or as a fault.
class assigner {
 public:
  assigner(settings& values, std::vector<std::string>& faults) : values_(values), faults_(faults) {}

  /// `name` is what the source calls the setting.
  void assign(setting const& row, std::string_view name, std::string const& text, std::string const& source,
              shown_setting& shown) {
    shown.value = redact_secrets(text);
    shown.source = source;
    try {
      row.assign(values_, text);
    } catch (value_error const& wrong) {
      faults_.push_back(fmt::format("{}: `{}` {} (from {})", name, shown.value, wrong.what(), source));
    }
  }

 private:
  settings& values_;
  std::vector<std::string>& faults_;
};

void check_together(loaded_settings const& loaded, std::vector<std::string>& faults) {
  auto const& values = loaded.values;
  auto const named = [&](std::string_view name) {
    auto const row = std::ranges::find(loaded.shown, name, &shown_setting::name);
    return fmt::format("{} `{}` (from {})", row->name, row->value, row->source);
  };
  if (values.listen == values.admin_listen && values.listen.port() != 0) {
    faults.push_back(fmt::format("{} is the address of {}", named("admin-listen"), named("listen")));
  }
  if (values.bans.base > values.bans.max) {
    faults.push_back(fmt::format("{} is longer than {}", named("ban-base"), named("ban-max")));
  }
}

void show_plans(loaded_settings& loaded, std::map<std::string, std::string, std::less<>> const& sources) {
  for (auto const& [name, plan] : loaded.values.plans) {
    auto const source = sources.find(name);
    auto const day = plan.per_day == 0 ? std::string("unlimited") : std::to_string(plan.per_day);
    auto const refill = plan.minute_refill == limits::refill::periodic ? "periodic" : "continuous";
    loaded.shown.push_back({"plans." + name, fmt::format("{} a minute, {} a day, {}", plan.per_minute, day, refill),
                            source == sources.end() ? "default" : source->second});
  }
}

/// Of flags that are no settings.
constexpr std::array<std::string_view, 11> variables_of_commands{
    "PETSTORE_CONFIG",  "PETSTORE_PLAN",  "PETSTORE_PER_MINUTE", "PETSTORE_PER_DAY", "PETSTORE_NAME", "PETSTORE_SCOPE",
    "PETSTORE_EXPIRES", "PETSTORE_GRACE", "PETSTORE_FOR",        "PETSTORE_OUTPUT",  "PETSTORE_JSON",
};

/// A variable that nobody reads is only warned of: Kubernetes puts PETSTORE_PORT and the like into every pod beside a
/// service of that name.
std::vector<std::string> unknown_variables(variables const& environment) {
  std::vector<std::string> warnings;
  for (auto const& [name, value] : environment) {
    bool const known = std::ranges::find(variables_of_commands, name) != variables_of_commands.end() ||
                       std::ranges::any_of(all_settings(), [&](auto const& row) { return row.variable() == name; });
    if (name.starts_with("PETSTORE_") && !known)
      warnings.push_back(fmt::format("unknown variable {} is ignored", name));
  }
  return warnings;
}

}  // namespace

config_error::config_error(std::vector<std::string> all) : std::runtime_error(joined(all)), faults(std::move(all)) {}

std::string const& loaded_settings::source_of(std::string_view name) const {
  return std::ranges::find(shown, name, &shown_setting::name)->source;
}

loaded_settings load_settings(setting_sources const& sources) {
  config_file file;
  file.plans = standard_plans();
  if (sources.file) file = read_config_file(*sources.file, sources.file_source);

  loaded_settings loaded;
  std::vector<std::string> faults = file.faults;
  assigner out(loaded.values, faults);
  for (auto const& row : all_settings()) {
    auto& shown = loaded.shown.emplace_back(shown_setting{std::string(row.name), {}, {}});
    out.assign(row, row.name, std::string(row.otherwise), "default", shown);
    if (auto const entry = file.entries.find(row.name); entry != file.entries.end()) {
      out.assign(row, row.file_key, entry->second.text, entry->second.source, shown);
    }
    auto const variable = row.variable();
    if (auto const entry = sources.environment.find(variable); entry != sources.environment.end()) {
      out.assign(row, row.name, entry->second, variable, shown);
    }
    if (auto const flag = sources.flags.find(row.name); flag != sources.flags.end()) {
      out.assign(row, row.name, flag->second, "--" + flag->first, shown);
    }
  }
  loaded.values.plans = file.plans;
  check_together(loaded, faults);
  if (!faults.empty()) throw config_error(std::move(faults));

  show_plans(loaded, file.plan_sources);
  loaded.warnings = unknown_variables(sources.environment);
  return loaded;
}

}  // namespace petstore::program
