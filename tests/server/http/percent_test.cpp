// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/percent.hpp"

#include <array>
#include <boost/test/unit_test.hpp>

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(percent)

namespace {

BOOST_AUTO_TEST_CASE(escapes_are_decoded_once) {
  BOOST_TEST(percent_equal("%70ets", "pets"));
  BOOST_TEST(percent_equal("p%65%74s", "pets"));
  BOOST_TEST(!percent_equal("%2570ets", "pets"));
  BOOST_TEST(percent_equal("%2570ets", "%70ets"));
  BOOST_TEST(percent_equal("a%2Fb", "a/b"));
  BOOST_TEST(percent_equal("a%2fb", "a/b"));
}

BOOST_AUTO_TEST_CASE(a_prefix_is_not_equal) {
  BOOST_TEST(!percent_equal("%70et", "pets"));
  BOOST_TEST(!percent_equal("%70etss", "pets"));
  BOOST_TEST(percent_equal("", ""));
}

BOOST_AUTO_TEST_CASE(a_broken_escape_equals_nothing) {
  for (auto const* broken : {"%", "%7", "%zz", "%7z", "pets%", "pet%7"}) {
    BOOST_TEST(!percent_equal(broken, "pets"), broken);
    std::array<char, 16> buffer;
    BOOST_TEST(!percent_decode(broken, buffer).has_value(), broken);
  }
}

BOOST_AUTO_TEST_CASE(a_plus_stands_for_itself) {
  std::array<char, 8> buffer;
  BOOST_TEST(percent_decode("a+b", buffer).value() == "a+b");
  BOOST_TEST(percent_decode("a+%62", buffer).value() == "a+b");
}

BOOST_AUTO_TEST_CASE(text_without_escapes_is_not_copied) {
  std::array<char, 1> buffer;
  std::string_view const text = "longer than the buffer";
  BOOST_TEST(static_cast<void const*>(percent_decode(text, buffer).value().data()) ==
             static_cast<void const*>(text.data()));
}

BOOST_AUTO_TEST_CASE(decoded_text_never_outgrows_its_buffer) {
  std::array<char, 3> buffer;
  BOOST_TEST(percent_decode("%61%62%63", buffer).value() == "abc");
  BOOST_TEST(!percent_decode("%61%62%63%64", buffer).has_value());
}

BOOST_AUTO_TEST_CASE(segments_are_decoded_without_becoming_more) {
  std::array<char, 8> buffer;
  auto const decode = [&](std::string_view path) { return std::string{decode_segments(path, buffer).value()}; };
  BOOST_TEST(decode("/a/%62") == "/a/b");
  BOOST_TEST(decode("/a%2Fb%2f") == std::string("/a\0b\0", 5));
  BOOST_TEST(decode("/%%41%2") == "/%A%2");
  BOOST_TEST(decode("/%2541") == "/%41");
  BOOST_TEST(decode("/a/path/without/escapes") == "/a/path/without/escapes");
  BOOST_TEST(decode("%61234567") == "a234567");
  BOOST_TEST(!decode_segments("%6123456789", buffer).has_value());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
