// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/metrics_text.hpp"

#include <fmt/format.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "admin/process_figures.hpp"

namespace petstore::program {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using labels = std::vector<ClientMetric::Label>;

class page {
 public:
  void begin(std::string name, std::string help, MetricType type) {
    families_.push_back({std::move(name), std::move(help), type, {}});
  }
  void counter(labels l, double value) {
    auto& metric = families_.back().metric.emplace_back();
    metric.label = std::move(l);
    metric.counter.value = value;
  }
  void gauge(labels l, double value) {
    auto& metric = families_.back().metric.emplace_back();
    metric.label = std::move(l);
    metric.gauge.value = value;
  }
  ClientMetric::Histogram& histogram(labels l) {
    auto& metric = families_.back().metric.emplace_back();
    metric.label = std::move(l);
    return metric.histogram;
  }
  void single_gauge(std::string name, std::string help, double value) {
    begin(std::move(name), std::move(help), MetricType::Gauge);
    gauge({}, value);
  }
  void single_counter(std::string name, std::string help, double value) {
    begin(std::move(name), std::move(help), MetricType::Counter);
    counter({}, value);
  }
  std::string text() const { return prometheus::TextSerializer().prometheus::Serializer::Serialize(families_); }

 private:
  std::vector<MetricFamily> families_;
};

constexpr limits::plan usual_plan{limits::per_minute(60), limits::per_day(1'000)};

double number(auto n) {
  return static_cast<double>(n);
}

void add_requests(page& out, server::metrics_reading const& reading) {
  out.begin("petstore_http_requests_total", "Answers by operation and class of status.", MetricType::Counter);
  for (auto const& op : reading.operations) {
    for (std::size_t i = 0; i < op.by_status_class.size(); ++i) {
      if (op.by_status_class[i] == 0) continue;
      out.counter({{"operation", op.name}, {"status", fmt::format("{}xx", i + 1)}}, number(op.by_status_class[i]));
    }
  }
}

/// A histogram of durations. The last bucket has no bound.
void add_durations(page& out, labels l, std::span<std::uint64_t const> bounds_us,
                   std::span<std::uint64_t const> buckets, std::uint64_t sum_ns) {
  auto& histogram = out.histogram(std::move(l));
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    histogram.sample_count += buckets[i];
    auto const bound = i == bounds_us.size() ? std::numeric_limits<double>::infinity() : number(bounds_us[i]) / 1e6;
    histogram.bucket.push_back({histogram.sample_count, bound});
  }
  histogram.sample_sum = number(sum_ns) / 1e9;
}

void add_latency(page& out, server::metrics_reading const& reading) {
  out.begin("petstore_http_request_duration_seconds", "Time from a request to its answer.", MetricType::Histogram);
  for (auto const& op : reading.operations) {
    bool const was_asked = std::ranges::any_of(op.latency, [](std::uint64_t n) { return n != 0; });
    if (was_asked)
      add_durations(out, {{"operation", op.name}}, server::latency_bounds_us, op.latency, op.latency_sum_ns);
  }
  out.begin("petstore_store_duration_seconds", "Time for operations on the store, without the wait for quotas.",
            MetricType::Histogram);
  add_durations(out, {{"access", "read"}}, server::latency_bounds_us, reading.store_reads.buckets,
                reading.store_reads.sum_ns);
  add_durations(out, {{"access", "write"}}, server::latency_bounds_us, reading.store_writes.buckets,
                reading.store_writes.sum_ns);
}

/// Whether a plan has such a window. One that is not configured is of callers without a key, or of an earlier
/// configuration: it has those that were always there.
bool has_window(figures const& f, std::string const& plan, std::size_t period) {
  auto const known = f.plans.find(plan);
  limits::plan const& numbers = known != f.plans.end() ? known->second : usual_plan;
  bool const is_long = numbers.long_window && server::period_index(numbers.long_window.period()) == period;
  return is_long || server::period_index(numbers.short_window.period()) == period;
}

void add_decisions_of_plan(page& out, server::metrics_reading::plan const& plan, figures const& f) {
  using enum server::limit_outcome;
  auto const count = [&](server::limit_outcome o) { return number(plan.outcomes[static_cast<std::size_t>(o)]); };
  auto const refused = [&](std::string_view reason, double refusals) {
    out.counter({{"plan", plan.name}, {"decision", "rate_limited"}, {"reason", std::string{reason}}}, refusals);
  };
  out.counter({{"plan", plan.name}, {"decision", "admitted"}}, count(admitted));
  for (std::size_t i = 0; i < plan.empty.size(); ++i)
    if (plan.empty[i] != 0 || has_window(f, plan.name, i)) refused(server::counted_periods[i], number(plan.empty[i]));
  refused("inquiry", count(inquiry_refused));
  refused("in_flight", count(in_flight_refused));
  out.counter({{"plan", plan.name}, {"decision", "banned"}, {"reason", "ban"}}, count(banned) + count(ban_begun));
  out.counter({{"plan", plan.name}, {"decision", "observed"}}, count(observed));
}

std::uint64_t bans_begun(server::metrics_reading const& reading) {
  std::uint64_t bans = 0;
  for (auto const& plan : reading.plans)
    bans += plan.outcomes[static_cast<std::size_t>(server::limit_outcome::ban_begun)];
  return bans;
}

void add_decisions(page& out, server::metrics_reading const& reading, figures const& f) {
  out.begin("petstore_limiter_decisions_total",
            "What the limiter decided, for callers of which plan, and why it refused.", MetricType::Counter);
  for (auto const& plan : reading.plans) add_decisions_of_plan(out, plan, f);

  auto const bans = f.shared_quotas ? f.shared_quotas->bans_begun : bans_begun(reading);
  out.single_counter("petstore_limiter_bans_total", "Bans that began because a caller ignored refusals.", number(bans));

  out.single_counter("petstore_limiter_mistaken_refunds_total",
                     "Refunds that gave nothing back, because what they returned was not taken.",
                     number(f.mistaken_refunds));

  out.begin("petstore_limiter_thresholds_total",
            "Identities that have used that part of the quota of their long window.", MetricType::Counter);
  for (std::size_t i = 0; i < reading.thresholds.size(); ++i)
    out.counter({{"percent", std::to_string(server::quota_marks[i])}}, number(reading.thresholds[i]));

  out.begin("petstore_http_protocol_refusals_total", "Answers to what never became a request, by status.",
            MetricType::Counter);
  for (auto const& [status, count] : reading.protocol_refusals) {
    out.counter({{"status", std::to_string(status)}}, number(count));
  }
}

void add_connections(page& out, server::metrics_reading const& reading) {
  static constexpr std::array names{"idle", "receiving", "handling", "sending", "closing"};  // as connection_state
  static_assert(names.size() == server::connection_state_count);
  out.begin("petstore_connections_by_state", "Open connections of the public listener, by what they are doing.",
            MetricType::Gauge);
  for (std::size_t i = 0; i < names.size(); ++i) out.gauge({{"state", names[i]}}, number(reading.connections[i]));
}

void add_errors(page& out, server::metrics_reading const& reading) {
  out.begin("petstore_http_errors_total", "Answers that are errors, by the code in their body.", MetricType::Counter);
  for (std::size_t i = 0; i < reading.errors.size(); ++i) {
    out.counter({{"code", std::string{describe(static_cast<errc>(i)).code}}}, number(reading.errors[i]));
  }
}

void add_closes(page& out, server::metrics_reading const& reading) {
  auto const add = [&](server::close_reason p, char const* reason) {
    out.counter({{"reason", reason}}, number(reading.closes[static_cast<std::size_t>(p)]));
  };
  using enum server::close_reason;
  out.begin("petstore_connections_refused_total", "Connections that were not taken.", MetricType::Counter);
  add(full, "max_connections");
  add(address_full, "connections_per_address");
  add(no_descriptor, "no_descriptor");
  add(untrusted_peer, "untrusted_peer");
  add(handshakes_spent, "tls_handshakes_per_minute");
  add(handshakes_under_way, "tls_handshakes_under_way");

  out.begin("petstore_connections_shed_total", "Connections that were ended to make room or to shorten the wait.",
            MetricType::Counter);
  add(made_way, "made_way");
  add(behind, "behind");
  add(abandoned, "abandoned");

  out.single_gauge("petstore_turn_wait_seconds",
                   "How long a ready socket waits for its thread, on the thread where the wait is longest.",
                   std::chrono::duration<double>(reading.turn_wait).count());
}

void add_figures(page& out, figures const& f) {
  out.begin("petstore_build_info", "1; the label says which build this is.", MetricType::Gauge);
  out.gauge({{"version", f.version}, {"compiler", __VERSION__}}, 1);
  out.single_gauge("petstore_ready", "1 when the process should get traffic.", f.ready ? 1 : 0);
  out.single_gauge("petstore_connections", "Open connections of the public listener.", number(f.connections));
  out.single_gauge("petstore_connections_max",
                   "The limit on connections: max-connections, or less where the process may open few files.",
                   number(f.connections_max));
  out.single_gauge("petstore_threads", "Threads that serve requests.", number(f.threads));
  out.single_gauge("petstore_keys", "API keys that are not revoked.", number(f.keys));
  out.single_counter("petstore_log_lines_dropped_total",
                     "Lines of the log that were lost: no room to keep them, or a write failed.",
                     number(f.log_lines_dropped));
  out.single_counter("petstore_log_writes_failed_total", "Writes of the log that failed (disk full, pipe closed).",
                     number(f.log_writes_failed));
}

void add_writes(page& out, ports::write_backlog const& writes) {
  out.single_gauge("petstore_store_writes_waiting", "Writes that wait for their transaction to begin.",
                   number(writes.waiting));
  out.single_gauge("petstore_store_commit_seconds", "What a transaction of writes takes at present.",
                   std::chrono::duration<double>(writes.commit).count());
  out.single_counter("petstore_store_writes_refused_total",
                     "Writes answered 503 because they would have waited too long.", number(writes.refused));
}

void add_space(page& out, ports::store_space const& s) {
  out.single_gauge("petstore_store_map_used_bytes",
                   "The used part of the store's map, without the space that deletions left free.",
                   number(s.used_bytes));
  out.single_gauge("petstore_store_map_size_bytes", "How large it may be: store-size.", number(s.max_bytes));
}

void add_store_connections(page& out, ports::connection_figures const& c) {
  out.begin("petstore_store_connections", "Connections to the store's server.", MetricType::Gauge);
  out.gauge({{"state", "open"}}, number(c.open));
  out.gauge({{"state", "missing"}}, number(c.wanted - c.open));
  out.begin("petstore_store_connection_events_total", "Connections made, connections lost, attempts that failed.",
            MetricType::Counter);
  out.counter({{"event", "made"}}, number(c.made));
  out.counter({{"event", "lost"}}, number(c.lost));
  out.counter({{"event", "failed"}}, number(c.failed));
  out.single_gauge("petstore_store_requests_in_flight", "Requests to the store's server without an answer yet.",
                   number(c.in_flight));
  out.begin("petstore_store_requests_total", "Requests to the store's server, by what became of them.",
            MetricType::Counter);
  out.counter({{"outcome", "answered"}}, number(c.answered));
  out.counter({{"outcome", "refused"}}, number(c.refused));
  out.counter({{"outcome", "unanswered"}}, number(c.unanswered));
  out.counter({{"outcome", "turned_away"}}, number(c.turned_away));
}

void add_shared_quotas(page& out, ports::shared_quota_figures const& f) {
  out.begin("petstore_quota_calls_total", "Calls to Redis for quotas: for tokens, or to give back and report.",
            MetricType::Counter);
  out.counter({{"kind", "tokens"}}, number(f.calls - f.settlements));
  out.counter({{"kind", "settlement"}}, number(f.settlements));
  out.begin("petstore_quota_call_duration_seconds", "Time of a call to Redis for quotas that was answered.",
            MetricType::Histogram);
  add_durations(out, {}, ports::quota_call_bounds_us, f.call_times, f.call_times_sum_ns);
  out.begin("petstore_quota_heartbeats_total", "Calls to Redis to say that this node lives.", MetricType::Counter);
  out.counter({{"outcome", "answered"}}, number(f.heartbeats - f.heartbeats_missed));
  out.counter({{"outcome", "missed"}}, number(f.heartbeats_missed));
  out.begin("petstore_quota_calls_failed_total",
            "Calls without an answer: Redis certainly did not run them, or it is unknown.", MetricType::Counter);
  out.counter({{"outcome", "unknown"}}, number(f.timeouts));
  out.counter({{"outcome", "not_run"}}, number(f.failures));
  out.begin("petstore_quota_tokens_total", "Tokens taken from Redis ahead of need, and those given back unused.",
            MetricType::Counter);
  out.counter({{"way", "granted"}}, number(f.grants));
  out.counter({{"way", "returned"}}, number(f.returns));
  out.single_counter("petstore_quota_requests_waited_total", "Requests that had to wait for Redis.", number(f.waits));
  out.single_counter("petstore_quota_refusals_kept_total", "Requests refused without asking Redis again.",
                     number(f.kept_refusals));
  out.single_counter("petstore_quota_policy_decisions_total",
                     "Requests decided by quota-failure, as Redis did not answer.", number(f.policy_decisions));
  out.single_counter("petstore_quota_strikes_reported_total", "Strikes of callers that were told to Redis.",
                     number(f.strikes_reported));
  out.begin("petstore_quota_connection_events_total", "Connections to Redis made, and connections lost.",
            MetricType::Counter);
  out.counter({{"event", "made"}}, number(f.connections_made));
  out.counter({{"event", "lost"}}, number(f.connections_lost));
  out.single_counter("petstore_quota_redirections_total", "Answers of Redis that named another server of its cluster.",
                     number(f.redirections));
  out.single_counter("petstore_quota_scripts_sent_whole_total",
                     "Calls with the script's whole text, as the server did not have it.",
                     number(f.scripts_sent_whole));
  out.single_gauge("petstore_quota_leases", "Quotas of which this node holds tokens.", number(f.leases));
  out.single_gauge("petstore_quota_tokens_held", "Tokens that it holds ahead of need.", number(f.tokens_held));
  out.single_counter("petstore_quota_breaker_openings_total",
                     "How often the breaker opened because Redis did not answer.", number(f.breaker_openings));
  out.single_gauge("petstore_quota_nodes", "Nodes that share the quotas, this one included.", number(f.nodes));
  out.single_gauge("petstore_quota_redis_answers", "0 while Redis is asked only now and then whether it is back.",
                   f.breaker_open ? 0 : 1);
}

double unix_seconds(std::chrono::system_clock::time_point t) {
  return number(std::chrono::floor<std::chrono::seconds>(t.time_since_epoch()).count());
}

void add_handshakes(page& out, server::metrics_reading const& reading) {
  using enum server::handshake;
  out.begin("petstore_tls_handshakes_total", "TLS handshakes that were completed.", MetricType::Counter);
  auto const completed = [&](char const* version, char const* is_resumed, server::handshake h) {
    auto const count = number(reading.handshakes[static_cast<std::size_t>(h)]);
    out.counter({{"version", version}, {"resumed", is_resumed}}, count);
  };
  completed("1.2", "no", full_1_2);
  completed("1.2", "yes", resumed_1_2);
  completed("1.3", "no", full_1_3);
  completed("1.3", "yes", resumed_1_3);

  static constexpr std::array reasons{"plain_text", "malformed", "unsupported", "certificate",
                                      "rejected",   "timeout",   "closed",      "other"};  // as handshake_failure
  static_assert(reasons.size() == server::handshake_failure_count);
  out.begin("petstore_tls_handshakes_failed_total", "TLS handshakes that failed, by reason.", MetricType::Counter);
  for (std::size_t i = 0; i < reasons.size(); ++i)
    out.counter({{"reason", reasons[i]}}, number(reading.handshake_failures[i]));
}

void add_certificate(page& out, certificate_figures const& c) {
  out.single_gauge("petstore_tls_certificate_expiry_timestamp_seconds",
                   "When the certificate in use ends, in Unix time.", unix_seconds(c.expires_at));
  out.single_gauge("petstore_tls_certificate_last_reload_successful",
                   "0 when the files' present content cannot be used, and what was read before stays in use.",
                   c.is_current ? 1 : 0);
  out.single_gauge("petstore_tls_certificate_last_reload_success_timestamp_seconds",
                   "When the certificate in use was read from its files, in Unix time.", unix_seconds(c.read_at));
}

void add_configuration(page& out, configuration_figures const& c) {
  out.single_gauge("petstore_config_last_reload_successful",
                   "0 when the last reload found a fault, and the settings that were read before stay in force.",
                   c.is_current ? 1 : 0);
  out.single_gauge("petstore_config_last_reload_success_timestamp_seconds",
                   "When the settings in force were read, at the start or by a reload, in Unix time.",
                   unix_seconds(c.read_at));
}

void add_webhook(page& out, webhook_figures const& w) {
  out.begin("petstore_webhook_events_total", "Events for the webhook, by what became of them.", MetricType::Counter);
  out.counter({{"outcome", "delivered"}}, number(w.delivered));
  out.counter({{"outcome", "given_up"}}, number(w.given_up));
  out.counter({{"outcome", "dropped"}}, number(w.dropped));
  out.single_counter("petstore_webhook_tries_failed_total", "Tries to deliver an event that failed.",
                     number(w.tries_failed));
  out.single_gauge("petstore_webhook_events_waiting", "Events that are not delivered yet.", number(w.waiting));
}

void add_process(page& out, process_figures const& p) {
  out.single_gauge("process_start_time_seconds", "When the process started, in Unix time.", p.start_unix_s);
  out.single_counter("process_cpu_seconds_total", "Processor time, user and system.", p.cpu_s);
  out.single_gauge("process_resident_memory_bytes", "Memory in use.", p.resident_bytes);
  out.single_gauge("process_open_fds", "Open file descriptors.", p.open_files);
  out.single_gauge("process_max_fds", "Most file descriptors the process may open.", p.open_files_max);
}

}  // namespace

std::string metrics_text(server::metrics_reading const& reading, figures const& f) {
  page out;
  add_requests(out, reading);
  add_latency(out, reading);
  add_decisions(out, reading, f);
  add_errors(out, reading);
  add_connections(out, reading);
  add_closes(out, reading);
  add_figures(out, f);
  add_configuration(out, f.configuration);
  if (f.webhook) add_webhook(out, *f.webhook);
  if (f.writes) add_writes(out, *f.writes);
  if (f.space) add_space(out, *f.space);
  if (f.store_connections) add_store_connections(out, *f.store_connections);
  if (f.shared_quotas) add_shared_quotas(out, *f.shared_quotas);
  if (f.certificate) {
    add_handshakes(out, reading);
    add_certificate(out, *f.certificate);
  }
  add_process(out, read_process_figures());
  return out.text();
}

}  // namespace petstore::program
