// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/coarse_clock.hpp"

#include "clock.hpp"
#include "petstore/limits/limiter.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

BOOST_FIXTURE_TEST_SUITE(limits_coarse_clock, virtual_clock)

BOOST_AUTO_TEST_CASE(it_shows_the_time_of_the_last_update) {
  coarse_clock clock(now);
  instant const begin = now;
  pass(3s);
  BOOST_TEST((clock().boot == begin.boot && clock().wall == begin.wall));
  clock.update(now);
  BOOST_TEST((clock().boot == now.boot && clock().wall == now.wall));
}

BOOST_AUTO_TEST_CASE(it_does_not_step_back_but_follows_the_wall_clock) {
  coarse_clock clock(now);
  clock.update(later(-1s));
  BOOST_TEST((clock().boot == now.boot));
  clock.update({now.boot, now.wall - 1h});
  BOOST_TEST((clock().wall == now.wall - 1h));
}

BOOST_AUTO_TEST_CASE(by_default_it_reads_the_clocks_of_the_machine) {
  instant const before = petstore::limits::now();
  coarse_clock clock;
  BOOST_TEST((clock().boot >= before.boot));
  instant const first = clock();
  clock.update();
  BOOST_TEST((clock().boot >= first.boot));
}

BOOST_AUTO_TEST_CASE(a_period_ends_with_the_first_update_after_its_end) {
  coarse_clock clock(now);
  limiter<int> l({.plan = {per_minute(1)}});
  BOOST_TEST(l.charge(1, clock()).admitted());
  clock.update(pass(59'999ms));
  pass(2ms);
  BOOST_TEST(l.charge(1, clock()).refused());
  clock.update(now);
  BOOST_TEST(l.charge(1, clock()).admitted());
}

BOOST_AUTO_TEST_SUITE_END()
