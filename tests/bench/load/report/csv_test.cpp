// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/csv.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <sstream>
#include <vector>

#include "figures/sample_run.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_csv)

namespace {

std::vector<std::string> lines_of(std::string const& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> fields_of(std::string const& line) {
  std::istringstream in(line.substr(0, line.find('\r')));
  std::vector<std::string> fields;
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  return fields;
}

BOOST_AUTO_TEST_CASE(each_interval_is_a_line_with_a_value_under_each_name) {
  auto const found = sample_run({});
  auto const lines = lines_of(to_csv(found));
  BOOST_REQUIRE_EQUAL(lines.size(), found.intervals.size() + 1);
  auto const names = fields_of(lines.front());
  for (auto const& line : lines) BOOST_TEST(fields_of(line).size() == names.size());
  auto const value = [&](std::size_t interval, std::string const& name) {
    auto const at = std::find(names.begin(), names.end(), name) - names.begin();
    return std::stoll(fields_of(lines.at(interval + 1)).at(static_cast<std::size_t>(at)));
  };
  auto const& third = found.intervals.at(2);
  BOOST_TEST(value(2, "begin_ns") == 2'000'000'000);
  BOOST_TEST(value(2, "due") == static_cast<std::int64_t>(third.due));
  BOOST_TEST(value(2, "answers") == static_cast<std::int64_t>(third.counted.answers));
  BOOST_TEST(value(2, "p99_ns") == third.latency.p99.count());
}

BOOST_AUTO_TEST_CASE(a_run_without_intervals_is_the_line_of_names) {
  auto const lines = lines_of(to_csv({}));
  BOOST_REQUIRE_EQUAL(lines.size(), 1u);
  BOOST_TEST(lines.front().starts_with("begin_ns,width_ns,due,"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
