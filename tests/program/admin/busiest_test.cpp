// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/busiest.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(busiest_suite)

using namespace petstore;
using namespace petstore::program;
using namespace std::chrono_literals;
using server::key_count;

BOOST_AUTO_TEST_CASE(the_first_reading_is_what_the_next_is_compared_with) {
  busiest b;
  b.observe({{{1, 1'000, 0}}}, 1s);
  BOOST_TEST(b.top(8).empty());
  b.observe({{{1, 1'010, 0}}}, 1s);
  auto const top = b.top(8);
  BOOST_REQUIRE(top.size() == 1u);
  BOOST_TEST(top[0].key == 1u);
  BOOST_TEST(top[0].per_second == 10.0, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_key_of_several_threads_is_one_key) {
  busiest b;
  b.observe({{{1, 0, 0}}, {{1, 0, 0}}}, 1s);
  b.observe({{{1, 3, 0}}, {{1, 4, 0}}}, 1s);
  BOOST_TEST(b.top(8).at(0).per_second == 7.0, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(what_was_inherited_with_a_place_is_nobodys) {
  busiest b;
  b.observe({{{1, 500, 0}}}, 1s);
  b.observe({{{2, 502, 500}}}, 1s);
  auto const top = b.top(8);
  BOOST_REQUIRE(top.size() == 1u);
  BOOST_TEST(top[0].key == 2u);
  BOOST_TEST(top[0].per_second == 2.0, boost::test_tools::tolerance(1e-9));
  // The key lost its place in between and got another one.
  b.observe({{{2, 603, 600}}}, 1s);
  BOOST_TEST(b.top(8).at(0).per_second < 5.0);
}

BOOST_AUTO_TEST_CASE(the_busiest_come_first_and_no_more_than_asked_for) {
  busiest b;
  b.observe({{}}, 1s);
  b.observe({{{1, 5, 0}, {2, 50, 0}, {3, 20, 0}}}, 1s);
  auto const top = b.top(2);
  BOOST_REQUIRE(top.size() == 2u);
  BOOST_TEST(top[0].key == 2u);
  BOOST_TEST(top[1].key == 3u);
}

BOOST_AUTO_TEST_CASE(who_asks_no_more_is_forgotten) {
  busiest b;
  b.observe({{{1, 0, 0}}}, 1s);
  b.observe({{{1, 100, 0}}}, 1s);
  for (int i = 0; i < 900; ++i) b.observe({{{1, 100, 0}}}, 1s);
  BOOST_TEST(b.top(8).empty());
}

BOOST_AUTO_TEST_SUITE_END()
