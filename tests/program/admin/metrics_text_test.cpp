// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/metrics_text.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "admin/process_figures.hpp"
#include "support/temporary_directory.hpp"

BOOST_AUTO_TEST_SUITE(metrics_text_suite)

using namespace petstore;
using namespace petstore::program;

namespace {

server::metrics_reading one_operation() {
  server::metrics_reading reading;
  auto& op = reading.operations.emplace_back();
  op.name = "listPets";
  op.by_status_class = {0, 3, 0, 1, 0, 0};
  op.latency[0] = 2;
  op.latency[2] = 1;
  op.latency.back() = 1;
  op.latency_sum_ns = 5'000'000'000;
  reading.plans = {{"free", {3, 1, 2, 4, 8, 5, 6, 7}, {0, 1, 0, 2}}};
  reading.protocol_refusals = {{431, 2}};
  return reading;
}

void fill(server::metrics_reading& reading, server::counted family, std::vector<std::uint64_t> const& counts) {
  BOOST_REQUIRE(counts.size() == server::family_of(family).values.size());
  std::ranges::copy(counts, reading.counters.begin() + static_cast<std::ptrdiff_t>(server::counter_index(family)));
}

bool has_line(std::string const& page, std::string const& line) {
  return ("\n" + page).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(requests_are_counted_by_operation_and_class) {
  auto const page = metrics_text(one_operation(), {});
  BOOST_TEST(has_line(page, R"(petstore_http_requests_total{operation="listPets",status="2xx"} 3)"));
  BOOST_TEST(has_line(page, R"(petstore_http_requests_total{operation="listPets",status="4xx"} 1)"));
  BOOST_TEST(page.find("5xx") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(latency_buckets_are_cumulative_seconds) {
  auto const page = metrics_text(one_operation(), {});
  auto const bucket = [](std::string const& bound, int count) {
    return R"(petstore_http_request_duration_seconds_bucket{operation="listPets",le=")" + bound + "\"} " +
           std::to_string(count);
  };
  BOOST_TEST(page.find("petstore_http_request_duration_seconds_bucket") != std::string::npos);
  BOOST_TEST(has_line(page, bucket("2.5", 3)), page);
  BOOST_TEST(has_line(page, bucket("+Inf", 4)), page);
  BOOST_TEST(has_line(page, R"(petstore_http_request_duration_seconds_count{operation="listPets"} 4)"));
  BOOST_TEST(has_line(page, R"(petstore_http_request_duration_seconds_sum{operation="listPets"} 5)"));
}

BOOST_AUTO_TEST_CASE(decisions_and_refusals_are_counted) {
  auto const page = metrics_text(one_operation(), {});
  auto const decisions = [&page](std::string const& labels, int count) {
    auto const line =
        R"(petstore_limiter_decisions_total{plan="free",decision=)" + labels + "} " + std::to_string(count);
    BOOST_TEST(has_line(page, line), line);
  };
  decisions(R"("admitted")", 3);
  decisions(R"("rate_limited",reason="minute")", 1);
  decisions(R"("rate_limited",reason="day")", 2);
  decisions(R"("rate_limited",reason="inquiry")", 4);
  decisions(R"("rate_limited",reason="in_flight")", 8);
  decisions(R"("banned",reason="ban")", 11);
  decisions(R"("observed")", 7);
  BOOST_TEST(has_line(page, "petstore_limiter_bans_total 6"));
  BOOST_TEST(has_line(page, R"(petstore_http_protocol_refusals_total{status="431"} 2)"));
}

BOOST_AUTO_TEST_CASE(a_refusal_names_the_window_that_was_empty) {
  auto reading = one_operation();
  reading.plans = {{"anonymous", {}, {}}, {"bulk", {0, 3, 4}, {0, 0, 3, 0, 0, 4}}, {"free", {0, 2}, {1, 1}}};
  figures f;
  f.plans.emplace("bulk", limits::plan{limits::per_hour(500), limits::per_month(5'000)});
  f.plans.emplace("free", limits::plan{limits::per_second(50)});
  auto const page = metrics_text(reading, f);
  auto const has = [&page](std::string const& plan, std::string const& reason, int count) {
    return has_line(page, "petstore_limiter_decisions_total{plan=\"" + plan + R"(",decision="rate_limited",reason=")" +
                              reason + "\"} " + std::to_string(count));
  };
  BOOST_TEST(has("bulk", "hour", 3));
  BOOST_TEST(has("bulk", "month", 4));
  BOOST_TEST(!has("bulk", "minute", 0));
  BOOST_TEST(!has("bulk", "day", 0));
  BOOST_TEST(has("free", "second", 1));
  BOOST_TEST(has("free", "minute", 1));  // before its window was changed, or by a number of a key's own
  BOOST_TEST(!has("free", "day", 0));
  BOOST_TEST(has("anonymous", "minute", 0));
  BOOST_TEST(has("anonymous", "day", 0));
}

BOOST_AUTO_TEST_CASE(marks_of_quotas_that_were_reached_are_counted) {
  auto reading = one_operation();
  fill(reading, server::counted::thresholds, {3, 1});
  auto const page = metrics_text(reading, {});
  BOOST_TEST(has_line(page, R"(petstore_limiter_thresholds_total{percent="80"} 3)"));
  BOOST_TEST(has_line(page, R"(petstore_limiter_thresholds_total{percent="100"} 1)"));
}

BOOST_AUTO_TEST_CASE(a_webhook_has_figures_only_where_there_is_one) {
  BOOST_TEST(metrics_text(one_operation(), {}).find("petstore_webhook") == std::string::npos);
  figures f;
  f.webhook = webhook_figures{.waiting = 4, .delivered = 3, .given_up = 2, .dropped = 1, .tries_failed = 12};
  auto const page = metrics_text(one_operation(), f);
  BOOST_TEST(has_line(page, R"(petstore_webhook_events_total{outcome="delivered"} 3)"));
  BOOST_TEST(has_line(page, R"(petstore_webhook_events_total{outcome="given_up"} 2)"));
  BOOST_TEST(has_line(page, R"(petstore_webhook_events_total{outcome="dropped"} 1)"));
  BOOST_TEST(has_line(page, "petstore_webhook_tries_failed_total 12"));
  BOOST_TEST(has_line(page, "petstore_webhook_events_waiting 4"));
}

BOOST_AUTO_TEST_CASE(bans_of_shared_quotas_are_counted_with_those_of_this_process) {
  figures f;
  f.shared_quotas.emplace().bans_begun = 10;
  BOOST_TEST(has_line(metrics_text(one_operation(), f), "petstore_limiter_bans_total 10"));
}

BOOST_AUTO_TEST_CASE(mistaken_refunds_are_counted) {
  figures f;
  f.mistaken_refunds = 2;
  BOOST_TEST(has_line(metrics_text(one_operation(), f), "petstore_limiter_mistaken_refunds_total 2"));
}

BOOST_AUTO_TEST_CASE(the_store_is_timed_and_connections_are_told_apart_by_what_they_do) {
  server::metrics_reading reading;
  reading.store_reads.buckets[0] = 4;
  reading.store_writes.buckets.back() = 1;
  reading.store_writes.sum_ns = 11'000'000'000;
  reading.connections = {5, 4, 3, 2, 1};
  auto const page = metrics_text(reading, {});
  BOOST_TEST(has_line(page, R"(petstore_store_duration_seconds_count{access="read"} 4)"));
  BOOST_TEST(has_line(page, R"(petstore_store_duration_seconds_bucket{access="write",le="10"} 0)"));
  BOOST_TEST(has_line(page, R"(petstore_store_duration_seconds_sum{access="write"} 11)"));
  BOOST_TEST(has_line(page, R"(petstore_connections_by_state{state="idle"} 5)"));
  BOOST_TEST(has_line(page, R"(petstore_connections_by_state{state="closing"} 1)"));
}

BOOST_AUTO_TEST_CASE(figures_are_gauges_and_counters) {
  figures f;
  f.version = "1.2.3";
  f.ready = true;
  f.connections = 5;
  f.log_lines_dropped = 9;
  f.writes.emplace(ports::write_backlog{.waiting = 7, .refused = 11, .commit = std::chrono::milliseconds(40)});
  f.space = ports::store_space{.used_bytes = 4096, .max_bytes = 1048576};
  auto const page = metrics_text({}, f);
  BOOST_TEST(page.find(R"(petstore_build_info{version="1.2.3",)") != std::string::npos);
  BOOST_TEST(has_line(page, "petstore_store_map_used_bytes 4096"));
  BOOST_TEST(has_line(page, "petstore_store_map_size_bytes 1048576"));
  BOOST_TEST(has_line(page, "petstore_ready 1"));
  BOOST_TEST(has_line(page, "petstore_connections 5"));
  BOOST_TEST(has_line(page, "petstore_log_lines_dropped_total 9"));
  BOOST_TEST(has_line(page, "petstore_store_writes_waiting 7"));
  BOOST_TEST(has_line(page, "petstore_store_writes_refused_total 11"));
  BOOST_TEST(has_line(page, "petstore_store_commit_seconds 0.04"));
}

BOOST_AUTO_TEST_CASE(shared_quotas_have_figures_only_where_there_are_any) {
  BOOST_TEST(metrics_text({}, {}).find("petstore_quota_") == std::string::npos);
  figures f;
  f.shared_quotas = ports::shared_quota_figures{.calls = 29,
                                                .settlements = 8,
                                                .heartbeats_answered = 10,
                                                .heartbeats_missed = 2,
                                                .grants = 300,
                                                .returns = 4,
                                                .timeouts = 5,
                                                .failures = 6,
                                                .breaker_openings = 2,
                                                .call_times = {0, 3, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 1},
                                                .call_times_sum_ns = 30'000'000,
                                                .connections_made = 7,
                                                .connections_lost = 3,
                                                .redirections = 13,
                                                .scripts_sent_whole = 2,
                                                .leases = 5,
                                                .tokens_held = 600,
                                                .nodes = 3,
                                                .breaker_open = true};
  auto const page = metrics_text({}, f);
  BOOST_TEST(has_line(page, R"(petstore_quota_calls_total{kind="tokens"} 21)"));
  BOOST_TEST(has_line(page, R"(petstore_quota_calls_total{kind="settlement"} 8)"));
  BOOST_TEST(has_line(page, R"(petstore_quota_heartbeats_total{outcome="answered"} 10)"));
  BOOST_TEST(has_line(page, R"(petstore_quota_heartbeats_total{outcome="missed"} 2)"));
  BOOST_TEST(has_line(page, R"(petstore_quota_call_duration_seconds_bucket{le="0.00025"} 3)"));
  BOOST_TEST(has_line(page, R"(petstore_quota_call_duration_seconds_bucket{le="0.001"} 7)"));
  BOOST_TEST(has_line(page, R"(petstore_quota_call_duration_seconds_bucket{le="+Inf"} 8)"));
  BOOST_TEST(has_line(page, "petstore_quota_call_duration_seconds_count 8"));
  BOOST_TEST(has_line(page, "petstore_quota_call_duration_seconds_sum 0.03"));
  BOOST_TEST(has_line(page, "petstore_quota_leases 5"));
  BOOST_TEST(has_line(page, "petstore_quota_tokens_held 600"));
  BOOST_TEST(has_line(page, "petstore_quota_breaker_openings_total 2"));
  BOOST_TEST(has_line(page, R"(petstore_quota_calls_failed_total{outcome="unknown"} 5)"));
  BOOST_TEST(has_line(page, R"(petstore_quota_calls_failed_total{outcome="not_run"} 6)"));
  BOOST_TEST(has_line(page, R"(petstore_quota_tokens_total{way="granted"} 300)"));
  BOOST_TEST(has_line(page, R"(petstore_quota_tokens_total{way="returned"} 4)"));
  BOOST_TEST(has_line(page, R"(petstore_quota_connection_events_total{event="made"} 7)"));
  BOOST_TEST(has_line(page, R"(petstore_quota_connection_events_total{event="lost"} 3)"));
  BOOST_TEST(has_line(page, "petstore_quota_redirections_total 13"));
  BOOST_TEST(has_line(page, "petstore_quota_scripts_sent_whole_total 2"));
  BOOST_TEST(has_line(page, "petstore_quota_nodes 3"));
  BOOST_TEST(has_line(page, "petstore_quota_redis_answers 0"));
}

BOOST_AUTO_TEST_CASE(a_store_has_figures_of_its_queue_or_of_its_connections_where_it_has_any) {
  auto const without = metrics_text({}, {});
  for (auto const* part : {"petstore_store_writes", "petstore_store_map", "petstore_store_connection"})
    BOOST_TEST(without.find(part) == std::string::npos, part);
  figures f;
  f.store_connections = ports::connection_figures{.wanted = 6,
                                                  .open = 4,
                                                  .in_flight = 3,
                                                  .made = 9,
                                                  .lost = 5,
                                                  .failed = 7,
                                                  .answered = 100,
                                                  .refused = 2,
                                                  .unanswered = 1,
                                                  .turned_away = 8};
  auto const page = metrics_text({}, f);
  BOOST_TEST(has_line(page, R"(petstore_store_connections{state="open"} 4)"));
  BOOST_TEST(has_line(page, R"(petstore_store_connections{state="missing"} 2)"));
  BOOST_TEST(has_line(page, R"(petstore_store_connection_events_total{event="made"} 9)"));
  BOOST_TEST(has_line(page, R"(petstore_store_connection_events_total{event="lost"} 5)"));
  BOOST_TEST(has_line(page, R"(petstore_store_connection_events_total{event="failed"} 7)"));
  BOOST_TEST(has_line(page, "petstore_store_requests_in_flight 3"));
  BOOST_TEST(has_line(page, R"(petstore_store_requests_total{outcome="answered"} 100)"));
  BOOST_TEST(has_line(page, R"(petstore_store_requests_total{outcome="refused"} 2)"));
  BOOST_TEST(has_line(page, R"(petstore_store_requests_total{outcome="unanswered"} 1)"));
  BOOST_TEST(has_line(page, R"(petstore_store_requests_total{outcome="turned_away"} 8)"));
}

BOOST_AUTO_TEST_CASE(errors_are_counted_by_every_documented_code) {
  server::metrics_reading reading;
  reading.errors[static_cast<std::size_t>(errc::unavailable)] = 4;
  auto const page = metrics_text(reading, {});
  BOOST_TEST(has_line(page, R"(petstore_http_errors_total{code="unavailable"} 4)"));
  BOOST_TEST(has_line(page, R"(petstore_http_errors_total{code="invalid_request"} 0)"));
  BOOST_TEST(has_line(page, R"(petstore_http_errors_total{code="http_version_not_supported"} 0)"));
}

BOOST_AUTO_TEST_CASE(connections_are_counted_by_why_they_are_refused_or_let_go) {
  server::metrics_reading reading;
  using server::counted;
  fill(reading, counted::connections_refused, {1, 2, 3, 4, 8, 9});
  fill(reading, counted::connections_shed, {5, 6, 7});
  reading.turn_wait = std::chrono::milliseconds{250};
  auto const page = metrics_text(reading, {});
  BOOST_TEST(has_line(page, R"(petstore_connections_refused_total{reason="max_connections"} 1)"));
  BOOST_TEST(has_line(page, R"(petstore_connections_refused_total{reason="connections_per_address"} 2)"));
  BOOST_TEST(has_line(page, R"(petstore_connections_refused_total{reason="no_descriptor"} 3)"));
  BOOST_TEST(has_line(page, R"(petstore_connections_refused_total{reason="untrusted_peer"} 4)"));
  BOOST_TEST(has_line(page, R"(petstore_connections_refused_total{reason="tls_handshakes_per_minute"} 8)"));
  BOOST_TEST(has_line(page, R"(petstore_connections_refused_total{reason="tls_handshakes_under_way"} 9)"));
  BOOST_TEST(has_line(page, R"(petstore_connections_shed_total{reason="made_way"} 5)"));
  BOOST_TEST(has_line(page, R"(petstore_connections_shed_total{reason="behind"} 6)"));
  BOOST_TEST(has_line(page, R"(petstore_connections_shed_total{reason="abandoned"} 7)"));
  BOOST_TEST(has_line(page, "petstore_turn_wait_seconds 0.25"));
}

BOOST_AUTO_TEST_CASE(of_encryption_there_are_handshakes_and_the_certificate) {
  server::metrics_reading reading;
  fill(reading, server::counted::handshakes, {1, 2, 3, 4});
  fill(reading, server::counted::handshakes_failed, {10, 11, 12, 13, 14, 15, 16, 17});
  figures f;
  auto const at = [](std::int64_t s) { return std::chrono::system_clock::time_point{std::chrono::seconds{s}}; };
  f.certificate = certificate_figures{at(2'000'000'000), at(1'900'000'000) + std::chrono::milliseconds{700}, false};
  auto const page = metrics_text(reading, f);
  BOOST_TEST(has_line(page, R"(petstore_tls_handshakes_total{version="1.2",resumed="no"} 1)"));
  BOOST_TEST(has_line(page, R"(petstore_tls_handshakes_total{version="1.2",resumed="yes"} 2)"));
  BOOST_TEST(has_line(page, R"(petstore_tls_handshakes_total{version="1.3",resumed="no"} 3)"));
  BOOST_TEST(has_line(page, R"(petstore_tls_handshakes_total{version="1.3",resumed="yes"} 4)"));
  int count = 10;
  for (char const* reason :
       {"plain_text", "malformed", "unsupported", "certificate", "rejected", "timeout", "closed", "other"})
    BOOST_TEST(has_line(page, "petstore_tls_handshakes_failed_total{reason=\"" + std::string{reason} + "\"} " +
                                  std::to_string(count++)));
  BOOST_TEST(has_line(page, "petstore_tls_certificate_expiry_timestamp_seconds 2000000000"));
  BOOST_TEST(has_line(page, "petstore_tls_certificate_last_reload_successful 0"));
  BOOST_TEST(has_line(page, "petstore_tls_certificate_last_reload_success_timestamp_seconds 1900000000"));

  BOOST_TEST(metrics_text(reading, {}).find("petstore_tls_") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_manuals_table_has_a_row_for_every_family_and_no_other) {
  figures f;
  f.shared_quotas.emplace();
  f.writes.emplace();
  f.space.emplace();
  f.store_connections.emplace();
  f.certificate.emplace();
  f.webhook.emplace();
  std::istringstream page(metrics_text({}, f));
  std::set<std::string> families;
  for (std::string line; std::getline(page, line);)
    if (line.starts_with("# TYPE ")) families.insert(line.substr(7, line.rfind(' ') - 7));

  std::istringstream manual(petstore::tests::read_file(PETSTORE_METRICS_PAGE));
  std::set<std::string> rows;
  for (std::string line; std::getline(manual, line);)
    if (line.starts_with("| `petstore_") || line.starts_with("| `process_"))
      rows.insert(line.substr(3, line.find('`', 3) - 3));
  BOOST_TEST(rows == families, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_manuals_tables_are_made_of_the_rows_of_the_families) {
  // When this fails: with PETSTORE_WRITE_DOCS=1 in the environment, this test writes what belongs there.
  auto const manual = petstore::tests::read_file(PETSTORE_METRICS_PAGE);
  std::string const begin = "<!-- tables -->\n", end = "<!-- end of tables -->\n";
  auto const from = manual.find(begin), to = manual.find(end);
  BOOST_REQUIRE((from < to && to != std::string::npos));
  auto const expected = manual.substr(0, from) + begin + metrics_as_markdown() + manual.substr(to);
  if (std::getenv("PETSTORE_WRITE_DOCS")) std::ofstream(PETSTORE_METRICS_PAGE) << expected;
  BOOST_TEST((petstore::tests::read_file(PETSTORE_METRICS_PAGE) == expected));
}

BOOST_AUTO_TEST_CASE(every_family_has_help_and_type) {
  std::istringstream lines(metrics_text(one_operation(), {}));
  std::string family;
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# TYPE ")) family = line.substr(7, line.rfind(' ') - 7);
    if (line.starts_with('#')) continue;
    BOOST_TEST(line.starts_with(family), line);
    ++count;
  }
  BOOST_TEST(count > 20);
}

BOOST_AUTO_TEST_CASE(the_last_reload_is_told_with_its_success) {
  figures f;
  f.configuration = {std::chrono::system_clock::time_point{std::chrono::seconds{1'900'000'000}}, false};
  auto const page = metrics_text({}, f);
  BOOST_TEST(has_line(page, "petstore_config_last_reload_successful 0"));
  BOOST_TEST(has_line(page, "petstore_config_last_reload_success_timestamp_seconds 1900000000"));
}

BOOST_AUTO_TEST_CASE(the_kernel_knows_this_process) {
  auto const p = read_process_figures();
  auto const now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  BOOST_TEST(p.start_unix_s > now - 3600);
  BOOST_TEST(p.start_unix_s < now + 2);
  BOOST_TEST(p.resident_bytes > 100'000);
  BOOST_TEST(p.open_files >= 3);
  BOOST_TEST(p.open_files_max >= p.open_files);
}

BOOST_AUTO_TEST_SUITE_END()
