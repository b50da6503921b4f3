// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/repeat_limit.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

using petstore::program::repeat_limit;
using namespace std::chrono_literals;

namespace {

struct limited {
  repeat_limit limit;
  repeat_limit::time now{100s};

  std::uint64_t admitted_of(std::uint64_t lines, std::string_view event) {
    std::uint64_t n = 0;
    for (std::uint64_t i = 0; i < lines; ++i) n += limit.admit(event, now) ? 1u : 0u;
    return n;
  }
  std::uint64_t told_of(std::string_view event) {
    std::uint64_t n = 0;
    for (auto const& l : limit.take_left_out(now)) n += l.event == event ? l.lines : 0;
    return n;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(repeat_limit_suite, limited)

BOOST_AUTO_TEST_CASE(the_first_lines_of_a_second_pass) {
  BOOST_TEST(admitted_of(1000, "a") == repeat_limit::lines_max);
  now += 999ms;
  BOOST_TEST(admitted_of(1000, "a") == 0u);
  now += 1ms;
  BOOST_TEST(admitted_of(1000, "a") == repeat_limit::lines_max);
}

BOOST_AUTO_TEST_CASE(one_event_takes_nothing_from_another) {
  admitted_of(1000, "a");
  BOOST_TEST(admitted_of(3, "b") == 3u);
}

BOOST_AUTO_TEST_CASE(what_was_left_out_is_told_once_when_its_second_is_over) {
  admitted_of(15, "a");
  admitted_of(10, "b");
  BOOST_TEST(told_of("a") == 0u);
  now += 1s;
  BOOST_TEST(told_of("a") == 5u);
  BOOST_TEST(limit.take_left_out(now).empty());
}

BOOST_AUTO_TEST_CASE(a_flood_without_end_is_told_every_second) {
  for (int second = 0; second < 5; ++second) {
    BOOST_TEST(admitted_of(110, "a") == 10u);
    BOOST_TEST(told_of("a") == (second == 0 ? 0u : 100u));
    now += 1s;
  }
  BOOST_TEST(told_of("a") == 100u);
}

BOOST_AUTO_TEST_CASE(at_the_end_of_time_everything_is_told) {
  admitted_of(12, "a");
  now = repeat_limit::time::max();
  BOOST_TEST(told_of("a") == 2u);
}

BOOST_AUTO_TEST_CASE(events_without_number_share_the_last_place) {
  std::uint64_t admitted = 0;
  for (std::size_t i = 0; i < 10 * repeat_limit::events_max; ++i) admitted += admitted_of(1, std::to_string(i));
  BOOST_TEST(admitted == repeat_limit::events_max - 1 + repeat_limit::lines_max);
}

BOOST_AUTO_TEST_SUITE_END()
