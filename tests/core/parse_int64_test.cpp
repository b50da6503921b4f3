// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <limits>

#include "petstore/json.hpp"

BOOST_AUTO_TEST_SUITE(parse_int64_)

using namespace petstore;

BOOST_AUTO_TEST_CASE(integers_in_their_one_spelling_are_taken) {
  using limits = std::numeric_limits<std::int64_t>;
  BOOST_TEST((parse_int64("0") == 0));
  BOOST_TEST((parse_int64("7") == 7));
  BOOST_TEST((parse_int64("-7") == -7));
  BOOST_TEST((parse_int64("100") == 100));
  BOOST_TEST((parse_int64("9223372036854775807") == limits::max()));
  BOOST_TEST((parse_int64("-9223372036854775808") == limits::min()));
}

BOOST_AUTO_TEST_CASE(anything_else_is_refused) {
  for (auto text : {"", "-", "+1", "-0", "00", "01", "-01", " 1", "1 ", "1.0", "1e3", "0x1", "1_000", "--1", "٣", "1a",
                    "9223372036854775808", "-9223372036854775809", "99999999999999999999"}) {
    BOOST_TEST(!parse_int64(text).has_value(), text);
  }
  BOOST_TEST(!parse_int64(std::string_view{"1\0", 2}).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
