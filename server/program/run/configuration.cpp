// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "config/changes.hpp"

namespace petstore::program {

using server::severity;

std::optional<settings> configuration::read_anew(std::function<loaded_settings()> const& read, time_point now) {
  try {
    auto const fresh = read();
    auto values = apply_changes(values_, fresh);
    auto shown = with_changes(shown_, fresh.shown);
    // While changes are logged, the lower one of the old and the new level applies.
    auto while_telling = fresh.values.log;
    while_telling.level = std::min(values_.log.level, fresh.values.log.level);
    log_.adjust(while_telling);
    tell_changes(fresh);
    log_.adjust(fresh.values.log);
    shown_ = std::move(shown);
    values_ = std::move(values);
    figures_ = {.read_at = now};
    return values_;
  } catch (config_error const& wrong) {
    for (auto const& fault : wrong.faults) tell_failure(fault);
  } catch (std::exception const& failure) {
    tell_failure(failure.what());
  }
  return std::nullopt;
}

void configuration::tell_failure(std::string_view why) {
  figures_.is_current = false;
  log_.write(severity::error, "configuration_not_reloaded", why, {});
}

void configuration::tell_changes(loaded_settings const& fresh) {
  std::size_t applied = 0;
  std::size_t waiting = 0;
  for (auto const& change : find_changes(shown_, fresh.shown)) {
    ++(change.applies_now ? applied : waiting);
    if (change.applies_now) {
      log_.write(severity::info, "setting_changed", change.sentence(), {});
    } else {
      log_.write(severity::warning, "restart_needed", change.sentence() + " takes effect with the next start", {});
    }
  }
  for (auto const& warning : fresh.warnings) log_.write(severity::warning, "configuration", warning, {});
  log_.write(severity::info, "configuration_reloaded",
             fmt::format("settings changed: {}, for the next start: {}", applied, waiting), {});
}

}  // namespace petstore::program
