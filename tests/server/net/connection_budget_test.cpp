// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/connection_budget.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <thread>
#include <vector>

#include "access/client_address.hpp"

namespace {

using petstore::server::address_range;
using petstore::server::connection_budget;
using petstore::server::parse_address;
using admission = connection_budget::admission;

connection_budget::address from(std::string_view text) {
  return parse_address(text).value();
}

bool take(connection_budget& budget, std::string_view address) {
  return budget.take(from(address)) == admission::granted;
}

}  // namespace

namespace petstore::server {
static std::ostream& boost_test_print_type(std::ostream& out, connection_budget::admission v) {
  return out << static_cast<int>(v);
}
}  // namespace petstore::server

BOOST_AUTO_TEST_SUITE(connection_budget_)

BOOST_AUTO_TEST_CASE(what_is_given_back_can_be_taken_again) {
  connection_budget budget{2};
  BOOST_TEST(take(budget, "192.0.2.1"));
  BOOST_TEST(take(budget, "192.0.2.1"));
  BOOST_TEST(budget.take(from("192.0.2.2")) == admission::full);
  budget.give_back(from("192.0.2.1"));
  BOOST_TEST(take(budget, "192.0.2.2"));
  BOOST_TEST(budget.in_use() == 2u);
}

BOOST_AUTO_TEST_CASE(an_address_has_its_share_and_no_more) {
  connection_budget budget{10, 2};
  BOOST_TEST(take(budget, "192.0.2.1"));
  BOOST_TEST(take(budget, "192.0.2.1"));
  BOOST_TEST(budget.take(from("192.0.2.1")) == admission::address_full);
  BOOST_TEST(take(budget, "192.0.2.2"));
  BOOST_TEST(budget.in_use() == 3u);
  budget.give_back(from("192.0.2.1"));
  BOOST_TEST(take(budget, "192.0.2.1"));
  BOOST_TEST(budget.take(from("192.0.2.1")) == admission::address_full);
}

BOOST_AUTO_TEST_CASE(numbers_that_become_smaller_take_nothing_back_and_grant_nothing_before_there_is_room) {
  connection_budget budget{3, 2};
  BOOST_TEST(take(budget, "192.0.2.1"));
  BOOST_TEST(take(budget, "192.0.2.1"));
  BOOST_TEST(take(budget, "192.0.2.2"));
  budget.set({2, 1, {}});
  BOOST_TEST(budget.in_use() == 3u);
  BOOST_TEST(budget.take(from("192.0.2.1")) == admission::address_full);
  BOOST_TEST(budget.take(from("192.0.2.3")) == admission::full);
  budget.give_back(from("192.0.2.1"));
  BOOST_TEST(budget.take(from("192.0.2.1")) == admission::address_full);
  budget.give_back(from("192.0.2.1"));
  BOOST_TEST(take(budget, "192.0.2.1"));
}

BOOST_AUTO_TEST_CASE(who_is_exempt_may_change_while_connections_are_there_and_none_is_counted_for_ever) {
  auto const all_of_it = *address_range::parse("192.0.2.1");
  connection_budget budget{10, 1, {all_of_it}};
  for (int i = 0; i < 3; ++i) BOOST_TEST(take(budget, "192.0.2.1"));
  budget.set({10, 1, {}});
  BOOST_TEST(take(budget, "192.0.2.1"));
  BOOST_TEST(budget.take(from("192.0.2.1")) == admission::address_full);
  for (int i = 0; i < 4; ++i) budget.give_back(from("192.0.2.1"));
  BOOST_TEST(budget.in_use() == 0u);

  BOOST_TEST(take(budget, "192.0.2.1"));
  budget.set({10, 1, {all_of_it}});
  for (int i = 0; i < 3; ++i) BOOST_TEST(take(budget, "192.0.2.1"));
  for (int i = 0; i < 4; ++i) budget.give_back(from("192.0.2.1"));
  budget.set({10, 1, {}});
  BOOST_TEST(take(budget, "192.0.2.1"));
  BOOST_TEST(budget.take(from("192.0.2.1")) == admission::address_full);
}

BOOST_AUTO_TEST_CASE(numbers_that_become_larger_grant_at_once_also_where_an_address_had_everything) {
  connection_budget budget{1, 5};
  BOOST_TEST(take(budget, "192.0.2.1"));
  BOOST_TEST(budget.take(from("192.0.2.1")) == admission::full);
  budget.set({5, 2, {}});
  BOOST_TEST(take(budget, "192.0.2.1"));
  BOOST_TEST(budget.take(from("192.0.2.1")) == admission::address_full);
  BOOST_TEST(take(budget, "192.0.2.2"));
}

