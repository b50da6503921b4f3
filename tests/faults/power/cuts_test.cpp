// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cuts.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>

namespace petstore::faults {

BOOST_AUTO_TEST_SUITE(cuts)

namespace {

std::vector<cut> ways(std::vector<doubt> const& doubts) {
  std::mt19937_64 random(1);
  return ways_to_cut(doubts, random);
}

bool has(std::vector<cut> const& ways, std::vector<bool> const& chosen) {
  return std::ranges::find(ways, chosen, &cut::chosen) != ways.end();
}

constexpr auto sector = doubt::kind::sector;
constexpr auto size = doubt::kind::size;
constexpr auto name = doubt::kind::name;

}  // namespace

BOOST_AUTO_TEST_CASE(without_doubt_there_is_one_way) {
  BOOST_TEST(ways({}).size() == 1u);
}

BOOST_AUTO_TEST_CASE(no_two_ways_choose_the_same) {
  auto const all = ways({{sector, 1}, {sector, 1}, {sector, 2}});
  std::set<std::vector<bool>> choices;
  for (auto const& way : all) choices.insert(way.chosen);
  BOOST_TEST(choices.size() == all.size());
}

BOOST_AUTO_TEST_CASE(extremes_are_among_the_ways) {
  auto const all = ways({{name, 1}, {size, 2}, {sector, 2}, {sector, 3}});
  BOOST_TEST(has(all, {false, false, false, false}));
  BOOST_TEST(has(all, {true, true, true, true}));
  BOOST_TEST(has(all, {false, false, false, true}));
  BOOST_TEST(has(all, {true, true, true, false}));
  BOOST_TEST(has(all, {true, true, false, false}));
  BOOST_TEST(has(all, {false, true, true, true}));
  BOOST_TEST(has(all, {true, false, false, false}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::faults
