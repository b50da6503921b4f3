// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "contract/json.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(json_reader)

using contract::json;

BOOST_AUTO_TEST_CASE(what_is_json_is_read) {
  const json value = json::parse(R"( {"a":[1,-0,true,null,"\ud83d\udc15\n"],"b":{}} )");
  BOOST_TEST(value["a"].size() == 5U);
  BOOST_TEST(value["a"][0].integer() == 1);
  BOOST_TEST(value["a"][2].boolean());
  BOOST_TEST(value["a"][3].is_null());
  BOOST_TEST(value["a"][4].text() == "🐕\n");
  BOOST_TEST(!value.has("c"));
  BOOST_TEST(json::parse(contract::json_text("\"\\\x01é")).text() == "\"\\\x01é");
}

BOOST_AUTO_TEST_CASE(what_is_almost_json_is_refused) {
  for (const char* text : {"",
                           " ",
                           "{",
                           "[1,]",
                           "{\"a\":1,}",
                           "{\"a\":1,\"a\":1}",
                           "{\"a\":1,\"\\u0061\":1}",
                           "01",
                           "1.",
                           "+1",
                           ".5",
                           "nul",
                           "'a'",
                           "\"\t\"",
                           "\"\\x\"",
                           "\"\\ud800\"",
                           "\"\xff\"",
                           "\"\xc0\x80\"",
                           "\"\xed\xa0\x80\"",
                           "\"\xf4\x90\x80\x80\"",
                           "1 2",
                           "{a:1}",
                           "\xef\xbb\xbf{}",
                           "[1 2]"}) {
    BOOST_CHECK_THROW(json::parse(text), contract::json_error);
  }
  for (const char* number : {"1.0", "1e3", "9223372036854775808", "\"1\""}) {
    BOOST_CHECK_THROW(json::parse(number).integer(), contract::json_error);
  }
}

BOOST_AUTO_TEST_SUITE_END()