BOOST_AUTO_TEST_CASE(what_a_proxy_took_counts_for_the_client_that_it_names) {
  connection_budget budget{10, 1, {*address_range::parse("10.0.0.0/8")}};
  BOOST_TEST(take(budget, "10.0.0.1"));
  BOOST_TEST(take(budget, "10.0.0.1"));
  BOOST_TEST(budget.pass_on(from("10.0.0.1"), from("192.0.2.1")) == admission::granted);
  BOOST_TEST(budget.pass_on(from("10.0.0.1"), from("192.0.2.1")) == admission::address_full);
  BOOST_TEST(budget.pass_on(from("10.0.0.1"), from("192.0.2.2")) == admission::granted);
  BOOST_TEST(budget.in_use() == 2u);
  budget.give_back(from("192.0.2.1"));
  BOOST_TEST(take(budget, "192.0.2.1"));
  BOOST_TEST(budget.pass_on(from("192.0.2.1"), from("192.0.2.3")) == admission::granted);
  BOOST_TEST(take(budget, "192.0.2.1"));
}

BOOST_AUTO_TEST_CASE(the_addresses_of_one_network_of_ipv6_share) {
  connection_budget budget{10, 1};
  BOOST_TEST(take(budget, "2001:db8:0:1::1"));
  BOOST_TEST(budget.take(from("2001:db8:0:1:ffff::2")) == admission::address_full);
  BOOST_TEST(take(budget, "2001:db8:0:2::1"));
  budget.give_back(from("2001:db8:0:1::1"));
  BOOST_TEST(take(budget, "2001:db8:0:1:ffff::2"));
}

BOOST_AUTO_TEST_CASE(every_address_of_ipv4_counts_for_itself) {
  connection_budget budget{10, 1};
  BOOST_TEST(take(budget, "192.0.2.1"));
  BOOST_TEST(take(budget, "192.0.2.2"));
  BOOST_TEST(take(budget, "::1"));
}

BOOST_AUTO_TEST_CASE(exempt_addresses_share_the_whole) {
  connection_budget budget{3, 1, {*address_range::parse("10.0.0.0/8")}};
  for (int i = 0; i < 3; ++i) BOOST_TEST(take(budget, "10.1.2.3"));
  BOOST_TEST(budget.take(from("10.1.2.3")) == admission::full);
  for (int i = 0; i < 3; ++i) budget.give_back(from("10.1.2.3"));
  BOOST_TEST(take(budget, "11.0.0.1"));
  BOOST_TEST(budget.take(from("11.0.0.1")) == admission::address_full);
}

BOOST_AUTO_TEST_CASE(an_address_that_has_its_share_is_told_so_though_everything_is_full) {
  connection_budget budget{2, 1};
  BOOST_TEST(take(budget, "192.0.2.1"));
  BOOST_TEST(take(budget, "192.0.2.2"));
  BOOST_TEST(budget.take(from("192.0.2.1")) == admission::address_full);
  BOOST_TEST(budget.take(from("192.0.2.3")) == admission::full);
}

BOOST_AUTO_TEST_CASE(what_is_refused_counts_nowhere) {
  connection_budget budget{1, 1};
  BOOST_TEST(take(budget, "192.0.2.1"));
  for (int i = 0; i < 3; ++i) BOOST_TEST(budget.take(from("192.0.2.2")) == admission::full);
  budget.give_back(from("192.0.2.1"));
  BOOST_TEST(budget.in_use() == 0u);
  BOOST_TEST(take(budget, "192.0.2.2"));
}

BOOST_AUTO_TEST_CASE(neither_limit_is_exceeded_by_any_number_of_threads) {
  connection_budget budget{50, 20};
  std::atomic<int> got{0};
  std::vector<std::thread> threads;
  for (auto const* address : {"192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.3"}) {
    threads.emplace_back([&, address] {
      for (int i = 0; i < 100; ++i) got += take(budget, address) ? 1 : 0;
    });
  }
  for (auto& t : threads) t.join();
  BOOST_TEST(got == 50);
  BOOST_TEST(budget.in_use() == 50u);
}

BOOST_AUTO_TEST_CASE(nothing_is_held_once_every_thread_has_given_back) {
  connection_budget budget{3, 2};
  std::vector<std::thread> threads;
  for (auto const* address : {"192.0.2.1", "192.0.2.1", "192.0.2.1", "2001:db8::1"}) {
    threads.emplace_back([&, address] {
      for (int i = 0; i < 2'000; ++i) {
        if (take(budget, address)) budget.give_back(from(address));
      }
    });
  }
  for (auto& t : threads) t.join();
  BOOST_TEST(budget.in_use() == 0u);
  for (int i = 0; i < 2; ++i) BOOST_TEST(take(budget, "192.0.2.1"));
  BOOST_TEST(budget.take(from("192.0.2.1")) == admission::address_full);
}

BOOST_AUTO_TEST_SUITE_END()
