// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>

#include "config/costs.hpp"
#include "config/file.hpp"
#include "config/plan_windows.hpp"
#include "config/redact.hpp"
#include "config/suggestion.hpp"
#include "config/value_file.hpp"
#include "config/values.hpp"
#include "outcome.hpp"

namespace petstore::program {
namespace {

std::string joined(std::vector<std::string> const& lines) {
  std::string out;
  for (auto const& line : lines) out += (out.empty() ? "" : "\n") + line;
  return out;
}

/// Parses texts into their settings. Each text becomes the shown value of its setting, or a fault.
class assigner {
 public:
  assigner(loaded_settings& loaded, std::vector<std::string>& faults) : loaded_(loaded), faults_(faults) {}

  /// `name` is what the source calls the setting.
  void assign(setting const& row, std::string_view name, std::string const& text, std::string const& source,
              shown_setting& shown) {
    shown.value = redact_address(row.name == "webhook" ? without_query(text) : text);
    shown.source = source;
    shown.fingerprint = std::hash<std::string>{}(text);
    if (row.reloads) loaded_.texts[row.name] = text;
    try {
      row.assign(loaded_.values, text);
    } catch (value_error const& wrong) {
      faults_.push_back(fmt::format("{}: `{}` {} (from {})", name, shown.value, wrong.what(), source));
    }
  }

