// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/operators_bans.hpp"

#include <boost/test/unit_test.hpp>

#include "clock.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace {

constexpr instant noon = virtual_clock::start;
constexpr std::chrono::seconds year_2099{4'086'828'000};  // 2099-07-04T06:00:00Z

instant later(std::chrono::nanoseconds time) {
  return virtual_clock{}.later(time);
}

struct banned_account {
  account whose;
  operators_bans bans;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(operators_bans_suite, banned_account)

BOOST_AUTO_TEST_CASE(a_clock_that_goes_on_was_not_set) {
  BOOST_TEST(!was_set_between(noon, later(1'000h)));
  BOOST_TEST(!was_set_between(noon, {.boot = noon.boot + 2h, .wall = noon.wall + 2h + 1s}));  // a leap second
  BOOST_TEST(was_set_between(noon, {.boot = noon.boot + 2h, .wall = noon.wall + 2h - 2s}));
}

BOOST_AUTO_TEST_CASE(a_ban_imposed_in_1970_ends_when_it_was_meant_to) {
  instant const unset{.boot = boot_time{3s}, .wall = wall_time{10s}};
  bans.impose(whose, noon.wall + 10min, unset);
  bans.follow_wall_clock(noon);
  BOOST_TEST(whose.banned(later(10min - 1s)));
  BOOST_TEST(!whose.banned(later(10min)));
}

BOOST_AUTO_TEST_CASE(a_ban_that_is_over_by_a_wrong_clock_begins_with_the_right_one) {
  instant const wrong{.boot = boot_time{3s}, .wall = wall_time{year_2099}};
  bans.impose(whose, noon.wall + 10min, wrong);
  BOOST_TEST(!whose.banned(wrong));
  bans.follow_wall_clock(noon);
  BOOST_TEST(whose.banned(noon));
}

BOOST_AUTO_TEST_CASE(a_lifted_ban_stays_lifted_when_the_clock_is_set) {
  bans.impose(whose, noon.wall + 10min, noon);
  bans.lift(whose);
  bans.follow_wall_clock({.boot = noon.boot + 1s, .wall = noon.wall - 1h});
  BOOST_TEST(!whose.banned(noon));
}

BOOST_AUTO_TEST_CASE(of_two_bans_the_longer_one_moves) {
  bans.impose(whose, noon.wall + 2h, noon);
  bans.impose(whose, noon.wall + 1h, noon);
  instant const set{.boot = noon.boot + 1s, .wall = noon.wall - 1h};
  bans.follow_wall_clock(set);
  BOOST_TEST(whose.banned({.boot = set.boot + 3h - 1s, .wall = {}}));
  BOOST_TEST(!whose.banned({.boot = set.boot + 3h, .wall = {}}));
}

BOOST_AUTO_TEST_SUITE_END()
