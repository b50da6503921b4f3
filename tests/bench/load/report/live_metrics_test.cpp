// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/live_metrics.hpp"

#include <boost/test/unit_test.hpp>

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_live_metrics)

namespace {

using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(totals_and_the_latencies_of_the_last_second_are_told) {
  live_status now;
  now.elapsed = 1'500ms;
  now.total.classes[2] = 40;
  now.total.too_many = 2;
  now.total.errors = 3;
  now.withheld = 4;
  now.last.latency.record(2ms);
  auto const text = live_metrics(now);
  for (auto const* line :
       {"# TYPE petstore_load_answers_total counter\n", "petstore_load_answers_total{status=\"2xx\"} 40\n",
        "petstore_load_answers_total{status=\"429\"} 2\n", "petstore_load_errors_total 3\n",
        "petstore_load_withheld_total 4\n", "petstore_load_elapsed_seconds 1.5\n",
        "petstore_load_latency_seconds{quantile=\"1\"} 0.002\n"})
    BOOST_TEST(text.find(line) != text.npos, line << " is not in\n" << text);
}

BOOST_AUTO_TEST_CASE(a_second_without_answers_has_no_latency) {
  BOOST_TEST(live_metrics({}).find("quantile=") == std::string::npos);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
