// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/tls/ticket_keys.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(tls_ticket_keys)

using namespace std::chrono_literals;
using petstore::server::tls::ticket_keys;

namespace {

ticket_keys::time const begin{1'000h};

}  // namespace

BOOST_AUTO_TEST_CASE(one_key_makes_all_tickets_of_an_hour) {
  ticket_keys keys;
  auto const first = keys.current(begin);
  BOOST_REQUIRE(first);
  BOOST_TEST((keys.current(begin + 59min)->name == first->name));
  BOOST_TEST((keys.current(begin + 61min)->name != first->name));
}

BOOST_AUTO_TEST_CASE(a_key_is_believed_for_an_hour_more_and_not_longer) {
  ticket_keys keys;
  auto const first = keys.current(begin);
  BOOST_TEST(keys.find(first->name, begin + 59min)->is_current);
  BOOST_TEST(!keys.find(first->name, begin + 119min)->is_current);
  BOOST_TEST(!keys.find(first->name, begin + 121min));
}

BOOST_AUTO_TEST_CASE(a_key_is_gone_in_time_also_when_nobody_asks_for_one) {
  ticket_keys keys;
  auto const first = keys.current(begin);
  BOOST_TEST(!keys.find(first->name, begin + 48h));
  auto const second = keys.current(begin + 49h);
  BOOST_TEST(!keys.find(first->name, begin + 49h));
  BOOST_TEST(keys.find(second->name, begin + 49h)->is_current);
}

BOOST_AUTO_TEST_CASE(a_key_of_somebody_else_is_unknown) {
  ticket_keys keys, others;
  BOOST_REQUIRE(keys.current(begin));
  BOOST_TEST(!keys.find(others.current(begin)->name, begin));
}

BOOST_AUTO_TEST_SUITE_END()
