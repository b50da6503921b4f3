// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/json.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "utf8_text.hpp"

BOOST_AUTO_TEST_SUITE(name)

using namespace petstore;
using tests::utf8;

namespace {
std::string repeat(std::string_view text, int times) {
  std::string out;
  while (times-- != 0) out += text;
  return out;
}
}  // namespace

BOOST_AUTO_TEST_CASE(ordinary_names_pass) {
  for (auto name : {"Rex", "x", " Rex ", "Mr. O'Malley", "Žofka", "子犬", "🐕", "\"\\/", "a\xC2\xA0z"})
    BOOST_TEST(find_name_fault(name) == "", name);
}

BOOST_AUTO_TEST_CASE(length_is_counted_in_code_points) {
  BOOST_TEST(find_name_fault(repeat("a", 255)) == "");
  BOOST_TEST(find_name_fault(repeat("🐕", 255)) == "");
  BOOST_TEST(find_name_fault(repeat("a", 256)) == "name must be at most 255 characters long");
  BOOST_TEST(find_name_fault(repeat("🐕", 256)) == "name must be at most 255 characters long");
}

BOOST_AUTO_TEST_CASE(an_empty_name_is_refused) {
  BOOST_TEST(find_name_fault("") == "name must not be empty");
}

BOOST_AUTO_TEST_CASE(white_space_alone_is_refused_but_welcome_beside_something_visible) {
  for (char32_t c : {0x20u, 0xA0u, 0x1680u, 0x2000u, 0x2001u, 0x2002u, 0x2003u, 0x2004u, 0x2005u, 0x2006u, 0x2007u,
                     0x2008u, 0x2009u, 0x200Au, 0x2028u, 0x2029u, 0x202Fu, 0x205Fu, 0x3000u}) {
    BOOST_TEST(find_name_fault(utf8(c)) == "name must not be white space alone", std::uint32_t{c});
    BOOST_TEST(find_name_fault(utf8(c) + "x") == "", std::uint32_t{c});
  }
}

BOOST_AUTO_TEST_CASE(what_only_looks_like_white_space_is_not) {
  for (char32_t c : {0x180Eu, 0x200Bu, 0x200Du, 0x2060u, 0xFEFFu, 0x2800u})
    BOOST_TEST(find_name_fault(utf8(c)) == "", std::uint32_t{c});
}

BOOST_AUTO_TEST_CASE(exactly_the_65_controls_are_refused) {
  int refused = 0;
  for (char32_t c = 0; c < 0x300; ++c) {
    bool const fault = find_name_fault("x" + utf8(c)) == "name must not contain control characters";
    BOOST_TEST(fault == (c < 0x20 || (c >= 0x7F && c <= 0x9F)), std::uint32_t{c});
    refused += fault;
  }
  BOOST_TEST(refused == 65);
}

BOOST_AUTO_TEST_CASE(both_faults_of_a_name_are_told) {
  BOOST_TEST(find_name_fault(repeat("\t", 256)) ==
             "name must be at most 255 characters long and without control characters");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_are_refused) {
  for (auto name : {"Rex\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80"})
    BOOST_TEST(find_name_fault(name) == "name must be valid UTF-8");
}

BOOST_AUTO_TEST_SUITE_END()
