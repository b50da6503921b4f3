// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/daily_usage.hpp"

#include <boost/test/unit_test.hpp>

namespace petstore::program {

BOOST_AUTO_TEST_SUITE(daily_usage)

namespace {

using std::chrono::days;
using std::chrono::sys_days;
using namespace std::chrono_literals;

constexpr sys_days today = 2026y / 11 / 25;

}  // namespace

BOOST_AUTO_TEST_CASE(dates_have_one_form) {
  BOOST_TEST((parse_date("2026-11-25") == today));
  BOOST_TEST((parse_date("2024-02-29") == sys_days{2024y / 2 / 29}));
  BOOST_TEST(to_text(today) == "2026-11-25");
  for (auto const* none : {"", "2026-11-5", "2026-02-29", "2026-13-01", "2026/11/25", "25-11-2026", "2026-11-25 "})
    BOOST_TEST(!parse_date(none).has_value(), none);
}

BOOST_AUTO_TEST_CASE(usual_period_has_30_days) {
  auto const usual = make_period({}, {}, today).value();
  BOOST_TEST((usual.last == today && usual.first == today - days{29}));
  auto const to_may = make_period({}, sys_days{2026y / 5 / 30}, today).value();
  BOOST_TEST((to_may.first == sys_days{2026y / 5 / 1}));
  auto const from_may = make_period(sys_days{2026y / 5 / 30}, {}, today).value();
  BOOST_TEST((from_may.last == today));
}

BOOST_AUTO_TEST_CASE(period_has_1_to_400_days) {
  BOOST_TEST(make_period(today, today, today).has_value());
  BOOST_TEST(make_period(today - days{399}, today, today).has_value());
  BOOST_TEST(make_period(today - days{400}, today, today).error().message == "from and to must span at most 400 days");
  BOOST_TEST(make_period(today, today - days{1}, today).error().message ==
             "from (2026-11-25) must not be after to (2026-11-24)");
}

BOOST_AUTO_TEST_CASE(every_day_has_a_row) {
  auto const rows = fill_days({{today - days{1}, 5, 1}, {today, 0, 2}}, {today - days{2}, today});
  BOOST_TEST(usage_as_json(rows) ==
             R"([{"date":"2026-11-23","admitted":0,"refused":0},{"date":"2026-11-24","admitted":5,"refused":1},)"
             R"({"date":"2026-11-25","admitted":0,"refused":2}])");
  BOOST_TEST(usage_as_csv(rows) == "date,admitted,refused\r\n2026-11-23,0,0\r\n2026-11-24,5,1\r\n2026-11-25,0,2\r\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::program
