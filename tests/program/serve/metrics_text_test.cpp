// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "serve/metrics_text.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

#include "serve/process_figures.hpp"

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
  reading.decisions = {3, 1, 0, 7};
  reading.protocol_refusals = {{431, 2}};
  return reading;
}

bool has_line(std::string const& page, std::string const& line) {
  return ("\n" + page).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(metrics_text_suite)

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
  BOOST_TEST(has_line(page, R"(petstore_limiter_decisions_total{decision="admitted"} 3)"));
  BOOST_TEST(has_line(page, R"(petstore_limiter_decisions_total{decision="rate_limited"} 1)"));
  BOOST_TEST(has_line(page, R"(petstore_limiter_decisions_total{decision="observed"} 7)"));
  BOOST_TEST(has_line(page, R"(petstore_http_protocol_refusals_total{status="431"} 2)"));
}

BOOST_AUTO_TEST_CASE(figures_are_gauges_and_counters) {
  figures f;
  f.version = "1.2.3";
  f.ready = true;
  f.connections = 5;
  f.log_lines_dropped = 9;
  auto const page = metrics_text({}, f);
  BOOST_TEST(page.find(R"(petstore_build_info{version="1.2.3",)") != std::string::npos);
  BOOST_TEST(has_line(page, "petstore_ready 1"));
  BOOST_TEST(has_line(page, "petstore_connections 5"));
  BOOST_TEST(has_line(page, "petstore_log_lines_dropped_total 9"));
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
