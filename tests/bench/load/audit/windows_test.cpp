// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "audit/windows.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "scenario/chance.hpp"

BOOST_AUTO_TEST_SUITE(audit_windows_test)

namespace {

using namespace petstore::load;

/// Every pair of a beginning and an end.
double plain(std::vector<admission> const& all, double burst, double rate) {
  double worst = -burst;
  for (auto const& from : all)
    for (auto const& to : all) {
      if (to.received < from.sent) continue;
      auto const inside = std::ranges::count_if(
          all, [&](admission const& a) { return a.sent >= from.sent && a.received <= to.received; });
      worst =
          std::max(worst, static_cast<double>(inside) - burst - rate * static_cast<double>(to.received - from.sent));
    }
  return worst;
}

BOOST_AUTO_TEST_CASE(nothing_is_within_nothing) {
  BOOST_TEST(find_busiest({}, 5, 1).excess <= 0);
}

BOOST_AUTO_TEST_CASE(burst_is_allowed_and_one_more_is_not) {
  std::vector<admission> all(10, {100, 100});
  BOOST_TEST(find_busiest(all, 10, 1e-9).excess == 0);
  all.push_back({100, 100});
  auto const worst = find_busiest(all, 10, 1e-9);
  BOOST_TEST(worst.excess == 1);
  BOOST_TEST(worst.admitted == 11);
  BOOST_TEST(worst.begin == 100);
  BOOST_TEST(worst.end == 100);
}

BOOST_AUTO_TEST_CASE(every_stretch_is_looked_at) {
  chance random(1);
  for (int run = 0; run < 300; ++run) {
    std::vector<admission> all;
    auto const count = random.between(1, 40);
    for (std::int64_t i = 0; i < count; ++i) {
      auto const sent = random.between(0, 1'000);
      all.push_back({sent, sent + random.between(0, run % 3 == 0 ? 300 : 10)});
    }
    auto const rate = random.fraction() * 0.1;
    BOOST_TEST(std::abs(find_busiest(all, 3, rate).excess - plain(all, 3, rate)) < 1e-9);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
