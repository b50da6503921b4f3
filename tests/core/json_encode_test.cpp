// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <string>

#include "petstore/json.hpp"

BOOST_AUTO_TEST_SUITE(json_encode)

using namespace petstore;

namespace {

std::string literal(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

unix_ms at(std::int64_t ms) {
  return unix_ms{std::chrono::milliseconds{ms}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_pets_members_stand_in_the_contracts_order) {
  pet const p{.id = 7, .name = "Rex", .category_id = -3, .status = pet_status::sold};
  BOOST_TEST(to_json(p) == R"({"id":7,"name":"Rex","categoryId":-3,"status":"sold"})");
}

BOOST_AUTO_TEST_CASE(a_pet_without_status_has_no_such_member) {
  BOOST_TEST(to_json(pet{.id = 1, .name = "x", .category_id = 0, .status = {}}) ==
             R"({"id":1,"name":"x","categoryId":0})");
}

BOOST_AUTO_TEST_CASE(the_widest_integers_fit) {
  using limits = std::numeric_limits<std::int64_t>;
  BOOST_TEST(to_json(pet{.id = limits::max(), .name = "x", .category_id = limits::min(), .status = {}}) ==
             R"({"id":9223372036854775807,"name":"x","categoryId":-9223372036854775808})");
}

BOOST_AUTO_TEST_CASE(categories_and_orders_are_written_canonically) {
  BOOST_TEST(to_json(category{.id = 2, .name = "Dogs"}) == R"({"id":2,"name":"Dogs"})");
  order const o{.id = 5,
                .pet_id = 7,
                .status = order_status::approved,
                .created_at = at(1'780'315'200'000),
                .updated_at = at(1'780'315'200'001)};
  BOOST_TEST(to_json(o) == R"({"id":5,"petId":7,"status":"approved","createdAt":"2026-06-01T12:00:00.000Z",)"
                           R"("updatedAt":"2026-06-01T12:00:00.001Z"})");
}

BOOST_AUTO_TEST_CASE(json_is_appended_to_what_is_there) {
  std::string out = "[";
  append_json(out, category{.id = 1, .name = "a"});
  out += ',';
  append_json(out, category{.id = 2, .name = "b"});
  BOOST_TEST(out == R"([{"id":1,"name":"a"},{"id":2,"name":"b"})");
}

BOOST_AUTO_TEST_CASE(only_quote_backslash_and_controls_are_escaped) {
  BOOST_TEST(literal("") == R"("")");
  BOOST_TEST(literal("a\"b\\c/d") == R"("a\"b\\c/d")");
  BOOST_TEST(literal("\b\t\n\f\r") == R"("\b\t\n\f\r")");
  BOOST_TEST(literal(std::string_view{"\0\x01\x1F", 3}) == R"("\u0000\u0001\u001f")");
  BOOST_TEST(literal("\x7F 子犬 🐕 \xE2\x80\xA8") == "\"\x7F 子犬 🐕 \xE2\x80\xA8\"");
}

BOOST_AUTO_TEST_CASE(another_parser_reads_back_every_byte_that_may_stand_in_a_string) {
  for (unsigned byte = 0; byte < 0x80; ++byte) {
    std::string const text{'a', static_cast<char>(byte), 'z'};
    BOOST_TEST(std::string_view{boost::json::parse(literal(text)).as_string()} == text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
