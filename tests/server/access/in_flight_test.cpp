// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/in_flight.hpp"

#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(requests_in_flight)

namespace {

BOOST_AUTO_TEST_CASE(an_identity_has_as_many_as_it_may_and_others_have_theirs) {
  in_flight flights;
  constexpr std::uint64_t one = 1, other = 2;
  auto const first = flights.enter(one, 2);
  auto second = flights.enter(one, 2);
  BOOST_TEST(bool{first});
  BOOST_TEST(bool{second});
  BOOST_TEST(!flights.enter(one, 2));
  BOOST_TEST(bool{flights.enter(one, 3)});  // gone at once
  BOOST_TEST(bool{flights.enter(other, 1)});
  second = {};
  BOOST_TEST(bool{flights.enter(one, 2)});
}

BOOST_AUTO_TEST_CASE(a_slot_that_is_moved_is_left_once) {
  in_flight flights;
  constexpr std::uint64_t one = 1;
  {
    auto slot = flights.enter(one, 1);
    in_flight::slot moved{std::move(slot)};
    in_flight::slot again;
    again = std::move(moved);
    BOOST_TEST(!flights.enter(one, 1));
  }
  BOOST_TEST(bool{flights.enter(one, 1)});
}

BOOST_AUTO_TEST_CASE(many_identities_at_a_time_are_counted_apart) {
  in_flight flights;
  std::vector<std::uint64_t> identities(1'000);
  std::iota(identities.begin(), identities.end(), 1);
  std::vector<in_flight::slot> slots;
  for (auto const& identity : identities) slots.push_back(flights.enter(identity, 1));
  BOOST_TEST(std::ranges::all_of(slots, [](auto const& slot) { return static_cast<bool>(slot); }));
  for (auto const& identity : identities) BOOST_TEST(!flights.enter(identity, 1));
  slots.erase(slots.begin(), slots.begin() + 500);
  for (std::size_t i = 0; i < identities.size(); ++i) BOOST_TEST(bool{flights.enter(identities[i], 1)} == (i < 500));
}

BOOST_AUTO_TEST_CASE(threads_never_have_more_than_the_limit_together) {
  constexpr std::uint32_t most = 3;
  in_flight flights;
  constexpr std::uint64_t one = 1;
  std::atomic<std::uint32_t> now{0}, highest{0}, entered{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int n = 0; n < 2'000; ++n) {
          auto const slot = flights.enter(one, most);
          if (!slot) continue;
          auto const is = now.fetch_add(1) + 1;
          for (auto seen = highest.load(); seen < is && !highest.compare_exchange_weak(seen, is);) {
          }
          ++entered;
          now.fetch_sub(1);
        }
      });
  }
  BOOST_TEST(highest.load() <= most);
  BOOST_TEST(entered.load() > 0u);
  std::vector<in_flight::slot> slots;
  for (std::uint32_t i = 0; i < most; ++i) slots.push_back(flights.enter(one, most));
  BOOST_TEST(std::ranges::all_of(slots, [](auto const& slot) { return static_cast<bool>(slot); }));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
