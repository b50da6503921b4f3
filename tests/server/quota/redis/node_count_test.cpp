// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "node_count.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(quota_redis_node_count)

using petstore::quota::node_count;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(who_has_heard_of_nobody_expects_whom_it_was_told_to) {
  BOOST_TEST(node_count{1}.sharers() == 1u);
  BOOST_TEST(node_count{0}.sharers() == 1u);
  node_count count{3};
  BOOST_TEST(count.sharers() == 3u);
  count.heard(2, 0s);
  BOOST_TEST(count.sharers() == 3u);
  count.heard(5, 1s);
  BOOST_TEST(count.sharers() == 5u);
}

BOOST_AUTO_TEST_CASE(nodes_that_leave_are_counted_until_that_is_certain) {
  node_count count{1};
  count.heard(5, 0s);
  for (auto t = 1s; t < 4s; ++t) {
    count.heard(3, t);
    BOOST_TEST(count.sharers() == 5u);
  }
  count.heard(2, 4s);
  BOOST_TEST(count.sharers() == 3u);  // the most that was told meanwhile
  count.heard(2, 5s);
  count.heard(2, 8s);
  BOOST_TEST(count.sharers() == 2u);
}

BOOST_AUTO_TEST_CASE(a_server_that_comes_and_goes_makes_nobody_the_only_node) {
  node_count count{1};
  count.heard(5, 0s);
  for (auto t = 10s; t < 100s; t += 10s) {
    count.heard(1, t);  // the others have not told it yet that they live
    count.missed();
    BOOST_TEST(count.sharers() == 5u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
