// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "config/load.hpp"
#include "log/json_log.hpp"

namespace petstore::program {

/// Which configuration a running server goes by, and how it comes to another one. One thread.
class configuration {
 public:
  configuration(loaded_settings const& at_start, json_log& log)
      : values_(at_start.values), shown_(at_start.shown), log_(log) {}

  /// Reads all sources anew, and tells the log each change with the old value and the new one, or, as a warning, that
  /// it takes effect with the next start. What the log itself goes by is changed; the rest is up to the caller.
  /// Returns the settings that are in force from then on. nullopt: the sources are wrong, the log says how, and
  /// everything stays as it was.
  std::optional<settings> read_anew(std::function<loaded_settings()> const& read);

  settings const& in_force() const noexcept { return values_; }

 private:
  void tell_changes(loaded_settings const& fresh);

  settings values_;
  std::vector<shown_setting> shown_;
  json_log& log_;
};

}  // namespace petstore::program
