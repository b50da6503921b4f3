// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/page/axis.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "report/page/plot.hpp"
#include "report/wording.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_axis)

namespace {

std::vector<std::string> labels_of(axis const& a) {
  std::vector<std::string> labels;
  for (auto const& t : a.ticks()) labels.push_back(t.label);
  return labels;
}
using texts = std::vector<std::string>;

BOOST_AUTO_TEST_CASE(a_linear_axis_ends_at_a_round_number_that_holds_everything) {
  BOOST_TEST((labels_of(axis::from_zero(920, 4, round_number_words)) == texts{"0", "500", "1,000"}));
  BOOST_TEST((labels_of(axis::from_zero(60, 3, round_number_words)) == texts{"0", "20", "40", "60"}));
  BOOST_TEST((labels_of(axis::from_zero(0, 2, round_number_words)) == texts{"0", "0.5", "1"}));
  for (double high = 1e-6; high < 1e12; high *= 1.7) {
    auto const a = axis::from_zero(high, 4, round_number_words);
    BOOST_TEST(a.high() >= high * (1 - 1e-6));
    BOOST_TEST(a.high() <= high * 2.01);
    BOOST_TEST(a.ticks().size() <= 6);
    BOOST_TEST(a.place(high) <= 1);
  }
}

BOOST_AUTO_TEST_CASE(a_logarithmic_axis_has_lines_at_one_two_and_five) {
  auto const a = axis::of_durations(0.9e6, 4e6);
  BOOST_TEST((labels_of(a) == texts{"500 µs", "1 ms", "2 ms", "5 ms"}));
  BOOST_TEST(a.place(0.5e6) == 0);
  BOOST_TEST(a.place(5e6) == 1, boost::test_tools::tolerance(1e-9));
  BOOST_TEST((labels_of(axis::of_durations(100e3, 1e9)) == texts{"100 µs", "1 ms", "10 ms", "100 ms", "1 s"}));
  BOOST_TEST(axis::of_durations(0, 0).ticks().size() >= 2);
}

BOOST_AUTO_TEST_CASE(time_has_lines_that_people_divide_it_by) {
  BOOST_TEST((labels_of(axis::of_time(30, 4)) == texts{"0", "10 s", "20 s", "30 s"}));
  BOOST_TEST((labels_of(axis::of_time(300, 5)) == texts{"0", "1:00", "2:00", "3:00", "4:00", "5:00"}));
  BOOST_TEST((labels_of(axis::of_time(7'200, 4)) == texts{"0", "30:00", "1:00 h", "1:30 h", "2:00 h"}));
  BOOST_TEST((labels_of(axis::of_time(1, 2)) == texts{"0", "500 ms", "1 s"}));
}

BOOST_AUTO_TEST_CASE(each_nine_of_a_percentile_has_the_same_width) {
  auto const a = axis::of_percentiles(0.9999, false);
  BOOST_TEST(a.place(0) == 0);
  BOOST_TEST(a.place(0.9) == 0.25, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(a.place(0.999) == 0.75, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(a.place(0.9999) == 1, boost::test_tools::tolerance(1e-9));
  BOOST_TEST((labels_of(axis::of_percentiles(0.999, true)) == texts{"min", "p50", "p90", "p99", "p99.9"}));
}

BOOST_AUTO_TEST_CASE(names_at_the_ends_of_lines_never_overlap) {
  plot p;
  p.x = p.x_narrow = axis::of_time(10, 4);
  p.y = axis::from_zero(10, 4, round_number_words);
  p.height = 100;
  for (auto const* name : {"a", "b", "c", "d"}) p.lines.push_back({name, "line-p50", {{0, 1}, {10, 0.1}}});
  auto const svg = draw(p, wide_plot);
  std::vector<double> heights;
  for (auto at = svg.find("class=\"name"); at != svg.npos; at = svg.find("class=\"name", at + 1)) {
    auto const y = svg.find(" y=\"", at) + 4;
    heights.push_back(std::stod(svg.substr(y)));
  }
  BOOST_REQUIRE_EQUAL(heights.size(), 4);
  for (std::size_t i = 1; i < heights.size(); ++i) BOOST_TEST(heights[i] - heights[i - 1] >= 12);
  BOOST_TEST(heights.back() <= 100 + 22 + 5);
}

BOOST_AUTO_TEST_CASE(a_gap_in_a_line_is_not_drawn_over) {
  plot p;
  p.x = p.x_narrow = axis::of_time(3, 4);
  p.y = axis::from_zero(10, 4, round_number_words);
  p.lines.push_back({"", "line-p50", {{0, 1}, {1, 2}, {2, no_value}, {2.5, 3}, {3, 4}}});
  auto const svg = draw(p, wide_plot);
  auto const path = svg.substr(svg.find("class=\"line line-p50\""));
  auto const drawn = path.substr(0, path.find("/>"));
  BOOST_TEST(std::count(drawn.begin(), drawn.end(), 'M') == 2);
  BOOST_TEST(svg.find("nan") == svg.npos);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
