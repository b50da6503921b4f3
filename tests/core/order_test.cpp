// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/order.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <utility>

using namespace petstore;

namespace {
constexpr order_status every_status[] = {order_status::placed, order_status::approved, order_status::delivered,
                                         order_status::cancelled};
}

BOOST_AUTO_TEST_SUITE(order_)

BOOST_AUTO_TEST_CASE(status_is_parsed_from_its_exact_name_only) {
  for (auto s : every_status) BOOST_TEST((parse_order_status(to_string(s)) == s));
  for (auto text : {"", "Placed", "canceled", "available", "placed\n"})
    BOOST_TEST(!parse_order_status(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(the_state_machine_has_these_four_steps_and_no_other) {
  using enum order_status;
  std::set<std::pair<order_status, order_status>> const steps{
      {placed, approved}, {approved, delivered}, {placed, cancelled}, {approved, cancelled}};
  for (auto from : every_status)
    for (auto to : every_status)
      BOOST_TEST(may_follow(from, to) == steps.contains({from, to}), to_string(from) << " to " << to_string(to));
}

BOOST_AUTO_TEST_CASE(open_means_placed_or_approved) {
  for (auto s : every_status) BOOST_TEST(is_open(s) == (s == order_status::placed || s == order_status::approved));
}

BOOST_AUTO_TEST_CASE(delivery_sells_and_cancellation_frees_the_animal) {
  BOOST_TEST((pet_status_after(order_status::delivered) == pet_status::sold));
  BOOST_TEST((pet_status_after(order_status::cancelled) == pet_status::available));
  BOOST_TEST(!pet_status_after(order_status::placed).has_value());
  BOOST_TEST(!pet_status_after(order_status::approved).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
