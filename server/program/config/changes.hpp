// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <vector>

#include "config/load.hpp"

namespace petstore::program {

/// A setting or a plan that has another value than the one in force.
struct setting_change {
  shown_setting before;  ///< its value is empty if there was none
  shown_setting after;   ///< likewise
  bool applies_now = false;

  /// ``log-level: `info` → `debug` (from petstore.toml:3)``
  std::string sentence() const;
};

/// Returns what a second reading of the configuration changes, in the order of the table; plans come last.
std::vector<setting_change> find_changes(std::vector<shown_setting> const& in_force,
                                         std::vector<shown_setting> const& fresh);

/// Returns the settings in force, with the new values of those that can change without a restart.
settings apply_changes(settings in_force, loaded_settings const& fresh);

/// The same for the settings as they are shown.
std::vector<shown_setting> with_changes(std::vector<shown_setting> const& in_force,
                                        std::vector<shown_setting> const& fresh);

}  // namespace petstore::program
