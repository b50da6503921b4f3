// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "client/http_date.hpp"

#include <boost/test/unit_test.hpp>

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_http_date)

namespace {

using namespace std::chrono;
using namespace std::chrono_literals;

constexpr sys_seconds now = sys_days(2026y / November / 22) + 12h;

std::optional<sys_seconds> read(std::string_view text) {
  return parse_http_date(text, now);
}

BOOST_AUTO_TEST_CASE(all_three_forms_are_the_same_moment) {
  constexpr sys_seconds moment = sys_days(1994y / November / 6) + 8h + 49min + 37s;
  BOOST_TEST((read("Sun, 06 Nov 1994 08:49:37 GMT") == moment));
  BOOST_TEST((read("Sunday, 06-Nov-94 08:49:37 GMT") == moment));
  BOOST_TEST((read("Sun Nov  6 08:49:37 1994") == moment));
  BOOST_TEST((read("Sun Nov 16 08:49:37 1994") == moment + days(10)));
}

BOOST_AUTO_TEST_CASE(a_year_of_two_digits_is_at_most_fifty_years_ahead) {
  BOOST_TEST((read("Sunday, 22-Nov-26 12:00:00 GMT") == now));
  BOOST_TEST((read("Sunday, 22-Nov-76 12:00:00 GMT") == sys_days(2076y / November / 22) + 12h));
  BOOST_TEST((read("Monday, 22-Nov-77 12:00:00 GMT") == sys_days(1977y / November / 22) + 12h));
  auto const turn = sys_days(2099y / December / 31) + 23h;
  BOOST_TEST((parse_http_date("Friday, 01-Jan-00 00:00:05 GMT", turn) == sys_days(2100y / January / 1) + 5s));
}

BOOST_AUTO_TEST_CASE(what_is_no_date_is_not_read) {
  for (auto const* odd :
       {"", "17", "Sun", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06-Nov-94 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994", "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:4"})
    BOOST_TEST(!read(odd).has_value(), odd);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
