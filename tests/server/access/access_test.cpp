// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "access/access.hpp"

#include <boost/test/unit_test.hpp>

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(bearer)

namespace {

BOOST_AUTO_TEST_CASE(a_token_follows_the_scheme_after_spaces) {
  BOOST_TEST(parse_bearer("Bearer abc").value() == "abc");
  BOOST_TEST(parse_bearer("bEARER    abc").value() == "abc");
  BOOST_TEST(parse_bearer("Bearer aZ09-._~+/==").value() == "aZ09-._~+/==");
}

BOOST_AUTO_TEST_CASE(without_the_scheme_or_a_token_none_was_given) {
  for (auto const* text : {"", " ", "Bearer", "Bearer ", "Bearerabc", "Basic abc", "abc", "Bearer\tabc"})
    BOOST_TEST(!parse_bearer(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(whatever_follows_the_scheme_was_given) {
  for (std::string_view const text : {"a b", "=", "a=b", "\"a\"", "a,b", "\xC3\xA4"})
    BOOST_TEST(parse_bearer("Bearer " + std::string{text}).value() == text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
