// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/openmetrics.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <sstream>
#include <vector>

#include "admin/metrics_text.hpp"

BOOST_AUTO_TEST_SUITE(openmetrics_suite)

using namespace petstore;
using namespace petstore::program;
using namespace std::chrono_literals;

namespace {

constexpr limits::wall_time now{1'800'000'000'250ms};

server::metrics_reading one_operation() {
  server::metrics_reading reading;
  auto& op = reading.operations.emplace_back();
  op.name = "listPets";
  op.by_status_class = {0, 3, 0, 1, 2, 0};
  op.latency[2] = 4;
  op.latency[14] = 1;
  op.latency.back() = 1;
  return reading;
}

std::vector<server::operation_exemplars> exemplars_of(std::size_t bucket, server::exemplar const& e) {
  std::vector<server::operation_exemplars> all(2);
  all[0].name = "getPet";
  all[1].name = "listPets";
  all[1].latency[bucket] = e;
  return all;
}

/// The lines that have an exemplar.
std::vector<std::string> exemplified(std::vector<server::operation_exemplars> const& all) {
  std::vector<std::string> found;
  std::istringstream lines(as_openmetrics(metrics_text(one_operation(), {}), all));
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with('#') && line.find(" # ") != line.npos) found.push_back(line);
  return found;
}

std::string bucket(std::string const& bound, std::string const& rest) {
  return R"(petstore_http_request_duration_seconds_bucket{operation="listPets",le=")" + bound + "\"} " + rest;
}

}  // namespace

BOOST_AUTO_TEST_CASE(families_of_counters_lose_their_suffix_and_the_text_has_an_end) {
  BOOST_TEST(as_openmetrics("# HELP a_total It ends in _total\n# TYPE a_total counter\na_total{b=\"_total\"} 1\n"
                            "# HELP c _total\n# TYPE c gauge\nc 2\n",
                            {}) ==
             "# HELP a It ends in _total\n# TYPE a counter\na_total{b=\"_total\"} 1\n"
             "# HELP c _total\n# TYPE c gauge\nc 2\n# EOF\n");
  BOOST_TEST(as_openmetrics("", {}) == "# EOF\n");
}

BOOST_AUTO_TEST_CASE(every_sample_of_a_counter_ends_in_total_and_no_line_is_empty) {
  std::istringstream lines(as_openmetrics(metrics_text(one_operation(), {}), {}));
  std::string family;
  std::string type;
  std::set<std::string> families;
  for (std::string line; std::getline(lines, line);) {
    BOOST_TEST(!line.empty());
    if (line.starts_with("# TYPE ")) {
      family = line.substr(7, line.rfind(' ') - 7);
      type = line.substr(line.rfind(' ') + 1);
      BOOST_TEST(families.insert(family).second, family << " is there twice");
    }
    if (type == "counter" && !line.starts_with('#'))
      BOOST_TEST((line.starts_with(family + "_total ") || line.starts_with(family + "_total{")), line);
  }
}

BOOST_AUTO_TEST_CASE(a_whole_bound_of_a_bucket_has_a_fraction) {
  BOOST_TEST(
      as_openmetrics("a_bucket{le=\"0.5\"} 1\na_bucket{style=\"1\",le=\"10\"} 2\na_bucket{le=\"+Inf\"} 2\n", {}) ==
      "a_bucket{le=\"0.5\"} 1\na_bucket{style=\"1\",le=\"10.0\"} 2\na_bucket{le=\"+Inf\"} 2\n# EOF\n");
}

BOOST_AUTO_TEST_CASE(the_exemplar_of_a_bucket_stands_on_its_line_alone) {
  auto const lines = exemplified(exemplars_of(2, {"4d2a", 62'500ns, now}));
  BOOST_REQUIRE(lines.size() == 1u);
  BOOST_TEST(lines[0] == bucket("0.0001", R"(4 # {request_id="4d2a"} 6.25e-05 1800000000.250)"));
}

BOOST_AUTO_TEST_CASE(whole_and_infinite_bounds_have_theirs) {
  BOOST_TEST(exemplified(exemplars_of(14, {"a", 750ms, now})).at(0) ==
             bucket("1.0", R"(5 # {request_id="a"} 0.75 1800000000.250)"));
  BOOST_TEST(exemplified(exemplars_of(17, {"a", 12s, now})).at(0) ==
             bucket("+Inf", R"(6 # {request_id="a"} 12 1800000000.250)"));
}

BOOST_AUTO_TEST_CASE(every_bucket_has_the_exemplar_of_its_own) {
  std::vector<server::operation_exemplars> all(1);
  all[0].name = "listPets";
  for (std::size_t i = 0; i < all[0].latency.size(); ++i) all[0].latency[i] = {{std::to_string(i), 1ms, now}};
  auto const lines = exemplified(all);
  BOOST_REQUIRE(lines.size() == all[0].latency.size());
  for (std::size_t i = 0; i < lines.size(); ++i)
    BOOST_TEST(lines[i].find("# {request_id=\"" + std::to_string(i) + "\"}") != std::string::npos, lines[i]);
}

BOOST_AUTO_TEST_CASE(failures_have_an_exemplar_and_other_answers_none) {
  std::vector<server::operation_exemplars> all(1);
  all[0].name = "listPets";
  all[0].failure = {"4d2a", 2s, now};
  auto const lines = exemplified(all);
  BOOST_REQUIRE(lines.size() == 1u);
  BOOST_TEST(
      lines[0] ==
      R"(petstore_http_requests_total{operation="listPets",status="5xx"} 2 # {request_id="4d2a"} 2 1800000000.250)");
}

BOOST_AUTO_TEST_CASE(an_id_of_a_client_cannot_end_its_text) {
  auto const lines = exemplified(exemplars_of(2, {R"(a"} 1\)", 62'500ns, now}));
  BOOST_TEST(lines.at(0).find(R"({request_id="a\"} 1\\"} 6.25e-05 )") != std::string::npos, lines[0]);
}

BOOST_AUTO_TEST_SUITE_END()
