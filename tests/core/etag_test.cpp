// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/etag.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

BOOST_AUTO_TEST_SUITE(etag)

using namespace petstore;

namespace {

constexpr entity_tag tag{.revision = 12, .checksum = 0x00C0FFEE};
constexpr auto tag_text = R"("12-00c0ffee")";

bool strong(std::string_view field) {
  return etag_condition::parse(field).value().matches_strong(tag);
}
bool weak(std::string_view field) {
  return etag_condition::parse(field).value().matches_weak(tag);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_tag_is_revision_and_checksum_in_quotes) {
  BOOST_TEST(to_string(tag) == tag_text);
  entity_tag const widest{.revision = std::numeric_limits<std::uint64_t>::max(), .checksum = 0xFFFFFFFF};
  std::string out = "ETag: ";
  append(out, widest);
  BOOST_TEST(out == R"(ETag: "18446744073709551615-ffffffff")");
}

BOOST_AUTO_TEST_CASE(no_field_is_no_condition) {
  BOOST_TEST(!etag_condition{}.present());
}

BOOST_AUTO_TEST_CASE(a_star_matches_whatever_exists) {
  for (auto field : {"*", " * ", "\t*"}) {
    BOOST_TEST(etag_condition::parse(field).value().present());
    BOOST_TEST(strong(field));
    BOOST_TEST(weak(field));
  }
}

BOOST_AUTO_TEST_CASE(a_tag_matches_itself_wherever_it_stands_in_the_list) {
  for (auto field : {R"("12-00c0ffee")", R"("a", "12-00c0ffee")", R"("12-00c0ffee","a")",
                     R"(W/"a" ,	"b" , "12-00c0ffee" ,"c")", R"(,, "12-00c0ffee",,)", R"("", "12-00c0ffee")",
                     R"("1-00c0ffee", "12-00c0ffee", "3-00c0ffee")", R"(W/"12-00c0ffee", "12-00c0ffee")"}) {
    BOOST_TEST(strong(field), field);
    BOOST_TEST(weak(field), field);
  }
}

BOOST_AUTO_TEST_CASE(another_tag_does_not_match) {
  for (auto field : {R"("12-00c0ffef")", R"("13-00c0ffee")", R"("12-00C0FFEE")", R"("2-00c0ffee")", R"("a")", R"("")",
                     // The same numbers in other letters are other tags.
                     R"("012-00c0ffee")", R"("12-c0ffee")", R"("12-000c0ffee")", R"("12-00c0ffee-")",
                     R"("12-0x00c0ffee")", R"("12--00c0ffee")", R"("+12-00c0ffee")", R"("12")", R"("12-")",
                     R"("-00c0ffee")", R"("18446744073709551628-00c0ffee")", R"("12-100c0ffee")"}) {
    BOOST_TEST(!strong(field), field);
    BOOST_TEST(!weak(field), field);
  }
}

BOOST_AUTO_TEST_CASE(a_weak_tag_matches_weakly_only) {
  BOOST_TEST(!strong(R"(W/"12-00c0ffee")"));
  BOOST_TEST(weak(R"(W/"12-00c0ffee")"));
}

BOOST_AUTO_TEST_CASE(a_comma_within_quotes_does_not_part_a_tag) {
  BOOST_TEST(strong(R"("a,b", "12-00c0ffee")"));
  BOOST_TEST(!strong(R"("a,12-00c0ffee,b")"));
}

BOOST_AUTO_TEST_CASE(an_empty_list_is_a_condition_that_nothing_meets) {
  for (auto field : {"", " ", ",", " , ,"}) {
    BOOST_TEST(etag_condition::parse(field).value().present());
    BOOST_TEST(!strong(field));
    BOOST_TEST(!weak(field));
  }
}

BOOST_AUTO_TEST_CASE(what_is_neither_star_nor_list_is_refused) {
  for (auto field : {"12-00c0ffee", R"("a)", R"(a")", R"("a" "b")", R"("a"b)", R"(w/"a")", R"(W / "a")", R"(W/a)", "W/",
                     "**", "*, *", R"(*, "a")", R"("a", *)", ", *", R"("a b")", "\"a\x7F\"", "\"a\tb\"", R"('a')"}) {
    auto const condition = etag_condition::parse(field);
    BOOST_REQUIRE_MESSAGE(!condition, field);
    BOOST_TEST((condition.error().code == errc::invalid_request));
  }
}

BOOST_AUTO_TEST_SUITE_END()
