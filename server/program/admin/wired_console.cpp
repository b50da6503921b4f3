// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/wired_console.hpp"

#include <chrono>
#include <utility>

#include "admin/process_figures.hpp"
#include "petstore/limits/instant.hpp"

namespace petstore::program {
namespace {

/// Of pages that are open at one time; the admin listener has other connections to keep.
constexpr std::size_t readers_max = 16;
constexpr std::size_t keys_shown = 8;

}  // namespace

wired_console::wired_console(surroundings around)
    : around_{std::move(around)},
      keys_{around_.store, around_.quotas, around_.application.keys(), around_.plans, limits::now},
      feed_{around_.executor, [this] { restart(); }, [this] { return sample(); }, readers_max},
      pages_{{page_.site(), feed_, keys_, around_.token, around_.drain, around_.log}, around_.hosts} {}

observation wired_console::observe() const {
  using namespace std::chrono;
  auto const& state = around_.application.state();
  observation seen;
  seen.at = steady_clock::now();
  seen.unix_ms = duration_cast<std::chrono::milliseconds>(system_clock::now().time_since_epoch()).count();
  seen.requests = around_.application.metrics();
  seen.state = around_.figures();
  seen.process = read_process_figures();
  seen.draining = state.draining;
  seen.store_ready = state.store_ready;
  seen.quotas_ready = state.quotas_ready;
  seen.has_actions = around_.token.has_value();
  for (auto const& [name, plan] : around_.plans()) seen.plans.push_back(name);
  return seen;
}

void wired_console::restart() {
  by_use_.forget();
  by_refusals_.forget();
  last_ = observe();
  auto const keys = around_.application.busy_keys();
  by_use_.observe(keys.used, {});
  by_refusals_.observe(keys.refused, {});
}

std::string wired_console::sample() {
  auto now = observe();
  auto const elapsed = now.at - last_.at;
  auto const keys = around_.application.busy_keys();
  by_use_.observe(keys.used, elapsed);
  by_refusals_.observe(keys.refused, elapsed);
  auto text = render_sample(last_, now, by_use_.top(keys_shown), by_refusals_.top(keys_shown));
  last_ = std::move(now);
  return text;
}

}  // namespace petstore::program
