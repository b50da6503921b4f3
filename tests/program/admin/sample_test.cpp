// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/sample.hpp"

#include <array>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

BOOST_AUTO_TEST_SUITE(console_sample)

using namespace petstore;
using namespace petstore::program;
using namespace std::chrono_literals;

namespace {

constexpr std::array<std::uint64_t, 3> bounds{10, 100, 1000};

double quantile(std::array<std::uint64_t, 4> const& counts, double share) {
  return quantile_us(counts, bounds, share);
}

observation make_observation(std::chrono::seconds at, std::uint64_t requests, std::uint64_t failures) {
  observation o;
  o.at = std::chrono::steady_clock::time_point{at};
  o.requests.operations.resize(1);
  auto& op = o.requests.operations[0];
  op.name = "listPets";
  op.by_status_class[1] = requests;
  op.by_status_class[4] = failures;
  op.latency[0] = requests + failures;
  return o;
}

boost::json::value render(observation const& before, observation const& now) {
  return boost::json::parse(render_sample(before, now, {}, {}));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_quantile_lies_in_the_bucket_that_holds_it) {
  BOOST_TEST(quantile({10, 0, 0, 0}, 0.5) == 5.0);
  BOOST_TEST(quantile({5, 5, 0, 0}, 0.5) == 10.0);
  BOOST_TEST(quantile({0, 10, 0, 0}, 0.5) == 55.0);
  BOOST_TEST(quantile({98, 0, 2, 0}, 0.99) == 550.0);
  BOOST_TEST(quantile({0, 0, 0, 3}, 0.5) == 1000.0);
  BOOST_TEST(std::isnan(quantile({0, 0, 0, 0}, 0.5)));
}

BOOST_AUTO_TEST_CASE(the_head_of_the_page_knows_where_it_is) {
  auto o = make_observation(10s, 0, 0);
  o.node = "node-1";
  o.environment = "staging";
  o.service = "https://pets.example/v1";
  auto const sample = render(o, o);
  BOOST_TEST(sample.at("node").as_string() == "node-1");
  BOOST_TEST(sample.at("environment").as_string() == "staging");
  BOOST_TEST(sample.at("service").as_string() == "https://pets.example/v1");
}

BOOST_AUTO_TEST_CASE(rates_are_those_of_the_time_between) {
  auto const sample = render(make_observation(10s, 1'000, 7), make_observation(12s, 1'500, 17));
  auto const& requests = sample.at("requests");
  BOOST_TEST(requests.at("rate").to_number<double>() == 255.0);
  BOOST_TEST(requests.at("status").at("2xx").to_number<double>() == 250.0);
  BOOST_TEST(requests.at("status").at("5xx").to_number<double>() == 5.0);
  BOOST_TEST(requests.at("operations").as_array().size() == 1u);
  BOOST_TEST(requests.at("operations").at(0).at("serverErrors").to_number<double>() == 5.0);
  BOOST_TEST(requests.at("latency").at("p50").to_number<double>() < 0.026);
}

BOOST_AUTO_TEST_CASE(where_nothing_is_asked_nothing_is_made_up) {
  auto const o = make_observation(10s, 5, 0);
  auto later = o;
  later.at += 1s;
  auto const sample = render(o, later);
  BOOST_TEST(sample.at("requests").at("rate").to_number<double>() == 0.0);
  BOOST_TEST(sample.at("requests").at("latency").at("p99").is_null());
  BOOST_TEST(sample.at("requests").at("operations").as_array().empty());
}

BOOST_AUTO_TEST_CASE(the_state_is_told_in_a_word) {
  auto o = make_observation(10s, 0, 0);
  BOOST_TEST(render(o, o).at("state").as_string() == "ready");
  o.store_ready = false;
  BOOST_TEST(render(o, o).at("state").as_string() == "not ready");
  o.draining = true;
  BOOST_TEST(render(o, o).at("state").as_string() == "draining");
}

BOOST_AUTO_TEST_CASE(it_is_one_line) {
  auto o = make_observation(10s, 0, 0);
  o.plans = {"free\nfree"};
  BOOST_TEST(render_sample(o, o, {}, {}).find('\n') == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
