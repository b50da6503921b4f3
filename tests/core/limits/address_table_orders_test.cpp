// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// The address table under every order of what its clients do. Each operation holds the mutex of its part, or is one of
// the account's own, so that orders of whole operations are all there are.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "clock.hpp"
#include "petstore/limits/address_table.hpp"

BOOST_AUTO_TEST_SUITE(limits_address_table_orders)

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace {

constexpr plan one_a_minute{per_minute(1)};
constexpr ban_policy no_bans{.strikes = 0};

/// Two addresses that want the one entry of a table, each with a shared account to fall back on.
struct two_clients {
  virtual_clock clock;
  address_table table{1, 7};
  struct client {
    address who;
    std::vector<boot_time> admitted_at{};
    std::vector<verdict> verdicts{};
  };
  client clients[2]{{numbered(1)}, {numbered(2)}};

  static address numbered(unsigned char n) {
    address a;
    a.bytes[7] = n;
    return a;
  }

  void charge(client& c) {
    verdict const v = table.charge(c.who, one_a_minute, no_bans, clock.now);
    c.verdicts.push_back(v);
    if (v.admitted()) c.admitted_at.push_back(clock.now.boot);
  }
  void refund_first(client& c) {
    if (c.verdicts.empty() || !c.verdicts.front().admitted()) return;
    table.refund(c.who, c.verdicts.front(), one_a_minute, clock.now);
  }

  /// `steps`: c, d charge; r, s give back the first token; t is 30 s.
  void run(std::string const& steps) {
    for (char const step : steps) {
      clock.pass(2ms);  // more than the table's pause after it found no room
      switch (step) {
        case 'c': charge(clients[0]); break;
        case 'd': charge(clients[1]); break;
        case 'r': refund_first(clients[0]); break;
        case 's': refund_first(clients[1]); break;
        default: clock.pass(30s);
      }
    }
  }
  /// The most that was admitted of one address in less than a minute.
  std::size_t most_in_a_minute() const {
    std::size_t most = 0;
    for (client const& c : clients)
      for (auto const begin : c.admitted_at)
        most = std::max(
            most, static_cast<std::size_t>(std::count_if(c.admitted_at.begin(), c.admitted_at.end(), [begin](auto at) {
              return at >= begin && at < begin + 60s;
            })));
    return most;
  }
};

std::uint64_t orders_in_which(std::string steps, bool (*wrong)(two_clients const&), std::uint64_t& orders) {
  std::uint64_t found = 0;
  std::sort(steps.begin(), steps.end());
  do {
    two_clients world;
    world.run(steps);
    ++orders;
    if (wrong(world)) ++found;
  } while (std::next_permutation(steps.begin(), steps.end()));
  return found;
}

}  // namespace

/// An entry and a shared account: two tokens. Were an entry that is in use given away, its address could come back to a
/// full bucket.
BOOST_AUTO_TEST_CASE(no_order_of_charges_gives_an_address_more_than_its_entry_and_its_share) {
  std::uint64_t orders = 0;
  auto const wrong = orders_in_which(
      "cccctdddd", [](two_clients const& world) { return world.most_in_a_minute() > 2; }, orders);
  BOOST_TEST(wrong == 0u);
  BOOST_TEST(orders == 630u);
}

BOOST_AUTO_TEST_CASE(no_order_of_charges_and_refunds_gives_more_than_one_token_for_each_refund) {
  std::uint64_t orders = 0;
  auto const wrong = orders_in_which(
      "cccrtttddds", [](two_clients const& world) { return world.most_in_a_minute() > 3; }, orders);
  BOOST_TEST(wrong == 0u);
  BOOST_TEST(orders == 184'800u);
}

/// That there are orders in which it matters: the share is used up, and then the entry becomes free.
BOOST_AUTO_TEST_CASE(in_some_order_an_address_has_both_its_share_and_its_entry) {
  std::uint64_t orders = 0;
  auto const both = orders_in_which(
      "cccttd", [](two_clients const& world) { return world.most_in_a_minute() == 2; }, orders);
  BOOST_TEST(both > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
