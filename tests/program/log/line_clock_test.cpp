// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/line_clock.hpp"

#include <boost/test/unit_test.hpp>

#include "program/log/noon.hpp"

using namespace petstore::program;
using namespace std::chrono_literals;

namespace {

line_clock::reading machine;
int readings = 0;

line_clock::reading read_machine() noexcept {
  ++readings;
  return machine;
}

struct fixture {
  fixture() {
    machine = {line_clock::steady_time{5s}, noon};
    readings = 0;
  }
  log_time at(std::chrono::nanoseconds steady) { return clock.at(line_clock::steady_time{steady}); }

  line_clock clock{read_machine};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(line_clock_suite, fixture)

BOOST_AUTO_TEST_CASE(a_moment_is_told_to_the_millisecond_of_the_wall_clock) {
  machine.wall += 300us;
  BOOST_TEST((at(5s) == noon));
  BOOST_TEST((at(5s + 699us) == noon));
  BOOST_TEST((at(5s + 700us) == noon + 1ms));
}

BOOST_AUTO_TEST_CASE(a_moment_before_the_reading_is_told_too) {
  BOOST_TEST((at(5s - 2ms) == noon - 2ms));
}

BOOST_AUTO_TEST_CASE(the_clocks_are_read_once_a_millisecond) {
  for (auto passed = 0ns; passed < 1ms; passed += 100us) at(5s + passed);
  BOOST_TEST(readings == 1);
  at(5s + 1ms);
  BOOST_TEST(readings == 2);
}

BOOST_AUTO_TEST_CASE(a_wall_clock_that_was_set_is_followed_a_millisecond_later) {
  at(5s);
  machine = {line_clock::steady_time{5s + 1ms}, noon - 1h};
  BOOST_TEST((at(5s + 999us) == noon));
  BOOST_TEST((at(5s + 1ms) == noon - 1h));
}

BOOST_AUTO_TEST_CASE(without_other_clocks_it_tells_the_time_of_the_machine) {
  line_clock real;
  auto const before = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  auto const told = real.at(std::chrono::steady_clock::now());
  BOOST_TEST((told >= before - 1ms));
  BOOST_TEST((told <= std::chrono::system_clock::now() + 1ms));
}

BOOST_AUTO_TEST_SUITE_END()
