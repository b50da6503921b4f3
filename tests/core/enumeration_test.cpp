// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/enumeration.hpp"

#include <boost/describe/enum.hpp>
#include <boost/test/unit_test.hpp>

#include "petstore/order.hpp"
#include "petstore/pet.hpp"

namespace petstore {
namespace {

enum class season { dry = 3, wet = 7 };
BOOST_DESCRIBE_ENUM(season, dry, wet)

enum class only { one };
BOOST_DESCRIBE_ENUM(only, one)

}  // namespace

BOOST_AUTO_TEST_SUITE(enumeration)

BOOST_AUTO_TEST_CASE(words_are_the_names_of_the_enumerators) {
  static_assert(word_of(season::dry) == "dry" && word_of(season::wet) == "wet");
  static_assert(parse_word<season>("wet") == season::wet);
  BOOST_TEST(enumerators<season>.size() == 2);
}

BOOST_AUTO_TEST_CASE(another_number_has_no_word_and_another_word_no_number) {
  BOOST_TEST(word_of(season{}) == "");
  for (auto text : {"", "Dry", "dry ", "we", "7"}) BOOST_TEST(!parse_word<season>(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(the_rule_names_every_word_in_order) {
  BOOST_TEST(must_be_one_of<only> == "must be one of one");
  BOOST_TEST(must_be_one_of<season> == "must be one of dry, wet");
  BOOST_TEST(must_be_one_of<pet_status> == "must be one of available, pending, sold");
  BOOST_TEST(must_be_one_of<order_status> == "must be one of placed, approved, delivered, cancelled");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore
