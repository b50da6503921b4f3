// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/instant.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace petstore::limits;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

nanoseconds boot_reading;
nanoseconds wall_reading;
int wall_readings = 0;

nanoseconds read_boot() noexcept {
  return boot_reading;
}
nanoseconds read_wall() noexcept {
  ++wall_readings;
  return wall_reading;
}

struct fixture {
  fixture() {
    boot_reading = 500s;
    wall_reading = 1'000'000s;
    wall_readings = 0;
  }
  frequent_clock clock{read_boot, read_wall};

  bool tells(nanoseconds boot, nanoseconds wall) {
    auto const now = clock();
    return now.boot == boot && now.wall == wall;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(frequent_clock_readings)

BOOST_FIXTURE_TEST_CASE(the_first_reading_is_of_both_clocks, fixture) {
  BOOST_TEST(tells(500s, 1'000'000s));
  BOOST_TEST(wall_readings == 1);
}

BOOST_FIXTURE_TEST_CASE(within_a_millisecond_the_wall_clock_moves_without_being_read, fixture) {
  clock();
  boot_reading += 999us;
  BOOST_TEST(tells(500s + 999us, 1'000'000s + 999us));
  BOOST_TEST(wall_readings == 1);
}

BOOST_FIXTURE_TEST_CASE(a_wall_clock_that_was_set_is_noticed_after_a_millisecond, fixture) {
  clock();
  wall_reading -= 3h;
  boot_reading += 1ms;
  BOOST_TEST(tells(500s + 1ms, 1'000'000s - 3h));
}

BOOST_FIXTURE_TEST_CASE(a_suspended_machine_wakes_up_to_the_right_time, fixture) {
  clock();
  boot_reading += 8h;
  wall_reading += 8h;
  BOOST_TEST(tells(500s + 8h, 1'000'000s + 8h));
}

BOOST_AUTO_TEST_CASE(the_real_clocks_agree_with_now) {
  frequent_clock clock;
  auto const before = now();
  auto const between = clock();
  auto const after = now();
  BOOST_TEST((before.boot <= between.boot && between.boot <= after.boot));
  BOOST_TEST((between.wall - before.wall < 1s && after.wall - between.wall < 1s));
}

BOOST_AUTO_TEST_SUITE_END()
