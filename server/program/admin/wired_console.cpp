// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/wired_console.hpp"

#include <boost/asio/ip/host_name.hpp>
#include <chrono>
#include <utility>

#include "admin/process_figures.hpp"

namespace petstore::program {
namespace {

/// The number of pages that may be open at one time; the admin listener needs connections for other purposes, too.
constexpr std::size_t readers_max = 16;
constexpr std::size_t keys_shown = 8;

/// Returns an empty name if the system tells none.
std::string name_of_machine() {
  boost::system::error_code unknown;
  return boost::asio::ip::host_name(unknown);
}

}  // namespace

wired_console::wired_console(dependencies parts)
    : parts_{std::move(parts)},
      node_{name_of_machine()},
      feed_{parts_.executor, [this] { restart(); }, [this] { return sample(); }, readers_max},
      pages_{{page_.site(), feed_, parts_.keys, parts_.access, parts_.drain, parts_.log}, parts_.hosts} {}

observation wired_console::observe() const {
  using namespace std::chrono;
  auto const& state = parts_.application.state();
  observation seen;
  seen.at = steady_clock::now();
  seen.unix_ms = duration_cast<std::chrono::milliseconds>(system_clock::now().time_since_epoch()).count();
  seen.requests = parts_.application.metrics();
  seen.state = parts_.figures();
  seen.process = read_process_figures();
  seen.draining = state.draining;
  seen.store_ready = state.store_ready;
  seen.quotas_ready = state.quotas_ready;
  seen.has_actions = parts_.access.has_tokens();
  for (auto const& [name, plan] : parts_.plans()) seen.plans.push_back(name);
  seen.node = node_;
  seen.environment = to_string(parts_.store.environment());
  seen.service = parts_.service_url;
  return seen;
}

void wired_console::restart() {
  by_use_.forget();
  by_refusals_.forget();
  last_ = observe();
  auto const keys = parts_.application.busy_keys();
  by_use_.observe(keys.used, {});
  by_refusals_.observe(keys.refused, {});
}

std::string wired_console::sample() {
  auto now = observe();
  auto const elapsed = now.at - last_.at;
  auto const keys = parts_.application.busy_keys();
  by_use_.observe(keys.used, elapsed);
  by_refusals_.observe(keys.refused, elapsed);
  auto text = render_sample(last_, now, by_use_.top(keys_shown), by_refusals_.top(keys_shown));
  last_ = std::move(now);
  return text;
}

}  // namespace petstore::program
