// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "admin/figures.hpp"
#include "config/load.hpp"
#include "log/json_log.hpp"

namespace petstore::program {

/// The configuration in force of a running server, and how it is reloaded. One thread.
class configuration {
 public:
  using time_point = std::chrono::system_clock::time_point;

  /// `now` is the time at which the settings were read.
  configuration(loaded_settings const& at_start, json_log& log, time_point now)
      : values_(at_start.values), shown_(at_start.shown), log_(log), figures_{.read_at = now} {}

  /// Reads all sources again, and logs each change with the old and the new value. A change that needs a restart is
  /// logged as a warning. It applies the settings of the log; the caller applies the others. Returns the settings that
  /// are in force from now on. If the sources have faults, or anything throws, it logs that, changes nothing, and
  /// returns nullopt.
  std::optional<settings> read_anew(std::function<loaded_settings()> const& read, time_point now);

  settings const& in_force() const noexcept { return values_; }
  /// When they were read, and whether the last reload found a fault.
  configuration_figures const& figures() const noexcept { return figures_; }

 private:
  void tell_changes(loaded_settings const& fresh);
  void tell_failure(std::string_view why);

  settings values_;
  std::vector<shown_setting> shown_;
  json_log& log_;
  configuration_figures figures_;
};

}  // namespace petstore::program