 private:
  loaded_settings& loaded_;
  std::vector<std::string>& faults_;
};

template <class Named>
void check_tls(server::tls_files const& tls, Named named, std::vector<std::string>& faults) {
  bool const has_certificate = !tls.certificates.empty();
  if (has_certificate != !tls.private_key.empty()) {
    auto const [there, missing] = has_certificate ? std::pair("tls-cert", "tls-key") : std::pair("tls-key", "tls-cert");
    faults.push_back(fmt::format("{} needs {} beside it", named(there), missing));
  }
  if (tls.clients == server::client_certificates::off) return;
  if (!has_certificate) faults.push_back(fmt::format("{} needs tls-cert and tls-key", named("tls-client-auth")));
  if (tls.client_authorities.empty())
    faults.push_back(fmt::format("{} needs tls-client-ca: the authorities to trust", named("tls-client-auth")));
}

/// `is_named`: whether there is an address, valid or not.
template <class Named>
void check_webhook(settings const& values, bool is_named, Named named, std::vector<std::string>& faults) {
  bool const has_secret = !values.webhook_secret_file.empty();
  if (values.webhook && !has_secret)
    faults.push_back(fmt::format("{} needs webhook-secret-file: the secret that signs its messages", named("webhook")));
  if (!is_named && has_secret)
    faults.push_back(fmt::format("{} needs webhook: the address to send to", named("webhook-secret-file")));
}

void check_together(loaded_settings const& loaded, std::vector<std::string>& faults) {
  auto const& values = loaded.values;
  auto const find = [&](std::string_view name) { return std::ranges::find(loaded.shown, name, &shown_setting::name); };
  auto const named = [&](std::string_view name) {
    auto const row = find(name);
    return fmt::format("{} `{}` (from {})", row->name, row->value, row->source);
  };
  if (values.listen == values.admin_listen && values.listen.port() != 0) {
    faults.push_back(fmt::format("{} is the address of {}", named("admin-listen"), named("listen")));
  }
  if (values.expects_proxy_header && values.service.trusted_proxies.empty()) {
    faults.push_back(
        fmt::format("{} lets nobody in while {} names no proxy", named("proxy-protocol"), named("trusted-proxies")));
  }
  check_tls(values.tls, named, faults);
  check_webhook(values, !find("webhook")->value.empty(), named, faults);
  if (values.bans.base > values.bans.max) {
    faults.push_back(fmt::format("{} is longer than {}", named("ban-base"), named("ban-max")));
  }
}

void show_plans(config_file const& file, loaded_settings& loaded) {
  for (auto const& [name, plan] : loaded.values.plans)
    loaded.shown.push_back({.name = "plans." + name, .value = in_words(plan), .source = file.source_of_plan(name)});
}

void show_costs(config_file const& file, loaded_settings& loaded) {
  for (std::string_view const name : server::charged_operation_names()) {
    auto const written = file.costs.find(name);
    auto const& [text, source] = written == file.costs.end() ? written_value{"1", "default"} : written->second;
    loaded.shown.push_back({.name = "costs." + std::string(name), .value = text, .source = source});
  }
}

/// Warns of combinations that are valid, but probably a mistake.
void warn_of_odd_combinations(loaded_settings& loaded) {
  auto const& values = loaded.values;
  bool const shared_store = values.store && values.store->traits().is_shared;
  if (shared_store && !values.quota.redis) {
    loaded.warnings.push_back(
        "quota is local and the store is shared: every node that serves it grants each quota once more");
  }
  if (!values.tls.client_authorities.empty() && values.tls.clients == server::client_certificates::off) {
    loaded.warnings.push_back("tls-client-ca is set and tls-client-auth is off: no client is asked for a certificate");
  }
  if (values.store && !shared_store && values.quota.redis) {
    loaded.warnings.push_back(
        "quota is shared and the store is this node's own: nodes whose keys differ would charge each other's callers");
  }
}

std::string variable_of_file(setting const& row) {
  return row.variable() + "_FILE";
}

/// Returns the value from the file that a variable such as `PETSTORE_STORE_FILE` names, in place of `PETSTORE_STORE`.
std::optional<std::string> value_in_file(setting const& row, variables const& environment,
                                         std::vector<std::string>& faults) {
  auto const source = variable_of_file(row);
  auto const path = environment.find(source);
  if (path == environment.end()) return std::nullopt;
  if (environment.contains(row.variable())) {
    faults.push_back(fmt::format("{}: {} and {} are both set", row.name, row.variable(), source));
    return std::nullopt;
  }
  try {
    return read_value_file(path->second);
  } catch (value_error const& wrong) {
    faults.push_back(
        fmt::format("{}: `{}` {} (from {})", row.name, redact_secrets(path->second), wrong.what(), source));
    return std::nullopt;
  }
}

/// An unknown variable is only a warning: beside a service named petstore, Kubernetes sets variables such as
/// PETSTORE_PORT in every pod.
std::vector<std::string> unknown_variables(setting_sources const& sources) {
  std::vector<std::string> warnings;
  std::vector<std::string> known = sources.variables_of_flags;
  known.emplace_back(config_variable);
  for (auto const& row : all_settings()) known.push_back(row.variable());
  auto const is_known = [&](std::string_view name) {
    return std::ranges::find(known, name) != known.end() ||
           std::ranges::any_of(all_settings(), [&](auto const& row) { return variable_of_file(row) == name; });
  };
  for (auto const& [name, value] : sources.environment) {
    if (name.starts_with("PETSTORE_") && !is_known(name))
      warnings.push_back(
          fmt::format("unknown variable {} is ignored{}", redact_secrets(name), suggestion_for(name, known)));
  }
  return warnings;
}

}  // namespace

config_error::config_error(std::vector<std::string> all) : std::runtime_error(joined(all)), faults(std::move(all)) {}

void throw_fault(std::string fault, bool may_pass) {
  if (may_pass) throw command_error(fault);
  throw config_error({std::move(fault)});
}

std::string const& loaded_settings::source_of(std::string_view name) const {
  return std::ranges::find(shown, name, &shown_setting::name)->source;
}

loaded_settings load_settings(setting_sources const& sources) {
  config_file file;
  file.plans = standard_plans();
  if (sources.file) file = read_config_file(*sources.file, sources.file_source);

  loaded_settings loaded;
  std::vector<std::string> faults = file.faults;
  assigner out(loaded, faults);
  for (auto const& row : all_settings()) {
    auto& shown = loaded.shown.emplace_back(shown_setting{.name = std::string(row.name), .value = {}, .source = {}});
    out.assign(row, row.name, std::string(row.otherwise), "default", shown);
    if (auto const entry = file.entries.find(row.name); entry != file.entries.end()) {
      out.assign(row, row.file_key, entry->second.text, entry->second.source, shown);
    }
    auto const variable = row.variable();
    if (auto const entry = sources.environment.find(variable); entry != sources.environment.end()) {
      out.assign(row, row.name, entry->second, variable, shown);
    }
    // With a flag, the file is not read: whoever gives one may have no right to read it.
    if (auto const flag = sources.flags.find(row.name); flag != sources.flags.end()) {
      out.assign(row, row.name, flag->second, "--" + flag->first, shown);
    } else if (auto const text = value_in_file(row, sources.environment, faults)) {
      out.assign(row, row.name, *text, variable_of_file(row), shown);
    }
  }
  loaded.values.plans = file.plans;
  assign_costs(file, loaded.values, faults);
  check_costs(file, loaded.values, loaded.source_of("anonymous-per-minute"), faults);
  check_together(loaded, faults);
  if (!faults.empty()) throw config_error(std::move(faults));

  show_plans(file, loaded);
  show_costs(file, loaded);
  loaded.warnings = unknown_variables(sources);
  warn_of_odd_combinations(loaded);
  return loaded;
}

}  // namespace petstore::program
