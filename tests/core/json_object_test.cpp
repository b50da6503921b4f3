// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/json_object.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>
#include <string>

BOOST_AUTO_TEST_SUITE(json_object_suite)

BOOST_AUTO_TEST_CASE(a_truth_value_is_no_number) {
  std::string text;
  petstore::json_object object{text};
  object.add("is", true).add("not", false).add("one", 1).close();
  BOOST_TEST(text == R"({"is":true,"not":false,"one":1})");
}

BOOST_AUTO_TEST_CASE(what_is_absent_is_left_out_or_null) {
  std::string text;
  petstore::json_object object{text};
  std::optional<int> const none;
  object.add("one", std::optional{1}).add("two", none).add_or_null("three", std::optional{3}).add_or_null("four", none);
  object.close();
  BOOST_TEST(text == R"({"one":1,"three":3,"four":null})");
}

BOOST_AUTO_TEST_SUITE_END()
