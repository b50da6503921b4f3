// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/usage_counter.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <vector>

#include "support/failing_allocations.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(usage_counters_without_memory)

namespace {

using limits::decision;
using std::chrono::days;

constexpr limits::wall_time midnight = std::chrono::sys_days{days{20'783}};
constexpr limits::wall_time before = midnight - std::chrono::milliseconds{1};

}  // namespace

BOOST_AUTO_TEST_CASE(a_day_that_cannot_begin_for_lack_of_memory_loses_one_request_and_no_entry_of_the_day_before) {
  usage_counter c;
  c.count(1, decision::admitted, before);
  auto const failed_before = tests::failed_allocations();
  tests::fail_allocation(1);
  c.count(2, decision::admitted, midnight);
  tests::fail_allocation(0);
  BOOST_TEST_REQUIRE(tests::failed_allocations() == failed_before + 1);
  c.count(2, decision::admitted, midnight);

  std::vector<ports::usage_of_key> taken;
  c.take(taken);
  BOOST_TEST(taken.size() == 2u);
  c.count(1, decision::admitted, before);  // it ends after midnight
  taken.clear();
  c.take(taken);
  BOOST_TEST_REQUIRE(taken.size() == 1u);
  BOOST_TEST(taken[0].key == 1u);
  BOOST_TEST(taken[0].admitted == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
