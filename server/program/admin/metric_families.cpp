// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/metric_families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <string>

namespace petstore::program {
namespace {

using prometheus::MetricType;

constexpr limits::plan usual_plan{limits::per_minute(60), limits::per_day(1'000)};

double unix_seconds(std::chrono::system_clock::time_point t) {
  return static_cast<double>(std::chrono::floor<std::chrono::seconds>(t.time_since_epoch()).count());
}

void write_requests(sample_writer& out, metric_sources const& s) {
  for (auto const& op : s.requests.operations)
    for (std::size_t i = 0; i < op.by_status_class.size(); ++i)
      if (auto const count = op.by_status_class[i]; count != 0)
        out.add({{"operation", op.name}, {"status", fmt::format("{}xx", i + 1)}}, count);
}

void write_latency(sample_writer& out, metric_sources const& s) {
  for (auto const& op : s.requests.operations) {
    bool const was_asked = std::ranges::any_of(op.latency, [](std::uint64_t n) { return n != 0; });
    if (was_asked)
      out.add_durations({{"operation", op.name}}, server::latency_bounds_us, op.latency, op.latency_sum_ns);
  }
}

void write_store_latency(sample_writer& out, metric_sources const& s) {
  auto const add = [&](char const* access, server::metrics_reading::histogram const& h) {
    out.add_durations({{"access", access}}, server::latency_bounds_us, h.buckets, h.sum_ns);
  };
  add("read", s.requests.store_reads);
  add("write", s.requests.store_writes);
}

void write_protocol_refusals(sample_writer& out, metric_sources const& s) {
  for (auto const& [status, count] : s.requests.protocol_refusals) out.add({{"status", std::to_string(status)}}, count);
}

void write_errors(sample_writer& out, metric_sources const& s) {
  for (std::size_t i = 0; i < s.requests.errors.size(); ++i)
    out.add({{"code", std::string{describe(static_cast<errc>(i)).code}}}, s.requests.errors[i]);
}

/// Whether a plan has such a window. One that is not configured is of callers without a key, or of an earlier
/// configuration: it has those that were always there.
bool has_window(figures const& f, std::string const& plan, std::size_t period) {
  auto const known = f.plans.find(plan);
  limits::plan const& numbers = known != f.plans.end() ? known->second : usual_plan;
  bool const is_long = numbers.long_window && server::period_index(numbers.long_window.period()) == period;
  return is_long || server::period_index(numbers.short_window.period()) == period;
}

void write_decisions_of_plan(sample_writer& out, server::metrics_reading::plan const& plan, figures const& f) {
  using enum server::limit_outcome;
  auto const count = [&](server::limit_outcome outcome) { return plan.outcomes[static_cast<std::size_t>(outcome)]; };
  auto const decided = [](limits::decision d) {
    return prometheus::ClientMetric::Label{"decision", std::string{limits::name_of(d)}};
  };
  auto const refused = [&](std::string_view reason, std::uint64_t refusals) {
    out.add({{"plan", plan.name}, decided(limits::decision::rate_limited), {"reason", std::string{reason}}}, refusals);
  };
  out.add({{"plan", plan.name}, decided(limits::decision::admitted)}, count(admitted));
  for (std::size_t i = 0; i < plan.empty.size(); ++i)
    if (plan.empty[i] != 0 || has_window(f, plan.name, i)) refused(server::counted_periods[i], plan.empty[i]);
  refused("inquiry", count(inquiry_refused));
  refused("in_flight", count(in_flight_refused));
  out.add({{"plan", plan.name}, decided(limits::decision::banned), {"reason", "ban"}},
          count(banned) + count(ban_begun));
  out.add({{"plan", plan.name}, decided(limits::decision::observed)}, count(observed));
}

void write_decisions(sample_writer& out, metric_sources const& s) {
  for (auto const& plan : s.requests.plans) write_decisions_of_plan(out, plan, s.node);
}

void write_bans(sample_writer& out, metric_sources const& s) {
  std::uint64_t bans = 0;
  for (auto const& plan : s.requests.plans)
    bans += plan.outcomes[static_cast<std::size_t>(server::limit_outcome::ban_begun)];
  out.add(s.node.shared_quotas ? s.node.shared_quotas->bans_begun : bans);
}

void write_connection_states(sample_writer& out, metric_sources const& s) {
  for (auto const& [state, name] : enumerators<server::connection_state>)
    out.add({{"state", std::string{name}}}, s.requests.connections[static_cast<std::size_t>(state)]);
}

// clang-format off
constexpr std::array of_requests{
  metric_family{"petstore_http_requests_total", MetricType::Counter,
    "Answers by operation and class of status.", "`operation`, `status` (class)", "",
    write_requests},
  metric_family{"petstore_http_request_duration_seconds", MetricType::Histogram,
    "Time from a request to its answer.", "`operation`",
    "A histogram.",
    write_latency},
  metric_family{"petstore_store_duration_seconds", MetricType::Histogram,
    "Time for operations on the store, without the wait for quotas.", "`access` (`read`, `write`)",
    "A histogram of the time from the admission of a request to its answer.",
    write_store_latency},
};

constexpr std::array of_limiter{
  metric_family{"petstore_limiter_decisions_total", MetricType::Counter,
    "What the limiter decided, for callers of which plan, and why it refused.",
    "`plan` (16 at most for each thread), `decision` (4), `reason`",
    "A request is `admitted`, `rate_limited` (because of an empty window of the plan, which its name tells: `minute` and "
    "`day`, or `second`, `hour`, `month`; an `inquiry` too many; or requests `in_flight`), `banned`, or only `observed`. "
    "Plans are those that requests used: `anonymous` without a key, `keyless` pages, the first thirteen names of each thread, "
    "and `other`.",
    write_decisions},
  metric_family{"petstore_limiter_bans_total", MetricType::Counter,
    "Bans that began because a caller ignored refusals.", "",
    "With shared quotas, the bans that this node has learned of, so that several nodes count one ban.",
    write_bans},
  metric_family{"petstore_limiter_mistaken_refunds_total", MetricType::Counter,
    "Refunds that gave nothing back, because what they returned was not taken.", "",
    "It may also have been given back before. Anything but 0 is an error of the program.",
    [](auto& out, auto& s) { out.add(s.node.mistaken_refunds); }},
};

constexpr std::array of_errors{
  metric_family{"petstore_http_protocol_refusals_total", MetricType::Counter,
    "Answers to what never became a request, by status.", "`status`", "",
    write_protocol_refusals},
  metric_family{"petstore_http_errors_total", MetricType::Counter,
    "Answers that are errors, by the code in their body.", "`code`",
    "They include answers to bytes that never became a request.",
    write_errors},
};

constexpr std::array of_connections{
  metric_family{"petstore_connections_by_state", MetricType::Gauge,
    "Open connections of the public listener, by what they are doing.", "`state`",
    "As of a quarter of a second ago at most: `idle` between requests, `receiving`, `handling` (they wait for the store or "
    "the quotas), `sending`, `closing`.",
    write_connection_states},
};

constexpr std::array of_node{
  metric_family{"petstore_turn_wait_seconds", MetricType::Gauge,
    "How long a ready socket waits for its thread, on the thread where the wait is longest.", "",
    "When it stays above 0.5, the server closes connections.",
    [](auto& out, auto& s) { out.add(std::chrono::duration<double>(s.requests.turn_wait).count()); }},
  metric_family{"petstore_build_info", MetricType::Gauge,
    "1; the label says which build this is.", "`version`, `compiler`", "",
    [](auto& out, auto& s) { out.add({{"version", s.node.version}, {"compiler", __VERSION__}}, 1); }},
  metric_family{"petstore_ready", MetricType::Gauge,
    "1 when the process should get traffic.", "", "",
    [](auto& out, auto& s) { out.add(s.node.ready); }},
  metric_family{"petstore_connections", MetricType::Gauge,
    "Open connections of the public listener.", "", "",
    [](auto& out, auto& s) { out.add(s.node.connections); }},
  metric_family{"petstore_connections_max", MetricType::Gauge,
    "The limit on connections: max-connections, or less where the process may open few files.", "", "",
    [](auto& out, auto& s) { out.add(s.node.connections_max); }},
  metric_family{"petstore_threads", MetricType::Gauge,
    "Threads that serve requests.", "", "",
    [](auto& out, auto& s) { out.add(s.node.threads); }},
  metric_family{"petstore_keys", MetricType::Gauge,
    "API keys that are not revoked.", "", "",
    [](auto& out, auto& s) { out.add(s.node.keys); }},
  metric_family{"petstore_log_lines_dropped_total", MetricType::Counter,
    "Lines of the log that were lost: no room to keep them, or a write failed.", "", "",
    [](auto& out, auto& s) { out.add(s.node.log_lines_dropped); }},
  metric_family{"petstore_log_writes_failed_total", MetricType::Counter,
    "Writes of the log that failed (disk full, pipe closed).", "", "",
    [](auto& out, auto& s) { out.add(s.node.log_writes_failed); }},
  metric_family{"petstore_config_last_reload_successful", MetricType::Gauge,
    "0 when the last reload found a fault, and the settings that were read before stay in force.", "",
    "`SIGHUP` begins a reload.",
    [](auto& out, auto& s) { out.add(s.node.configuration.is_current); }},
  metric_family{"petstore_config_last_reload_success_timestamp_seconds", MetricType::Gauge,
    "When the settings in force were read, at the start or by a reload, in Unix time.", "", "",
    [](auto& out, auto& s) { out.add(unix_seconds(s.node.configuration.read_at)); }},
};

constexpr std::array of_webhook{
  metric_family{"petstore_webhook_events_total", MetricType::Counter,
    "Events for the webhook, by what became of them.", "`outcome`",
    "They are `delivered`; `given_up` because the receiver refused them or did not take them in five tries, or because the "
    "server stopped; `dropped` because 1,000 waited.",
    [](auto& out, auto& s) {
      out.add({{"outcome", "delivered"}}, s.node.webhook->delivered);
      out.add({{"outcome", "given_up"}}, s.node.webhook->given_up);
      out.add({{"outcome", "dropped"}}, s.node.webhook->dropped); }},
  metric_family{"petstore_webhook_tries_failed_total", MetricType::Counter,
    "Tries to deliver an event that failed.", "", "",
    [](auto& out, auto& s) { out.add(s.node.webhook->tries_failed); }},
  metric_family{"petstore_webhook_events_waiting", MetricType::Gauge,
    "Events that are not delivered yet.", "", "",
    [](auto& out, auto& s) { out.add(s.node.webhook->waiting); }},
};

constexpr std::array of_writes{
  metric_family{"petstore_store_writes_waiting", MetricType::Gauge,
    "Writes that wait for their transaction to begin.", "", "",
    [](auto& out, auto& s) { out.add(s.node.writes->waiting); }},
  metric_family{"petstore_store_commit_seconds", MetricType::Gauge,
    "What a transaction of writes takes at present.", "", "",
    [](auto& out, auto& s) { out.add(std::chrono::duration<double>(s.node.writes->commit).count()); }},
  metric_family{"petstore_store_writes_refused_total", MetricType::Counter,
    "Writes answered 503 because they would have waited too long.", "",
    "`write-wait` sets how long; the errors with the code `unavailable` include them.",
    [](auto& out, auto& s) { out.add(s.node.writes->refused); }},
};

constexpr std::array of_space{
  metric_family{"petstore_store_map_used_bytes", MetricType::Gauge,
    "The used part of the store's map, without the space that deletions left free.", "", "",
    [](auto& out, auto& s) { out.add(s.node.space->used_bytes); }},
  metric_family{"petstore_store_map_size_bytes", MetricType::Gauge,
    "How large it may be: store-size.", "", "",
    [](auto& out, auto& s) { out.add(s.node.space->max_bytes); }},
};

constexpr std::array of_store_connections{
  metric_family{"petstore_store_connections", MetricType::Gauge,
    "Connections to the store's server.", "`state`",
    "`open` ones take requests; `missing` ones should exist but are not there, or PostgreSQL sends nothing on them.",
    [](auto& out, auto& s) {
      out.add({{"state", "open"}}, s.node.store_connections->open);
      out.add({{"state", "missing"}}, s.node.store_connections->wanted - s.node.store_connections->open); }},
  metric_family{"petstore_store_connection_events_total", MetricType::Counter,
    "Connections made, connections lost, attempts that failed.", "`event` (`made`, `lost`, `failed`)", "",
    [](auto& out, auto& s) {
      out.add({{"event", "made"}}, s.node.store_connections->made);
      out.add({{"event", "lost"}}, s.node.store_connections->lost);
      out.add({{"event", "failed"}}, s.node.store_connections->failed); }},
  metric_family{"petstore_store_requests_in_flight", MetricType::Gauge,
    "Requests to the store's server without an answer yet.", "",
    "They are statements, at most 512 on a connection.",
    [](auto& out, auto& s) { out.add(s.node.store_connections->in_flight); }},
  metric_family{"petstore_store_requests_total", MetricType::Counter,
    "Requests to the store's server, by what became of them.", "`outcome`",
    "A statement is `answered`; `refused` with an error by PostgreSQL (among them those that the node tries again because "
    "another node was quicker); `unanswered` because the connection was lost; `turned_away` at once because there was no "
    "connection, PostgreSQL sent nothing, or it had too much to do.",
    [](auto& out, auto& s) {
      out.add({{"outcome", "answered"}}, s.node.store_connections->answered);
      out.add({{"outcome", "refused"}}, s.node.store_connections->refused);
      out.add({{"outcome", "unanswered"}}, s.node.store_connections->unanswered);
      out.add({{"outcome", "turned_away"}}, s.node.store_connections->turned_away); }},
};

constexpr std::array of_shared_quotas{
  metric_family{"petstore_quota_calls_total", MetricType::Counter,
    "Calls to Redis for quotas: for tokens, or to give back and report.", "`kind`",
    "A call for `tokens` asks for some; a `settlement` asks for none, and gives some back, for example.",
    [](auto& out, auto& s) {
      out.add({{"kind", "tokens"}}, s.node.shared_quotas->calls - s.node.shared_quotas->settlements);
      out.add({{"kind", "settlement"}}, s.node.shared_quotas->settlements); }},
  metric_family{"petstore_quota_call_duration_seconds", MetricType::Histogram,
    "Time of a call to Redis for quotas that was answered.", "",
    "A histogram.",
    [](auto& out, auto& s) {
      out.add_durations({}, ports::quota_call_bounds_us, s.node.shared_quotas->call_times,
                      s.node.shared_quotas->call_times_sum_ns); }},
  metric_family{"petstore_quota_heartbeats_total", MetricType::Counter,
    "Calls to Redis to say that this node lives.", "`outcome` (`answered`, `missed`)", "",
    [](auto& out, auto& s) {
      out.add({{"outcome", "answered"}}, s.node.shared_quotas->heartbeats_answered);
      out.add({{"outcome", "missed"}}, s.node.shared_quotas->heartbeats_missed); }},
  metric_family{"petstore_quota_calls_failed_total", MetricType::Counter,
    "Calls without an answer: Redis certainly did not run them, or it is unknown.", "`outcome` (`unknown`, `not_run`)", "",
    [](auto& out, auto& s) {
      out.add({{"outcome", "unknown"}}, s.node.shared_quotas->timeouts);
      out.add({{"outcome", "not_run"}}, s.node.shared_quotas->failures); }},
  metric_family{"petstore_quota_tokens_total", MetricType::Counter,
    "Tokens taken from Redis ahead of need, and those given back unused.", "`way` (`granted`, `returned`)", "",
    [](auto& out, auto& s) {
      out.add({{"way", "granted"}}, s.node.shared_quotas->grants);
      out.add({{"way", "returned"}}, s.node.shared_quotas->returns); }},
  metric_family{"petstore_quota_requests_waited_total", MetricType::Counter,
    "Requests that had to wait for Redis.", "", "",
    [](auto& out, auto& s) { out.add(s.node.shared_quotas->waits); }},
  metric_family{"petstore_quota_refusals_kept_total", MetricType::Counter,
    "Requests refused without asking Redis again.", "", "",
    [](auto& out, auto& s) { out.add(s.node.shared_quotas->kept_refusals); }},
  metric_family{"petstore_quota_policy_decisions_total", MetricType::Counter,
    "Requests decided by quota-failure, as Redis did not answer.", "", "",
    [](auto& out, auto& s) { out.add(s.node.shared_quotas->policy_decisions); }},
  metric_family{"petstore_quota_strikes_reported_total", MetricType::Counter,
    "Strikes of callers that were told to Redis.", "", "",
    [](auto& out, auto& s) { out.add(s.node.shared_quotas->strikes_reported); }},
  metric_family{"petstore_quota_connection_events_total", MetricType::Counter,
    "Connections to Redis made, and connections lost.", "`event` (`made`, `lost`)", "",
    [](auto& out, auto& s) {
      out.add({{"event", "made"}}, s.node.shared_quotas->connections_made);
      out.add({{"event", "lost"}}, s.node.shared_quotas->connections_lost); }},
  metric_family{"petstore_quota_redirections_total", MetricType::Counter,
    "Answers of Redis that named another server of its cluster.", "", "",
    [](auto& out, auto& s) { out.add(s.node.shared_quotas->redirections); }},
  metric_family{"petstore_quota_scripts_sent_whole_total", MetricType::Counter,
    "Calls with the script's whole text, as the server did not have it.", "", "",
    [](auto& out, auto& s) { out.add(s.node.shared_quotas->scripts_sent_whole); }},
  metric_family{"petstore_quota_leases", MetricType::Gauge,
    "Quotas of which this node holds tokens.", "", "",
    [](auto& out, auto& s) { out.add(s.node.shared_quotas->leases); }},
  metric_family{"petstore_quota_tokens_held", MetricType::Gauge,
    "Tokens that it holds ahead of need.", "", "",
    [](auto& out, auto& s) { out.add(s.node.shared_quotas->tokens_held); }},
  metric_family{"petstore_quota_breaker_openings_total", MetricType::Counter,
    "How often the breaker opened because Redis did not answer.", "", "",
    [](auto& out, auto& s) { out.add(s.node.shared_quotas->breaker_openings); }},
  metric_family{"petstore_quota_nodes", MetricType::Gauge,
    "Nodes that share the quotas, this one included.", "", "",
    [](auto& out, auto& s) { out.add(s.node.shared_quotas->nodes); }},
  metric_family{"petstore_quota_redis_answers", MetricType::Gauge,
    "0 while Redis is asked only now and then whether it is back.", "",
    "Then the breaker is open, and `quota-failure` decides.",
    [](auto& out, auto& s) { out.add(!s.node.shared_quotas->breaker_open); }},
};

constexpr std::array of_certificate{
  metric_family{"petstore_tls_certificate_expiry_timestamp_seconds", MetricType::Gauge,
    "When the certificate in use ends, in Unix time.", "", "",
    [](auto& out, auto& s) { out.add(unix_seconds(s.node.certificate->expires_at)); }},
  metric_family{"petstore_tls_certificate_last_reload_successful", MetricType::Gauge,
    "0 when the files' present content cannot be used, and what was read before stays in use.", "", "",
    [](auto& out, auto& s) { out.add(s.node.certificate->is_current); }},
  metric_family{"petstore_tls_certificate_last_reload_success_timestamp_seconds", MetricType::Gauge,
    "When the certificate in use was read from its files, in Unix time.", "", "",
    [](auto& out, auto& s) { out.add(unix_seconds(s.node.certificate->read_at)); }},
};

constexpr std::array of_process{
  metric_family{"process_start_time_seconds", MetricType::Gauge,
    "When the process started, in Unix time.", "", "",
    [](auto& out, auto& s) { out.add(s.process.start_unix_s); }},
  metric_family{"process_cpu_seconds_total", MetricType::Counter,
    "Processor time, user and system.", "", "",
    [](auto& out, auto& s) { out.add(s.process.cpu_s); }},
  metric_family{"process_resident_memory_bytes", MetricType::Gauge,
    "Memory in use.", "", "",
    [](auto& out, auto& s) { out.add(s.process.resident_bytes); }},
  metric_family{"process_open_fds", MetricType::Gauge,
    "Open file descriptors.", "", "",
    [](auto& out, auto& s) { out.add(s.process.open_files); }},
  metric_family{"process_max_fds", MetricType::Gauge,
    "Most file descriptors the process may open.", "", "",
    [](auto& out, auto& s) { out.add(s.process.open_files_max); }},
};

constexpr auto always = [](figures const&) { return true; };

constexpr std::array sections{
  metric_section{"Requests", always, of_requests},
  metric_section{"The limiter", always, of_limiter, server::counter_group::limiter},
  metric_section{"Errors", always, of_errors},
  metric_section{"Connections", always, of_connections, server::counter_group::connections},
  metric_section{"The node", always, of_node},
  metric_section{"The webhook, with `--webhook`", [](figures const& f) { return f.webhook.has_value(); }, of_webhook},
  metric_section{"Writes, with `--store lmdb:…`", [](figures const& f) { return f.writes.has_value(); }, of_writes},
  metric_section{"The map, with `--store lmdb:…`", [](figures const& f) { return f.space.has_value(); }, of_space},
  metric_section{"PostgreSQL, with `--store postgres://…`", [](figures const& f) { return f.store_connections.has_value(); },
    of_store_connections},
  metric_section{"Shared quotas, with `--quota redis://…`", [](figures const& f) { return f.shared_quotas.has_value(); },
    of_shared_quotas},
  metric_section{"Handshakes, with `--tls-cert`", [](figures const& f) { return f.certificate.has_value(); }, {},
    server::counter_group::tls},
  metric_section{"The certificate, with `--tls-cert`", [](figures const& f) { return f.certificate.has_value(); },
    of_certificate},
  metric_section{"The process", always, of_process},
};
// clang-format on

}  // namespace

void sample_writer::set(labels l, double value) {
  auto& metric = to_.metric.emplace_back();
  metric.label = std::move(l);
  (to_.type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
}

void sample_writer::add_durations(labels l, std::span<std::uint64_t const> bounds_us,
                                  std::span<std::uint64_t const> buckets, std::uint64_t sum_ns) {
  auto& metric = to_.metric.emplace_back();
  metric.label = std::move(l);
  auto& histogram = metric.histogram;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    histogram.sample_count += buckets[i];
    auto const bound =
        i == bounds_us.size() ? std::numeric_limits<double>::infinity() : static_cast<double>(bounds_us[i]) / 1e6;
    histogram.bucket.push_back({histogram.sample_count, bound});
  }
  histogram.sample_sum = static_cast<double>(sum_ns) / 1e9;
}

std::span<metric_section const> metric_sections() {
  return sections;
}

}  // namespace petstore::program
