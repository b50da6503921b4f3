// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "figures/sample_run.hpp"
#include "report/compare.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_compare_condition)

namespace {

BOOST_AUTO_TEST_CASE(a_condition_is_a_figure_and_the_word_worse) {
  BOOST_TEST(parse_comparison_condition("p99 worse").value.value() == "p99");
  BOOST_TEST(parse_comparison_condition("capacity worse").value.value() == "capacity");
  for (auto const* wrong : {"", "p99", "p99 better", "p99>5ms", "worse", "p99  worse", "p99 worse "})
    BOOST_TEST(parse_comparison_condition(wrong).mistake.find("as 'p99 worse'") != std::string::npos, wrong);
}

BOOST_AUTO_TEST_CASE(a_figure_that_no_comparison_judges_is_told_with_those_it_does) {
  BOOST_TEST(parse_comparison_condition("eror worse").mistake == "`eror` is not known here; did you mean `errors`?");
  BOOST_TEST(parse_comparison_condition("max worse").mistake.ends_with("capacity, rate, errors, p50, p90, p99, p99.9"));
}

BOOST_AUTO_TEST_CASE(what_is_worse_fails_and_what_is_better_or_noise_does_not) {
  auto const fast = sample_run({.seed = 1, .stalls = false});
  auto const slow = sample_run({.slower = 1.3, .seed = 2, .stalls = false});
  auto const worse = judged("p50", compare(fast, slow));
  BOOST_TEST(worse.failed);
  BOOST_TEST(worse.text == "p50 worse");
  BOOST_TEST(worse.observed.ends_with(": worse"));
  BOOST_TEST(!judged("p50", compare(slow, fast)).failed);
  BOOST_TEST(!judged("p50", compare(fast, fast)).failed);
}

BOOST_AUTO_TEST_CASE(two_runs_without_errors_are_not_worse) {
  auto clean = sample_run({});
  for (auto& o : clean.operations) o.counted.errors = 0;
  for (auto& i : clean.intervals) i.counted.errors = 0;
  BOOST_TEST(!judged("errors", compare(clean, clean)).failed);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_judged_fails_and_says_why) {
  auto const brief = compare(sample_run({.seconds = 3}), sample_run({.seconds = 3}));
  BOOST_TEST(judged("p50", brief).failed);
  BOOST_TEST(judged("p50", brief).observed.ends_with("too few intervals to judge"));
  BOOST_TEST(judged("capacity", brief).failed);
  BOOST_TEST(judged("capacity", brief).observed == "the runs have no such figure");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
