// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/handshake_budget.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

#include "access/client_address.hpp"

namespace petstore::server {

static std::ostream& boost_test_print_type(std::ostream& out, handshake_budget::admission v) {
  return out << static_cast<int>(v);
}

BOOST_AUTO_TEST_SUITE(handshake_budget_)

namespace {

using namespace std::chrono_literals;
using admission = handshake_budget::admission;

constexpr limits::instant start{limits::boot_time{1h}, limits::wall_time{20'000h}};

/// Of one handshake that is over at once.
admission begin(handshake_budget& budget, std::string_view from, limits::instant now = start) {
  std::optional<handshake_budget::slot> held;
  return budget.begin(parse_address(from).value(), now, held);
}

/// How many of so many may begin.
int granted(handshake_budget& budget, std::string_view from, limits::instant now, int tried) {
  int n = 0;
  for (int i = 0; i < tried; ++i)
    if (begin(budget, from, now) == admission::granted) ++n;
  return n;
}

BOOST_AUTO_TEST_CASE(a_rate_outside_its_range_is_an_error_and_changes_nothing) {
  handshake_shares const wrong{.per_minute_of_address = limits::short_tokens_max + 1};
  BOOST_CHECK_THROW(handshake_budget{wrong}, std::invalid_argument);
  handshake_budget budget{{.per_minute_of_address = 2}};
  BOOST_CHECK_THROW(budget.set(wrong), std::invalid_argument);
  BOOST_TEST(granted(budget, "192.0.2.1", start, 10) == 2);
}

BOOST_AUTO_TEST_CASE(an_address_spends_its_minute_at_once_and_gets_it_back_bit_by_bit) {
  handshake_budget budget{{.per_minute_of_address = 120}};
  BOOST_TEST(granted(budget, "192.0.2.1", start, 200) == 120);
  BOOST_TEST(begin(budget, "192.0.2.1") == admission::too_many);
  BOOST_TEST(begin(budget, "192.0.2.2") == admission::granted);
  BOOST_TEST(granted(budget, "192.0.2.1", start + 1s, 200) == 2);
  BOOST_TEST(granted(budget, "192.0.2.1", start + 31s, 200) == 60);
  BOOST_TEST(granted(budget, "192.0.2.1", start + 1h, 200) == 120);
}

BOOST_AUTO_TEST_CASE(an_ipv6_network_is_one_address) {
  handshake_budget budget{{.per_minute_of_address = 1}};
  BOOST_TEST(begin(budget, "2001:db8::1") == admission::granted);
  BOOST_TEST(begin(budget, "2001:db8::2") == admission::too_many);
  BOOST_TEST(begin(budget, "2001:db8:0:1::1") == admission::granted);
}

BOOST_AUTO_TEST_CASE(one_that_is_over_leaves_its_place_to_the_next) {
  handshake_budget budget{{.under_way_of_address = 2}};
  auto const from = parse_address("192.0.2.1").value();
  std::optional<handshake_budget::slot> first, second, third;
  BOOST_TEST(budget.begin(from, start, first) == admission::granted);
  BOOST_TEST(budget.begin(from, start, second) == admission::granted);
  BOOST_TEST(budget.begin(from, start, third) == admission::too_many_under_way);
  BOOST_TEST(!third);
  BOOST_TEST(begin(budget, "192.0.2.2") == admission::granted);
  first.reset();
  BOOST_TEST(budget.begin(from, start, third) == admission::granted);
  BOOST_TEST(budget.under_way() == 2u);
}

BOOST_AUTO_TEST_CASE(what_is_not_granted_takes_nothing) {
  handshake_budget budget{{.per_minute_of_address = 2, .under_way_of_address = 1}};
  auto const from = parse_address("192.0.2.1").value();
  std::optional<handshake_budget::slot> held;
  BOOST_TEST(budget.begin(from, start, held) == admission::granted);
  for (int i = 0; i < 5; ++i) BOOST_TEST(begin(budget, "192.0.2.1") == admission::too_many_under_way);
  held.reset();
  BOOST_TEST(begin(budget, "192.0.2.1") == admission::granted);
  BOOST_TEST(begin(budget, "192.0.2.1") == admission::too_many);
  BOOST_TEST(budget.under_way() == 0u);
}

BOOST_AUTO_TEST_CASE(who_is_exempt_may_begin_any_number_and_so_may_all_without_a_limit) {
  handshake_budget budget{
      {.per_minute_of_address = 1, .under_way_of_address = 1, .exempt = {*address_range::parse("127.0.0.0/8")}}};
  std::vector<std::optional<handshake_budget::slot>> held(10);
  for (auto& one : held) BOOST_TEST(budget.begin(parse_address("127.0.0.1").value(), start, one) == admission::granted);
  BOOST_TEST(granted(budget, "192.0.2.1", start, 10) == 1);
  handshake_budget without{{.per_minute_of_address = 0}};
  BOOST_TEST(granted(without, "192.0.2.1", start, 5'000) == 5'000);
}

BOOST_AUTO_TEST_CASE(other_shares_hold_from_then_on_and_what_is_spent_stays_so) {
  handshake_budget budget{{.per_minute_of_address = 10}};
  auto const from = parse_address("192.0.2.1").value();
  std::optional<handshake_budget::slot> held, another;
  BOOST_TEST(budget.begin(from, start, held) == admission::granted);
  BOOST_TEST(granted(budget, "192.0.2.1", start, 20) == 9);
  budget.set({.per_minute_of_address = 60, .under_way_of_address = 1});
  BOOST_TEST(budget.begin(from, start + 10s, another) == admission::too_many_under_way);
  held.reset();
  BOOST_TEST(begin(budget, "192.0.2.1", start) == admission::too_many);
  budget.set({.exempt = {*address_range::parse("192.0.2.0/24")}});
  BOOST_TEST(granted(budget, "192.0.2.1", start, 5'000) == 5'000);
  BOOST_TEST(budget.under_way() == 0u);
}

BOOST_AUTO_TEST_CASE(more_addresses_than_are_remembered_get_no_more_than_they_would) {
  handshake_budget budget{{.per_minute_of_address = 1, .addresses_max = 4}};
  for (int i = 0; i < 500; ++i) begin(budget, "10.0." + std::to_string(i / 250) + "." + std::to_string(i % 250));
  BOOST_TEST(granted(budget, "10.0.0.0", start, 10) == 0);
}

BOOST_AUTO_TEST_CASE(threads_together_get_what_there_is_and_no_more) {
  handshake_budget budget{{.per_minute_of_address = 1'000}};
  std::atomic<int> all{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back([&] { all += granted(budget, "192.0.2.1", start, 500); });
  for (auto& t : threads) t.join();
  BOOST_TEST(all == 1'000);
  BOOST_TEST(budget.under_way() == 0u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
