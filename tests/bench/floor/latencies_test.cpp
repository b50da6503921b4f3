// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "latencies.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>

namespace petstore::bench {
namespace {

using std::chrono::nanoseconds;

BOOST_AUTO_TEST_SUITE(bench_latencies)

BOOST_AUTO_TEST_CASE(a_quantile_is_never_too_low_and_at_most_one_class_too_high) {
  for (std::int64_t n = 0; n < std::int64_t{1} << 40; n = n * 9 / 8 + 1) {
    latencies one;
    one.add(nanoseconds(n));
    auto const told = one.quantile(0.5).count();
    BOOST_TEST_CONTEXT(n) {
      BOOST_TEST(told >= n);
      BOOST_TEST(told <= n + n / 32);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_quantile_counts_the_durations_below_it) {
  latencies some;
  for (int n = 1; n <= 20; ++n) some.add(nanoseconds(n));
  BOOST_TEST(some.quantile(0.5).count() == 10);
  BOOST_TEST(some.quantile(0.99).count() == 20);
}

BOOST_AUTO_TEST_CASE(the_longest_duration_there_is_has_a_class) {
  latencies one;
  one.add(nanoseconds::max());
  BOOST_TEST(one.quantile(1).count() == nanoseconds::max().count());
}

BOOST_AUTO_TEST_CASE(without_durations_there_is_nothing_to_tell) {
  BOOST_TEST(latencies().quantile(0.99).count() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petstore::bench
