// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/list_query.hpp"

#include <boost/test/unit_test.hpp>

#include "petstore/enumeration.hpp"

namespace petstore {

BOOST_AUTO_TEST_SUITE(list_query_)

BOOST_AUTO_TEST_CASE(no_kind_has_more_filters_than_there_is_space_for) {
  for (auto const& kind : enumerators<record_kind>) BOOST_TEST(filters_of(kind.value).size() <= filters_max, kind.word);
}

BOOST_AUTO_TEST_CASE(filters_are_named_like_the_members_of_records) {
  auto const of_pets = filters_of(record_kind::pet);
  BOOST_REQUIRE(of_pets.size() == 2);
  BOOST_TEST(of_pets[0].name == "status");
  BOOST_TEST(of_pets[1].name == "categoryId");
  auto const of_orders = filters_of(record_kind::order);
  BOOST_REQUIRE(of_orders.size() == 2);
  BOOST_TEST(of_orders[0].name == "status");
  BOOST_TEST(of_orders[1].name == "petId");
  BOOST_TEST(filters_of(record_kind::category).empty());
}

BOOST_AUTO_TEST_CASE(a_filter_reads_its_values_and_says_what_they_must_be) {
  auto const of_orders = filters_of(record_kind::order);
  BOOST_TEST((of_orders[0].parse("cancelled") == 4));
  BOOST_TEST(!of_orders[0].parse("sold").has_value());
  BOOST_TEST(of_orders[0].rule == "must be one of placed, approved, delivered, cancelled");
  BOOST_TEST((of_orders[1].parse("-7") == -7));
  BOOST_TEST(!of_orders[1].parse("07").has_value());
  BOOST_TEST(of_orders[1].rule == "must be an integer within int64");
}

BOOST_AUTO_TEST_CASE(a_record_is_seen_by_the_values_that_a_query_asks_for) {
  pet const rex{.id = 1, .name = "Rex", .category_id = 3, .status = pet_status::sold};
  BOOST_TEST((filter_values_of(rex) == pet_filters(pet_status::sold, 3)));
  pet const stray{.id = 2, .name = "Max", .category_id = 3, .status = std::nullopt};
  BOOST_TEST((filter_values_of(stray) == pet_filters({}, 3)));
  order const adoption{.id = 1, .pet_id = 9, .status = order_status::approved};
  BOOST_TEST((filter_values_of(adoption) == order_filters(order_status::approved, 9)));
  BOOST_TEST((filter_values_of(category{.id = 1, .name = "dogs"}) == filter_values{}));
}

BOOST_AUTO_TEST_CASE(bits_say_which_filters_have_a_value) {
  BOOST_TEST(bits_of({}) == 0u);
  BOOST_TEST(bits_of(pet_filters(pet_status::sold, {})) == 1u);
  BOOST_TEST(bits_of(pet_filters({}, 0)) == 2u);
  BOOST_TEST(bits_of(pet_filters(pet_status::sold, 0)) == 3u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore
