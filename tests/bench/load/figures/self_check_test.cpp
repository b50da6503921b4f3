// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "figures/self_check.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "figures/sample_run.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_self_check)

namespace {

using namespace std::chrono_literals;

results good_run() {
  return sample_run({.stalls = false});
}

bool says(results const& found, std::string_view part) {
  auto const warnings = check_self(found);
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](warning const& w) { return w.text.find(part) != w.text.npos; });
}

bool blames_tool(results found) {
  found.warnings = check_self(found);
  return tool_was_limit(found);
}

BOOST_AUTO_TEST_CASE(a_run_that_kept_time_is_warned_of_nothing) {
  BOOST_TEST(check_self(good_run()).empty());
}

BOOST_AUTO_TEST_CASE(a_thread_that_used_its_core_up_was_the_limit) {
  auto found = good_run();
  found.tool.threads[1].processor_time = found.tool.threads[1].wall_time * 89 / 100;
  BOOST_TEST(!blames_tool(found));
  found.tool.threads[1].processor_time = found.tool.threads[1].wall_time * 90 / 100;
  BOOST_TEST(blames_tool(found));
  BOOST_TEST(says(found, "1 of its 2 threads"));
}

BOOST_AUTO_TEST_CASE(lag_counts_when_it_is_long_and_a_part_of_the_waits) {
  auto found = good_run();
  for (int i = 0; i < 1'000; ++i) found.lag.record(3ms);
  BOOST_TEST(blames_tool(found));

  // The same lag says nothing where requests wait for seconds.
  auto slow = sample_run({.slower = 2'000, .stalls = false});
  for (int i = 0; i < 1'000; ++i) slow.lag.record(3ms);
  BOOST_TEST(!says(slow, "late"));
}

BOOST_AUTO_TEST_CASE(a_short_lag_as_long_as_the_waits_is_told_but_was_no_limit) {
  auto found = sample_run({.slower = 0.2, .stalls = false});
  for (int i = 0; i < 10'000; ++i) found.lag.record(1'500us);
  // A few requests are given up after a second, fewer than one in a hundred.
  BOOST_TEST(says(found, "late or more by the tool"));
  BOOST_TEST(!blames_tool(found));
}

BOOST_AUTO_TEST_CASE(a_hiccup_is_seen_in_the_quantile_that_is_asked_for) {
  auto found = good_run();
  BOOST_TEST(!tool_had_a_hiccup(found, 0.999));
  for (int i = 0; i < 20; ++i) found.lag.record(90ms);  // of 4,000
  BOOST_TEST(!tool_had_a_hiccup(found, 0.99));
  BOOST_TEST(tool_had_a_hiccup(found, 0.999));
}

BOOST_AUTO_TEST_CASE(a_thread_that_used_its_core_up_for_a_second_had_a_hiccup) {
  auto found = good_run();
  found.tool.threads[0].busiest = 0.97;
  BOOST_TEST(!blames_tool(found));
  BOOST_TEST(tool_had_a_hiccup(found, 0.99));
}

BOOST_AUTO_TEST_CASE(without_descriptors_the_tool_was_the_limit) {
  auto found = good_run();
  found.tool.out_of_descriptors = true;
  BOOST_TEST(blames_tool(found));
}

/// As if half as many again had been due and were not answered.
results run_with_more_due() {
  auto found = good_run();
  for (auto& interval : found.intervals) interval.due = interval.due * 3 / 2;
  return found;
}

BOOST_AUTO_TEST_CASE(a_rate_that_was_not_reached_is_told_and_is_not_the_fault_of_the_tool) {
  auto const found = run_with_more_due();
  BOOST_TEST(says(found, "The rate was not reached: 199"));
  BOOST_TEST(says(found, "of 300.0/s that were due"));
  BOOST_TEST(!blames_tool(found));
}

BOOST_AUTO_TEST_CASE(answers_are_measured_by_what_was_due_and_not_by_the_planned_mean) {
  auto found = good_run();
  // Each operation has steps, which are requests of their own; or stages of a higher rate were never played.
  for (double const planned : {50.0, 1'000.0}) {
    found.run.rate_wanted = planned;
    BOOST_TEST(check_self(found).empty());
  }
  auto short_of = run_with_more_due();
  short_of.run.rate_wanted = 100;
  BOOST_TEST(says(short_of, "The rate was not reached"));
}

BOOST_AUTO_TEST_CASE(what_clients_withheld_as_they_were_told_is_not_missing_from_the_rate) {
  auto found = run_with_more_due();
  found.withheld = 100 * 20;
  BOOST_TEST(!says(found, "The rate was not reached"));
}

BOOST_AUTO_TEST_CASE(requests_that_were_never_sent_are_told) {
  auto found = good_run();
  found.errors[error_kind::unsent].count = 1'234;
  BOOST_TEST(says(found, "1,234 requests were due and never sent"));
}

BOOST_AUTO_TEST_CASE(a_run_without_an_answer_is_told) {
  BOOST_TEST(says(results{}, "Nothing was answered"));
}

BOOST_AUTO_TEST_CASE(what_took_longer_than_can_be_told_apart_is_told) {
  auto found = good_run();
  found.operations[0].latency.record(histogram::range);
  BOOST_TEST(says(found, "1 requests took longer than 18 min"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
