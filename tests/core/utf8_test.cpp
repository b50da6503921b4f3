// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/utf8.hpp"

#include <boost/test/unit_test.hpp>

#include "utf8_text.hpp"

BOOST_AUTO_TEST_SUITE(utf8)

using namespace petstore;

namespace {
bool is_utf8(std::string_view text) {
  while (!text.empty())
    if (!take_code_point(text)) return false;
  return true;
}
}  // namespace

BOOST_AUTO_TEST_CASE(every_code_point_but_surrogates_is_read_back) {
  char32_t wrong = 0;
  for (char32_t c = 0; c < 0x120000; ++c) {
    auto const text = tests::utf8(c) + "!";
    std::string_view rest = text;
    bool const valid = c <= 0x10FFFF && !(c >= 0xD800 && c <= 0xDFFF);
    auto const read = take_code_point(rest);
    if (valid ? read != c || rest != "!" : read.has_value()) ++wrong;
  }
  BOOST_TEST(std::uint32_t{wrong} == 0u);
}

BOOST_AUTO_TEST_CASE(overlong_and_broken_forms_are_refused) {
  for (std::string_view text : {"\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\xC3", "\xC3(", "\xE2\x82",
                                "\xE2(\x82", "\xF0\x9F\x90", "\xBF", "\xF8\x88\x80\x80\x80", "\xFE", "\xFF"}) {
    BOOST_TEST(!is_utf8(text));
  }
}

BOOST_AUTO_TEST_CASE(text_is_valid_when_each_part_is) {
  BOOST_TEST(is_utf8(""));
  BOOST_TEST(is_utf8("Rex Žofka 子犬 🐕"));
  BOOST_TEST(!is_utf8("Rex Žofka \xE5\xAD 🐕"));
}

BOOST_AUTO_TEST_SUITE_END()
