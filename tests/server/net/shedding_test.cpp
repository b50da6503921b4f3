// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/shedding.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdlib>

using namespace std::chrono_literals;
using petstore::server::shedding;

namespace {

constexpr std::size_t few = 100;
constexpr std::size_t many = few + 1;

struct thread_of_clients {
  shedding surplus{500ms, few};

  void wait_twice(shedding::duration wait) {
    surplus.observe(wait, many);
    surplus.observe(wait, many);
  }
  int last_answers_of(int answers) {
    int last = 0;
    for (int i = 0; i < answers; ++i) last += surplus.must_close();
    return last;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(shedding_test, thread_of_clients)

BOOST_AUTO_TEST_CASE(nobody_leaves_while_nobody_waits_for_long) {
  BOOST_TEST(surplus.can_take_more());
  wait_twice(500ms);
  BOOST_TEST(!surplus.is_behind());
  BOOST_TEST(last_answers_of(1'000) == 0);
}

BOOST_AUTO_TEST_CASE(as_large_a_part_leaves_as_makes_the_wait_too_long) {
  wait_twice(2s);
  BOOST_TEST(surplus.is_behind());
  BOOST_TEST(std::abs(last_answers_of(1'000) - 750) <= 1);
  wait_twice(1s);
  BOOST_TEST(std::abs(last_answers_of(1'000) - 500) <= 1);
}

BOOST_AUTO_TEST_CASE(those_who_leave_are_spread_evenly) {
  wait_twice(1s);
  for (int pairs = 0; pairs < 100; ++pairs) BOOST_TEST(last_answers_of(2) == 1);
}

BOOST_AUTO_TEST_CASE(a_single_pause_of_the_machine_makes_nobody_leave) {
  surplus.observe(10s, many);
  BOOST_TEST(!surplus.is_behind());
  BOOST_TEST(surplus.can_take_more());
  surplus.observe(1ms, many);
  BOOST_TEST(!surplus.is_behind());
}

BOOST_AUTO_TEST_CASE(who_waits_without_end_is_noticed_before_having_a_turn) {
  surplus.observe_at_least(600ms, many);
  surplus.observe_at_least(900ms, many);
  BOOST_TEST(surplus.is_behind());
}

BOOST_AUTO_TEST_CASE(a_wait_that_has_only_begun_says_nothing) {
  wait_twice(1s);
  surplus.observe_at_least(10ms, many);
  BOOST_TEST(surplus.is_behind());
  BOOST_TEST((surplus.wait() == 1s));
}

BOOST_AUTO_TEST_CASE(new_connections_find_room_below_half_of_the_longest_wait) {
  wait_twice(251ms);
  BOOST_TEST(!surplus.can_take_more());
  BOOST_TEST(!surplus.is_behind());
  wait_twice(250ms);
  BOOST_TEST(surplus.can_take_more());
}

BOOST_AUTO_TEST_CASE(few_connections_are_never_too_many) {
  surplus.observe(2s, few);
  surplus.observe(2s, few);
  BOOST_TEST(!surplus.is_behind());
  BOOST_TEST(surplus.can_take_more());
  surplus.observe(2s, few + 1);
  BOOST_TEST(surplus.is_behind());
}

BOOST_AUTO_TEST_CASE(the_slightest_excess_has_a_share) {
  wait_twice(500ms + 1ns);
  BOOST_TEST(surplus.is_behind());
}

BOOST_AUTO_TEST_SUITE_END()
