// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Bodies that a parser takes and a service must not, or the other way about; one case each.
#include <boost/test/unit_test.hpp>
#include <boost/version.hpp>
#include <limits>
#include <string>

#include "json_fault.hpp"
#include "petstore/json.hpp"

BOOST_AUTO_TEST_SUITE(json_traps)

using namespace petstore;
using tests::fault_of;

namespace {

std::string with_category(std::string_view number) {
  return std::string{R"({"name":"Rex","categoryId":)"}.append(number).append("}");
}
std::string fault_of_category(std::string_view number) {
  return fault_of(decode_json<new_pet>(with_category(number)));
}
std::int64_t category_of(std::string_view number) {
  return decode_json<new_pet>(with_category(number)).value().category_id;
}

constexpr std::string_view not_int64 = "categoryId must be an integer within int64";

std::string fault_of_name(std::string_view literal) {
  return fault_of(decode_json<new_category>(std::string{R"({"name":)"}.append(literal).append("}")));
}

constexpr std::string_view not_utf8 = "the body is not JSON in UTF-8";

std::string nested(std::size_t levels, char open, char close) {
  return R"({"name":"Dogs","x":)" + std::string(levels, open) + std::string(levels, close) + "}";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_member_given_twice_is_refused) {
  BOOST_TEST(fault_of(decode_json<new_category>(R"({"name":"a","name":"b"})")) == "name is given twice");
}
BOOST_AUTO_TEST_CASE(a_member_given_twice_with_the_same_value_is_refused) {
  BOOST_TEST(fault_of(decode_json<new_category>(R"({"name":"a","name":"a"})")) == "name is given twice");
}
BOOST_AUTO_TEST_CASE(a_member_given_twice_in_different_spelling_is_refused) {
  BOOST_TEST(fault_of(decode_json<new_category>(R"({"name":"a","\u006Eame":"b"})")) == "name is given twice");
}
BOOST_AUTO_TEST_CASE(a_member_given_thrice_is_named_once) {
  BOOST_TEST(fault_of(decode_json<new_category>(R"({"name":1,"name":"a","name":"b"})")) == "name is given twice");
}
BOOST_AUTO_TEST_CASE(an_unknown_member_given_twice_is_refused) {
  BOOST_TEST(fault_of(decode_json<new_category>(R"({"a":1,"name":"Dogs","\u0061":2})")) == R"("a" is given twice)");
}
BOOST_AUTO_TEST_CASE(an_empty_member_name_given_twice_is_refused) {
  BOOST_TEST(fault_of(decode_json<new_category>(R"({"":1,"name":"Dogs","":2})")) == R"("" is given twice)");
}
BOOST_AUTO_TEST_CASE(a_member_given_twice_below_the_top_level_is_ignored) {
  BOOST_TEST(fault_of(decode_json<new_category>(R"({"name":"Dogs","x":{"a":1,"a":2,"name":3},"y":[{"b":1,"b":1}]})")) ==
             "");
}

BOOST_AUTO_TEST_CASE(one_point_zero_is_no_integer) {
  BOOST_TEST(fault_of_category("1.0") == not_int64);
}
BOOST_AUTO_TEST_CASE(an_exponent_is_no_integer) {
  BOOST_TEST(fault_of_category("1e3") == not_int64);
}
BOOST_AUTO_TEST_CASE(an_exponent_of_zero_is_no_integer) {
  BOOST_TEST(fault_of_category("1E0") == not_int64);
}
BOOST_AUTO_TEST_CASE(a_double_that_would_be_rounded_is_no_integer) {
  BOOST_TEST(fault_of_category("9007199254740993.0") == not_int64);
}
BOOST_AUTO_TEST_CASE(an_integer_beyond_the_precision_of_doubles_is_exact) {
  BOOST_TEST(category_of("9007199254740993") == 9007199254740993);
}
BOOST_AUTO_TEST_CASE(the_largest_int64_is_taken) {
  BOOST_TEST(category_of("9223372036854775807") == 9223372036854775807);
}
BOOST_AUTO_TEST_CASE(the_smallest_int64_is_taken) {
  BOOST_TEST(category_of("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
}
BOOST_AUTO_TEST_CASE(two_to_the_63_is_refused) {
  BOOST_TEST(fault_of_category("9223372036854775808") == not_int64);
}
BOOST_AUTO_TEST_CASE(below_minus_two_to_the_63_is_refused) {
  BOOST_TEST(fault_of_category("-9223372036854775809") == not_int64);
}
BOOST_AUTO_TEST_CASE(two_to_the_64_is_refused) {
  BOOST_TEST(fault_of_category("18446744073709551616") == not_int64);
}
BOOST_AUTO_TEST_CASE(minus_two_to_the_64_is_refused) {
  BOOST_TEST(fault_of_category("-18446744073709551616") == not_int64);
  BOOST_TEST(fault_of_category("-18446744073709551615") == not_int64);
}
BOOST_AUTO_TEST_CASE(an_integer_of_forty_digits_is_refused) {
  BOOST_TEST(fault_of_category("1234567890123456789012345678901234567890") == not_int64);
}
BOOST_AUTO_TEST_CASE(infinity_by_exponent_is_refused) {
  BOOST_TEST(fault_of_category("1e400") == not_int64);
  BOOST_TEST(fault_of_category("-1e400") == not_int64);
}
BOOST_AUTO_TEST_CASE(zero_by_exponent_is_refused) {
  BOOST_TEST(fault_of_category("1e-400") == not_int64);
}
BOOST_AUTO_TEST_CASE(minus_zero_is_zero) {
  BOOST_TEST(category_of("-0") == 0);
}
BOOST_AUTO_TEST_CASE(minus_zero_point_zero_is_refused) {
  BOOST_TEST(fault_of_category("-0.0") == not_int64);
}
BOOST_AUTO_TEST_CASE(an_integer_in_quotes_is_refused) {
  BOOST_TEST(fault_of_category("\"1\"") == not_int64);
}
BOOST_AUTO_TEST_CASE(true_is_no_integer) {
  BOOST_TEST(fault_of_category("true") == not_int64);
}
BOOST_AUTO_TEST_CASE(a_leading_zero_is_not_json) {
  BOOST_TEST(fault_of_category("01") == not_utf8);
}
BOOST_AUTO_TEST_CASE(a_plus_sign_is_not_json) {
  BOOST_TEST(fault_of_category("+1") == not_utf8);
}
BOOST_AUTO_TEST_CASE(an_exponent_beyond_all_range_is_no_integer) {
  BOOST_TEST(fault_of_category("1e99999999999") != "");
}
BOOST_AUTO_TEST_CASE(an_unknown_member_has_an_exponent_that_boost_json_reads) {
  // Boost.JSON 1.81 reads no such exponent. Of 1.83 and later it is infinity, which an unknown member may be.
  BOOST_TEST(fault_of(decode_json<new_category>(R"({"name":"Dogs","x":1e99999999999})")) ==
             (BOOST_VERSION < 108300 ? "the body has a number whose exponent is out of all range" : ""));
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_is_refused) {
  BOOST_TEST(fault_of(decode_json<new_category>("\xEF\xBB\xBF{\"name\":\"Dogs\"}")) == not_utf8);
}
BOOST_AUTO_TEST_CASE(comments_are_refused) {
  BOOST_TEST(fault_of(decode_json<new_category>("/**/{\"name\":\"Dogs\"}")) == not_utf8);
  BOOST_TEST(fault_of(decode_json<new_category>("{\"name\":\"Dogs\"//\n}")) == not_utf8);
}
BOOST_AUTO_TEST_CASE(a_trailing_comma_is_refused) {
  BOOST_TEST(fault_of(decode_json<new_category>(R"({"name":"Dogs",})")) == not_utf8);
}
BOOST_AUTO_TEST_CASE(other_white_space_is_refused) {
  for (auto space : {"\f", "\v", "\xC2\xA0", "\xE2\x80\xA8"})
    BOOST_TEST(fault_of(decode_json<new_category>(std::string{space} + R"({"name":"Dogs"})")) == not_utf8);
}
BOOST_AUTO_TEST_CASE(invalid_utf8_in_a_name_is_refused) {
  BOOST_TEST(fault_of_name("\"Rex\xFF\"") == not_utf8);
}
BOOST_AUTO_TEST_CASE(overlong_utf8_is_refused) {
  BOOST_TEST(fault_of_name("\"\xC0\xAF\"") == not_utf8);
}
BOOST_AUTO_TEST_CASE(a_surrogate_in_utf8_is_refused) {
  BOOST_TEST(fault_of_name("\"\xED\xA0\x80\"") == not_utf8);
}
BOOST_AUTO_TEST_CASE(invalid_utf8_in_an_unknown_member_is_refused) {
  BOOST_TEST(fault_of(decode_json<new_category>("{\"name\":\"Dogs\",\"x\":\"\x80\"}")) == not_utf8);
  BOOST_TEST(fault_of(decode_json<new_category>("{\"name\":\"Dogs\",\"x\":[{\"y\":\"\xF5\x80\x80\x80\"}]}")) ==
             not_utf8);
}
BOOST_AUTO_TEST_CASE(invalid_utf8_in_a_members_name_is_refused) {
  BOOST_TEST(fault_of(decode_json<new_category>("{\"name\":\"Dogs\",\"\xE2\x28\xA1\":1}")) == not_utf8);
}
BOOST_AUTO_TEST_CASE(half_a_surrogate_pair_is_refused) {
  for (auto literal :
       {R"("\ud800")", R"("\udc00")", R"("\ud800x")", R"("\ud800\ud800")", R"("\ud800\n")", R"("\udc00\ud800")"})
    BOOST_TEST(fault_of_name(literal) == not_utf8, literal);
}
BOOST_AUTO_TEST_CASE(half_a_surrogate_pair_in_an_unknown_member_is_refused) {
  BOOST_TEST(fault_of(decode_json<new_category>(R"({"name":"Dogs","x":"\udbff"})")) == not_utf8);
  BOOST_TEST(fault_of(decode_json<new_category>(R"({"name":"Dogs","\udbff":1})")) == not_utf8);
}
BOOST_AUTO_TEST_CASE(an_escaped_nul_does_not_end_a_name) {
  BOOST_TEST(fault_of_name(R"("Rex\u0000")") == "name must not contain control characters");
  BOOST_TEST(fault_of(decode_json<new_category>(R"({"name\u0000":"Dogs"})")) == "name is missing");
}
BOOST_AUTO_TEST_CASE(a_bare_control_character_in_a_string_is_refused) {
  BOOST_TEST(fault_of_name("\"Rex\n\"") == not_utf8);
  BOOST_TEST(fault_of_name(std::string_view{"\"Rex\0\"", 6}) == not_utf8);
}

BOOST_AUTO_TEST_CASE(nesting_is_taken_up_to_its_limit) {
  auto const free_levels = json_depth_max - 1;  // the body itself is one
  BOOST_TEST(fault_of(decode_json<new_category>(nested(free_levels, '[', ']'))) == "");
  BOOST_TEST(fault_of(decode_json<new_category>(nested(free_levels + 1, '[', ']'))) ==
             "the body nests arrays and objects deeper than 32 levels");
}
BOOST_AUTO_TEST_CASE(a_body_of_brackets_alone_is_refused) {
  BOOST_TEST(fault_of(decode_json<new_category>(nested(60'000, '[', ']'))) ==
             "the body nests arrays and objects deeper than 32 levels");
  BOOST_TEST(fault_of(decode_json<new_category>(std::string(65'536, '['))) == "the body must be a JSON object");
  std::string objects;
  for (int i = 0; i < 10'000; ++i) objects += R"({"a":)";
  BOOST_TEST(fault_of(decode_json<new_category>(objects)) == "the body nests arrays and objects deeper than 32 levels");
}

BOOST_AUTO_TEST_SUITE_END()
