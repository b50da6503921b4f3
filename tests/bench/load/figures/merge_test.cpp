// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "figures/merge.hpp"

#include <array>
#include <boost/test/unit_test.hpp>

#include "figures/sample_run.hpp"
#include "report/html.hpp"
#include "report/json.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_merge)

namespace {

using namespace std::chrono_literals;

results merged_of(results a, results b) {
  std::array const both{std::move(a), std::move(b)};
  return merged(both).value.value();
}

std::string mistake_of(results a, results b) {
  std::array const both{std::move(a), std::move(b)};
  return merged(both).mistake;
}

BOOST_AUTO_TEST_CASE(counts_rates_and_histograms_add_up) {
  auto const a = sample_run({.seed = 1});
  auto const b = sample_run({.slower = 3, .seed = 2});
  auto const both = merged_of(a, b);
  BOOST_TEST(both.due == a.due + b.due);
  BOOST_TEST(totals_of(both).answers == totals_of(a).answers + totals_of(b).answers);
  BOOST_TEST(rate_of(both) == rate_of(a) + rate_of(b), boost::test_tools::tolerance(1e-9));
  BOOST_TEST(both.run.rate_wanted.value() == 400);
  auto all = latency_of(a);
  all.merge(latency_of(b));
  BOOST_TEST((latency_of(both) == all));
  BOOST_TEST(both.errors.at(error_kind::timeout).count ==
             a.errors.at(error_kind::timeout).count + b.errors.at(error_kind::timeout).count);
  BOOST_TEST(both.keys.size() == 2u);
  BOOST_TEST(both.keys[0].admitted == a.keys[0].admitted + b.keys[0].admitted);
  BOOST_TEST(both.tool.threads.size() == 4u);
}

BOOST_AUTO_TEST_CASE(intervals_add_up_and_have_the_worst_of_the_quantiles) {
  auto const a = sample_run({.seed = 1});
  auto const b = sample_run({.slower = 3, .seed = 2});
  auto const both = merged_of(a, b);
  BOOST_TEST(both.intervals[3].due == a.intervals[3].due + b.intervals[3].due);
  BOOST_TEST((both.intervals[3].latency.p99 == std::max(a.intervals[3].latency.p99, b.intervals[3].latency.p99)));
}

BOOST_AUTO_TEST_CASE(runs_of_unequal_length_and_of_other_operations_have_a_report) {
  auto const both = merged_of(sample_run({.seconds = 5}), sample_run({.seconds = 20, .operation = "buy"}));
  BOOST_TEST((both.duration == 20s));
  BOOST_TEST(both.run.rate_wanted.value() == 250);  // 200/s for 5 s, and for 20 s
  BOOST_TEST(both.operations.size() == 4u);
  auto const read = from_json(to_json(both));
  BOOST_TEST(read.value.has_value(), read.mistake);
  BOOST_TEST(to_html(both).find("</html>") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_was_judged_for_a_run_alone_is_not_said_of_all) {
  auto const both = merged_of(sample_run({}), sample_run({}));
  BOOST_TEST(both.conditions.empty());
  BOOST_TEST(both.audit.value().unchecked.back().find("each was judged by itself") != std::string::npos);
  BOOST_TEST(both.audit->findings.size() == 4u);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_merged_is_told) {
  std::array const one{sample_run({})};
  BOOST_TEST(merged(one).mistake == "to merge takes two runs at least");
  auto search = sample_run({});
  search.capacity = sample_capacity();
  BOOST_TEST(mistake_of(sample_run({}), search) == "one of them is a search for the capacity, and not a run");
  auto fine = sample_run({});
  fine.interval = 100ms;
  BOOST_TEST(mistake_of(sample_run({}), fine).starts_with("the runs have intervals of different length"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
