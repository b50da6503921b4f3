// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "search/capacity.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>
#include <random>

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_capacity)

namespace {

/// How a rate goes; the search knows no more of a server than this.
using server = std::function<capacity_try(double rate)>;

capacity_figures searched(capacity_options options, server const& how) {
  capacity_search search(options);
  while (auto const rate = search.next()) search.tried(how(*rate));
  auto found = search.found();
  found.objective = "p99<5ms";
  return found;
}

capacity_try outcome(bool held, bool tool_was_limit = false) {
  capacity_try how;
  how.held = held;
  how.tool_was_limit = tool_was_limit;
  return how;
}

server up_to(double knee) {
  return [knee](double rate) { return outcome(rate <= knee); };
}

BOOST_AUTO_TEST_CASE(a_sharp_knee_is_found_within_the_precision_wherever_it_is) {
  for (double knee = 1.5; knee < 900'000; knee *= 2.3) {
    auto const found = searched({}, up_to(knee));
    BOOST_TEST_CONTEXT(knee) {
      BOOST_REQUIRE_EQUAL(found.knees.size(), 3);
      for (auto const k : found.knees) {
        BOOST_TEST(k <= knee);
        BOOST_TEST(k >= knee / 1.05);
      }
      BOOST_TEST(!found.tool_was_limit);
      BOOST_TEST(!found.end_of_range);
      BOOST_TEST(found.tries.size() < 50);
    }
  }
}

BOOST_AUTO_TEST_CASE(later_rounds_begin_near_the_knee_and_are_shorter) {
  auto const found = searched({}, up_to(100'000));
  std::size_t first = 0;
  std::size_t last = 0;
  for (auto const& t : found.tries) {
    first += t.round == 1;
    last += t.round == 3;
    if (t.round > 1) BOOST_TEST(t.rate > 50'000);
  }
  BOOST_TEST(last < first);
}

BOOST_AUTO_TEST_CASE(a_blurred_knee_has_a_spread_around_it) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> knee(1'000, 80);
  auto const found = searched({.rounds = 9}, [&](double rate) { return outcome(rate <= knee(random)); });
  BOOST_TEST(found.median > 850);
  BOOST_TEST(found.median < 1'150);
  BOOST_TEST(found.least < found.most);
  BOOST_TEST(found.least <= found.median);
  BOOST_TEST(found.median <= found.most);
}

BOOST_AUTO_TEST_CASE(where_the_tool_is_the_limit_the_capacity_is_at_least_that) {
  auto const found = searched({}, [](double rate) { return outcome(rate <= 5'000, rate > 4'000); });
  BOOST_TEST(found.tool_was_limit);
  BOOST_TEST(found.median <= 5'000);
  BOOST_TEST(found.median >= 5'000 / 1.05);
  BOOST_TEST(capacity_text(found, {}).find("holds up to at least") != std::string::npos);
  BOOST_TEST(capacity_text(found, {}).find("WARNING  The tool was the limit") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_hiccup_of_the_tool_is_not_the_knee) {
  // Every fourth try meets a hiccup, whatever its rate.
  unsigned tries = 0;
  auto const found = searched({}, [&](double rate) {
    bool const hiccup = ++tries % 4 == 0;
    return outcome(rate <= 5'000 && !hiccup, hiccup);
  });
  BOOST_TEST(!found.tool_was_limit);
  for (auto const knee : found.knees) {
    BOOST_TEST(knee <= 5'000);
    BOOST_TEST(knee >= 5'000 / 1.05);
  }
}

BOOST_AUTO_TEST_CASE(a_try_that_the_tool_broke_is_made_again_and_the_last_one_counts) {
  capacity_search search({});
  auto const rate = search.next();
  for (unsigned i = 0; i < tool_repeats_max; ++i) {
    search.tried(outcome(false, true));
    BOOST_TEST((search.next() == rate));
  }
  search.tried(outcome(false, true));
  BOOST_TEST((search.next() < rate));
  BOOST_TEST(search.found().tries.size() == tool_repeats_max + 1);
}

BOOST_AUTO_TEST_CASE(what_holds_although_the_tool_was_late_holds) {
  auto const found = searched({}, [](double rate) { return outcome(rate <= 5'000, rate < 4'000); });
  BOOST_TEST(!found.tool_was_limit);
  BOOST_TEST(found.median >= 5'000 / 1.05);
}

BOOST_AUTO_TEST_CASE(a_tool_that_is_the_limit_far_above_the_knee_does_not_matter) {
  auto const found = searched({}, [](double rate) { return outcome(rate<1'000, rate> 1'500); });
  BOOST_TEST(!found.tool_was_limit);
  BOOST_TEST(found.median == 975, boost::test_tools::tolerance(0.03));
}

BOOST_AUTO_TEST_CASE(a_server_that_holds_everything_is_tried_up_to_the_limit) {
  auto const found = searched({.most = 3'000}, up_to(1e12));
  BOOST_TEST(found.end_of_range);
  BOOST_TEST(found.median == 3'000);
  for (auto const& t : found.tries) BOOST_TEST(t.rate <= 3'000);
}

BOOST_AUTO_TEST_CASE(a_server_that_holds_nothing_has_no_capacity) {
  auto const found = searched({}, up_to(0));
  BOOST_TEST(found.median == 0);
  BOOST_TEST(found.tries.back().rate == capacity_rate_min);
  BOOST_TEST(capacity_text(found, {}).find("does not hold at any rate") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(outcomes_that_contradict_each_other_end_all_the_same) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i) {
    auto const found = searched({.precision = 1e-6}, [&](double) { return outcome(random() % 2 == 0); });
    BOOST_TEST(found.knees.size() == 3);
    BOOST_TEST(found.tries.size() <= 3 * capacity_tries_max);
  }
}

BOOST_AUTO_TEST_CASE(a_search_that_is_stopped_says_what_it_knows) {
  capacity_search search({});
  search.tried(outcome(true));
  BOOST_TEST(search.found().tries.size() == 1);
  BOOST_TEST(search.found().median == 0);
  BOOST_TEST(capacity_text(search.found(), {}).find("ended before its first round") != std::string::npos);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
