// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/compare.hpp"

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "figures/sample_run.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_compare)

namespace {

using verdict = difference::verdict;

difference row(comparison const& compared, std::string_view name) {
  for (auto const& d : compared.differences)
    if (d.name == name) return d;
  BOOST_FAIL("no row " << name);
  return {};
}

std::vector<double> drawn(double median, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> values(std::log(median), 0.1);
  std::vector<double> all(count);
  for (auto& value : all) value = values(random);
  return all;
}

BOOST_AUTO_TEST_CASE(a_run_does_not_differ_from_another_of_the_same_kind) {
  auto const compared = compare(sample_run({.seed = 1}), sample_run({.seed = 2}));
  for (auto const* name : {"rate", "p50", "p90", "p99"})
    BOOST_TEST((row(compared, name).judged == verdict::within_noise), name);
  BOOST_TEST(compared.cautions.size() <= 2);
}

BOOST_AUTO_TEST_CASE(a_slower_run_is_worse_and_a_faster_one_better) {
  auto const fast = sample_run({.seed = 1, .stalls = false});
  auto const slow = sample_run({.slower = 1.3, .seed = 2, .stalls = false});
  auto const p50 = row(compare(fast, slow), "p50");
  BOOST_TEST((p50.judged == verdict::worse));
  BOOST_TEST(p50.ratio.value() == 1.3, boost::test_tools::tolerance(0.05));
  BOOST_TEST(p50.noise.value().low > 1.1);
  BOOST_TEST(p50.noise.value().high < 1.5);
  BOOST_TEST((row(compare(slow, fast), "p50").judged == verdict::better));
}

BOOST_AUTO_TEST_CASE(capacities_differ_when_their_rounds_do_not_overlap) {
  auto before = sample_run({.seconds = 2});
  auto after = before;
  before.capacity = after.capacity = sample_capacity();
  BOOST_TEST((row(compare(before, after), "capacity").judged == verdict::within_noise));
  after.capacity->least = 1'300;
  after.capacity->median = 1'350;
  after.capacity->most = 1'400;
  BOOST_TEST((row(compare(before, after), "capacity").judged == verdict::better));
  BOOST_TEST((row(compare(after, before), "capacity").judged == verdict::worse));
  after.capacity.reset();
  BOOST_TEST(compare(before, after).differences.front().name == "rate");
}

BOOST_AUTO_TEST_CASE(what_the_histograms_cannot_tell_apart_is_no_difference) {
  auto const once = sample_run({.seed = 1});
  BOOST_TEST((row(compare(once, once), "p50").judged == verdict::within_noise));
  // Half a percent: less than a class of an interval's histogram is wide.
  auto const hardly_slower = sample_run({.slower = 1.005, .seed = 1});
  BOOST_TEST((row(compare(once, hardly_slower), "p50").judged == verdict::within_noise));
}

BOOST_AUTO_TEST_CASE(a_difference_that_one_interval_makes_is_called_that) {
  auto const calm = sample_run({.seed = 1, .stalls = false});
  auto const stalled = sample_run({.seed = 2, .stalls = true});
  BOOST_TEST((row(compare(calm, stalled), "p99").judged == verdict::few_intervals));
  BOOST_TEST(row(compare(calm, stalled), "p99").ratio.value() > 10);
}

BOOST_AUTO_TEST_CASE(short_runs_are_not_judged) {
  auto const compared = compare(sample_run({.seconds = 3}), sample_run({.seconds = 3, .slower = 5}));
  BOOST_TEST((row(compared, "p50").judged == verdict::unknown));
  BOOST_TEST(!row(compared, "p50").noise.has_value());
  BOOST_TEST(row(compared, "p50").ratio.has_value());
}

BOOST_AUTO_TEST_CASE(errors_where_there_were_none_are_worse) {
  auto none = sample_run({});
  for (auto& o : none.operations) o.counted.errors = 0;
  for (auto& i : none.intervals) i.counted.errors = 0;
  BOOST_TEST((row(compare(none, sample_run({})), "errors").judged == verdict::worse));
}

BOOST_AUTO_TEST_CASE(runs_that_differ_in_more_than_their_figures_are_told) {
  auto const before = sample_run({.stalls = false});
  auto after = before;
  after.run.schedule = "900/s constant";
  after.warnings = {{"The tool was the limit.", true}};
  auto const cautions = compare(before, after).cautions;
  BOOST_REQUIRE_EQUAL(cautions.size(), 2);
  BOOST_TEST(cautions[0] == "The runs differ in their schedules: 200/s constant and 900/s constant.");
  BOOST_TEST(cautions[1] == "The second run: The tool was the limit.");
}

BOOST_AUTO_TEST_CASE(the_table_has_both_runs_and_says_what_is_noise) {
  auto const text =
      comparison_table(compare(sample_run({.seed = 1}), sample_run({.seed = 2})), {"a.json", "b.json"}, {});
  BOOST_TEST(text.find("a.json") != text.npos);
  BOOST_TEST(text.find("within the noise") != text.npos);
}

BOOST_AUTO_TEST_CASE(runs_of_nothing_are_compared_to_nothing) {
  auto const compared = compare(results{}, results{});
  for (auto const& d : compared.differences) BOOST_TEST((d.judged == verdict::unknown), d.name);
}

BOOST_AUTO_TEST_CASE(the_noise_of_equal_distributions_includes_one_about_as_often_as_it_says) {
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    auto const range = ratio_noise(drawn(10, 30, 2 * seed), drawn(10, 30, 2 * seed + 1), mean_kind::geometric);
    wrong += range->low > 1 || range->high < 1;
  }
  // Five are expected; of blocks of so few values a bootstrap is known to promise a little too much.
  BOOST_TEST(wrong <= 20);
}

BOOST_AUTO_TEST_CASE(the_noise_of_unequal_distributions_is_around_their_ratio) {
  for (auto const kind : {mean_kind::arithmetic, mean_kind::geometric}) {
    auto const range = ratio_noise(drawn(10, 60, 1), drawn(15, 60, 2), kind);
    BOOST_TEST(range->low > 1.35);
    BOOST_TEST(range->high < 1.65);
  }
}

BOOST_AUTO_TEST_CASE(one_outlier_widens_the_noise_of_factors_but_does_not_drown_it) {
  auto before = drawn(10, 60, 1);
  auto after = drawn(20, 60, 2);
  after[30] = 10'000;
  BOOST_TEST(ratio_noise(before, after, mean_kind::arithmetic)->high > 5);
  BOOST_TEST(ratio_noise(before, after, mean_kind::geometric)->high < 3.5);
}

BOOST_AUTO_TEST_CASE(too_few_values_or_none_above_zero_have_no_noise) {
  std::array<double, 4> const few{1, 2, 3, 4};
  std::array<double, 6> const zeros{};
  std::array<double, 6> const enough{1, 2, 3, 4, 5, 6};
  BOOST_TEST(!ratio_noise(few, enough, mean_kind::arithmetic));
  BOOST_TEST(!ratio_noise(enough, few, mean_kind::arithmetic));
  BOOST_TEST(!ratio_noise(zeros, enough, mean_kind::arithmetic));
  BOOST_TEST(ratio_noise(enough, enough, mean_kind::arithmetic).has_value());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
