// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/instant.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <type_traits>

namespace {

using namespace petstore::limits;
using namespace std::chrono_literals;

boot_time boot_reading;
wall_time wall_reading;
int wall_readings = 0;

boot_time read_boot() noexcept {
  return boot_reading;
}
wall_time read_wall() noexcept {
  ++wall_readings;
  return wall_reading;
}

struct set_clocks {
  set_clocks() {
    boot_reading = boot_time{500s};
    wall_reading = wall_time{1'000'000s};
    wall_readings = 0;
  }
  frequent_clock clock{read_boot, read_wall};

  bool tells(std::chrono::nanoseconds boot, std::chrono::nanoseconds wall) {
    auto const now = clock();
    return now.boot == boot_time{boot} && now.wall == wall_time{wall};
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(frequent_clock_readings)

BOOST_FIXTURE_TEST_CASE(the_first_reading_is_of_both_clocks, set_clocks) {
  BOOST_TEST(tells(500s, 1'000'000s));
  BOOST_TEST(wall_readings == 1);
}

BOOST_FIXTURE_TEST_CASE(within_a_millisecond_the_wall_clock_moves_without_being_read, set_clocks) {
  (void)clock();
  boot_reading += 999us;
  BOOST_TEST(tells(500s + 999us, 1'000'000s + 999us));
  BOOST_TEST(wall_readings == 1);
}

BOOST_FIXTURE_TEST_CASE(a_wall_clock_that_was_set_is_noticed_after_a_millisecond, set_clocks) {
  (void)clock();
  wall_reading -= 3h;
  boot_reading += 1ms;
  BOOST_TEST(tells(500s + 1ms, 1'000'000s - 3h));
}

BOOST_FIXTURE_TEST_CASE(a_suspended_machine_wakes_up_to_the_right_time, set_clocks) {
  (void)clock();
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

BOOST_AUTO_TEST_SUITE(clocks)

BOOST_AUTO_TEST_CASE(the_boot_clock_is_a_clock_as_those_of_the_standard_library_are) {
  static_assert(std::chrono::is_clock_v<boot_clock>);
  static_assert(boot_clock::is_steady);
  auto const before = boot_clock::now();
  auto const between = now().boot;
  auto const after = boot_clock::now();
  BOOST_TEST((before <= between && between <= after));
}

BOOST_AUTO_TEST_CASE(a_reading_of_the_steady_clock_becomes_one_of_the_boot_clock_where_that_is_said) {
  static_assert(!std::is_convertible_v<std::chrono::steady_clock::time_point, boot_time>);
  BOOST_TEST((boot_time_of(std::chrono::steady_clock::time_point{7s}) == boot_time{7s}));
}

BOOST_AUTO_TEST_CASE(no_duration_is_a_moment_by_itself) {
  static_assert(!std::is_convertible_v<std::chrono::seconds, boot_time>);
  static_assert(!std::is_convertible_v<std::chrono::nanoseconds, wall_time>);
  static_assert(std::is_convertible_v<std::chrono::system_clock::time_point, wall_time>);
  static_assert(std::is_convertible_v<std::chrono::sys_seconds, wall_time>);
}

BOOST_AUTO_TEST_CASE(an_instant_is_made_of_one_clock_and_how_far_the_other_is_ahead) {
  constexpr instant read{.boot = boot_time{500s}, .wall = wall_time{1'000'000s}};
  static_assert(read.wall_minus_boot() == 999'500s);
  constexpr instant later = instant::of(read.boot + 1h, read.wall_minus_boot());
  BOOST_TEST((later.boot == read.boot + 1h && later.wall == read.wall + 1h));
}

BOOST_AUTO_TEST_SUITE_END()
