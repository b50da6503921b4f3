// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/sample.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>
#include <limits>
#include <string_view>

#include "petstore/key_record.hpp"
#include "petstore/limits/verdict.hpp"

namespace petstore::program {
namespace {

namespace json = boost::json;
using server::metrics_reading;
using operation = metrics_reading::operation;

/// The increase of a counter. Counters never decrease; if one did, the result is 0.
std::uint64_t rise(std::uint64_t before, std::uint64_t now) noexcept {
  return now - std::min(before, now);
}

double per_second(std::uint64_t count, double seconds) noexcept {
  return std::round(10 * static_cast<double>(count) / seconds) / 10;
}

/// Rounds to microseconds.
json::value in_milliseconds(double us) {
  if (std::isnan(us)) return nullptr;
  return std::round(us) / 1000;  // with braces it would be an array with one element
}

std::vector<std::uint64_t> rises(std::span<std::uint64_t const> before, std::span<std::uint64_t const> now) {
  std::vector<std::uint64_t> all(now.size());
  for (std::size_t i = 0; i < now.size(); ++i) all[i] = rise(before[i], now[i]);
  return all;
}

json::object render_latency(std::span<std::uint64_t const> counts) {
  auto const at = [&](double share) { return in_milliseconds(quantile_us(counts, server::latency_bounds_us, share)); };
  return {{"p50", at(0.5)}, {"p90", at(0.9)}, {"p99", at(0.99)}};
}

/// Leaves out operations without requests.
json::array render_operations(metrics_reading const& before, metrics_reading const& now, double seconds) {
  json::array all;
  for (std::size_t i = 0; i < now.operations.size(); ++i) {
    auto const& op = now.operations[i];
    auto const by_class = rises(before.operations[i].by_status_class, op.by_status_class);
    std::uint64_t count = 0;
    for (auto const n : by_class) count += n;
    if (count == 0) continue;
    auto const latency = rises(before.operations[i].latency, op.latency);
    auto row = render_latency(latency);
    row["name"] = std::string_view{op.name};
    row["rate"] = per_second(count, seconds);
    row["clientErrors"] = per_second(by_class[3], seconds);
    row["serverErrors"] = per_second(by_class[4], seconds);
    all.push_back(std::move(row));
  }
  return all;
}

json::object render_requests(metrics_reading const& before, metrics_reading const& now, double seconds) {
  std::array<std::uint64_t, 6> by_class{};
  std::array<std::uint64_t, server::latency_bounds_us.size() + 1> latency{};
  for (std::size_t i = 0; i < now.operations.size(); ++i) {
    for (std::size_t k = 0; k < by_class.size(); ++k)
      by_class[k] += rise(before.operations[i].by_status_class[k], now.operations[i].by_status_class[k]);
    for (std::size_t k = 0; k < latency.size(); ++k)
      latency[k] += rise(before.operations[i].latency[k], now.operations[i].latency[k]);
  }
  std::uint64_t total = 0;
  for (auto const n : by_class) total += n;
  auto const decided = [&](limits::decision d) {
    auto const i = static_cast<std::size_t>(d);
    return per_second(rise(before.decisions[i], now.decisions[i]), seconds);
  };
  return {{"rate", per_second(total, seconds)},
          {"status",
           {{"2xx", per_second(by_class[1], seconds)},
            {"3xx", per_second(by_class[2], seconds)},
            {"4xx", per_second(by_class[3], seconds)},
            {"5xx", per_second(by_class[4], seconds)}}},
          {"rateLimited", decided(limits::decision::rate_limited)},
          {"banned", decided(limits::decision::banned)},
          {"latency", render_latency(latency)},
          {"operations", render_operations(before, now, seconds)}};
}

json::array render_keys(std::span<key_rate const> keys) {
  json::array all;
  for (auto const& k : keys) all.push_back({{"key", key_id(k.key)}, {"rate", std::round(100 * k.per_second) / 100}});
  return all;
}

json::array render_names(std::span<std::string const> names) {
  json::array all;
  for (auto const& name : names) all.push_back(json::value(std::string_view{name}));
  return all;
}

json::object render_store(observation const& before, observation const& now, double seconds) {
  json::object store{{"ready", now.store_ready}};
  if (auto const& writes = now.state.writes) {
    store["writesWaiting"] = writes->waiting;
    store["commit"] = in_milliseconds(std::chrono::duration<double, std::micro>(writes->commit).count());
    auto const refused_before = before.state.writes ? before.state.writes->refused : writes->refused;
    store["writesRefused"] = per_second(rise(refused_before, writes->refused), seconds);
  }
  if (auto const& c = now.state.store_connections) {
    store["connections"] = c->open;
    store["connectionsWanted"] = c->wanted;
    store["inFlight"] = c->in_flight;
  }
  return store;
}

json::object render_quotas(observation const& before, observation const& now, double seconds) {
  json::object quotas{{"ready", now.quotas_ready}, {"shared", now.state.shared_quotas.has_value()}};
  if (auto const& q = now.state.shared_quotas) {
    auto const& was = before.state.shared_quotas ? *before.state.shared_quotas : *q;
    quotas["answers"] = !q->breaker_open;
    quotas["nodes"] = q->nodes;
    quotas["leases"] = q->leases;
    quotas["tokensHeld"] = q->tokens_held;
    quotas["calls"] = per_second(rise(was.calls, q->calls), seconds);
    quotas["waited"] = per_second(rise(was.waits, q->waits), seconds);
    quotas["byPolicy"] = per_second(rise(was.policy_decisions, q->policy_decisions), seconds);
  }
  return quotas;
}

}  // namespace

double quantile_us(std::span<std::uint64_t const> counts, std::span<std::uint64_t const> bounds_us, double share) {
  std::uint64_t total = 0;
  for (auto const n : counts) total += n;
  if (total == 0) return std::numeric_limits<double>::quiet_NaN();
  double const wanted = share * static_cast<double>(total);
  double below = 0;
  for (std::size_t i = 0; i < bounds_us.size(); ++i) {
    auto const here = static_cast<double>(counts[i]);
    if (here > 0 && below + here >= wanted) {
      auto const lower = i == 0 ? 0.0 : static_cast<double>(bounds_us[i - 1]);
      return lower + (static_cast<double>(bounds_us[i]) - lower) * (wanted - below) / here;
    }
    below += here;
  }
  return static_cast<double>(bounds_us.back());
}

std::string render_sample(observation const& before, observation const& now, std::span<key_rate const> by_use,
                          std::span<key_rate const> by_refusals) {
  double const seconds = std::max(0.001, std::chrono::duration<double>(now.at - before.at).count());
  bool const is_ready = !now.draining && now.store_ready && now.quotas_ready;
  json::object const sample{
      {"time", now.unix_ms},
      {"version", now.state.version},
      {"node", now.node},
      {"environment", now.environment},
      {"service", now.service},
      {"state", now.draining ? "draining"
                : is_ready   ? "ready"
                             : "not ready"},
      {"uptime", static_cast<double>(now.unix_ms) / 1000 - now.process.start_unix_s},
      {"requests", render_requests(before.requests, now.requests, seconds)},
      {"connections", {{"open", now.state.connections}, {"max", now.state.connections_max}}},
      {"turnWait", in_milliseconds(std::chrono::duration<double, std::micro>(now.requests.turn_wait).count())},
      {"store", render_store(before, now, seconds)},
      {"quotas", render_quotas(before, now, seconds)},
      {"process",
       {{"cpu", std::round(1000 * (now.process.cpu_s - before.process.cpu_s) / seconds) / 1000},
        {"memory", now.process.resident_bytes},
        {"threads", now.state.threads},
        {"files", now.process.open_files}}},
      {"keys", {{"count", now.state.keys}, {"byUse", render_keys(by_use)}, {"byRefusals", render_keys(by_refusals)}}},
      {"actions", now.has_actions},
      {"plans", render_names(now.plans)},
      {"logLinesLost", now.state.log_lines_dropped}};
  return json::serialize(sample);
}

}  // namespace petstore::program
