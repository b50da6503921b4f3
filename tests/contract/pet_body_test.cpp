// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "contract/client.hpp"
#include "contract/expectations.hpp"

using namespace contract;
using namespace std::string_literals;

namespace {

std::string named(std::string_view name_literal) {
  return "{\"name\":" + std::string(name_literal) + ",\"categoryId\":1}";
}

std::string categorised(std::string_view number) {
  return "{\"name\":\"Rex\",\"categoryId\":" + std::string(number) + "}";
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string out;
  while (count-- > 0) out += text;
  return out;
}

struct sender : on_open_node {
  void expect_refused(const std::string& body) {
    BOOST_TEST_CONTEXT(body.substr(0, 200)) {
      expect_error(api.post("/v1/pets", body), 400, "invalid_request");
    }
  }
  json expect_taken(const std::string& body) {
    const answer made = api.post("/v1/pets", body);
    BOOST_REQUIRE_MESSAGE(made.status == 201, body.substr(0, 200) << " answered " << made.status << made.body);
    return made.value();
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(pet_body, sender, *boost::unit_test::fixture<open_node>())

BOOST_AUTO_TEST_CASE(a_category_is_an_integer_within_int64) {
  for (const char* number : {"0", "-1", "9223372036854775807", "-9223372036854775808", "9007199254740993"}) {
    BOOST_TEST(expect_taken(categorised(number))["categoryId"].integer() == std::stoll(number));
  }
  BOOST_TEST(expect_taken(categorised("-0"))["categoryId"].integer() == 0);
  for (const char* number : {"1.0",
                             "1e3",
                             "1E0",
                             "-0.0",
                             "0.0",
                             "1.5",
                             "9223372036854775808",
                             "-9223372036854775809",
                             "18446744073709551616",
                             "9007199254740993.0",
                             "1e400",
                             "-1e400",
                             "1e-400",
                             "9223372036854775807.0",
                             "\"1\"",
                             "true",
                             "false",
                             "null",
                             "[1]",
                             "{}",
                             "[]",
                             "01",
                             "+1",
                             "0x1",
                             "1_000",
                             ".5",
                             "1.",
                             "1e",
                             "NaN",
                             "Infinity",
                             "-",
                             "--1",
                             "-01"}) {
    expect_refused(categorised(number));
  }
}

BOOST_AUTO_TEST_CASE(a_name_has_1_to_255_code_points) {
  for (const char* letter : {"a", "ß", "犬", "🐕"}) {
    const std::string longest = repeated(letter, 255);
    BOOST_TEST(expect_taken(named('"' + longest + '"'))["name"].text() == longest);
    expect_refused(named('"' + longest + letter + '"'));
  }
  // An escape counts as the character that it stands for.
  const std::string dog = R"(\ud83d\udc15)";
  BOOST_TEST(expect_taken(named('"' + repeated(dog, 255) + '"'))["name"].text() == repeated("🐕", 255));
  expect_refused(named('"' + repeated(dog, 256) + '"'));
  BOOST_TEST(expect_taken(named("\"x\""))["name"].text() == "x");
  expect_refused(named("\"\""));
}

BOOST_AUTO_TEST_CASE(a_name_is_taken_as_sent) {
  for (const std::string name : {" Rex ", "e\u0301", "\u00e9", "\u200b", "a\u00a0b", "\\\"/", "\ufeffRex", "\ufffd",
                                 "\U0010ffff", "\u202eRex", "<b>&amp;</b>",
                                 "\u2028"
                                 "x"}) {
    BOOST_TEST(expect_taken(named(json_text(name)))["name"].text() == name);
  }
  BOOST_TEST(expect_taken(named(R"("\u0052\u0065x\/")"))["name"].text() == "Rex/");
}

BOOST_AUTO_TEST_CASE(a_name_of_white_space_alone_is_refused) {
  for (const char* space :
       {" ", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007",
        "\u2008", "\u2009", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"}) {
    expect_refused(named('"' + std::string(space) + '"'));
    expect_refused(named("\" " + std::string(space) + " \""));
    BOOST_TEST(expect_taken(named('"' + std::string(space) + "x\""))["name"].text() == std::string(space) + "x");
  }
}

BOOST_AUTO_TEST_CASE(a_control_character_in_a_name_is_refused) {
  for (int code = 0; code < 0xA0; ++code) {
    if (code == 0x20) code = 0x7F;
    char escape[16];
    std::snprintf(escape, sizeof escape, "\"a\\u%04xb\"", static_cast<unsigned>(code));
    expect_refused(named(escape));
  }
  for (const char* name : {R"("a\nb")", R"("a\tb")", R"("a\bb")", "\"a\x7f\"", "\"a\u0085\"", "\"a\u009f\"", "\"a\nb\"",
                           "\"a\tb\"", "\"a\x01\""}) {
    expect_refused(named(name));
  }
  expect_refused(named("\"a\0b\""s));
}

BOOST_AUTO_TEST_CASE(a_name_is_valid_unicode) {
  for (const std::string name :
       {"\xff", "\xc3", "\xc3(", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xed\xbf\xbf",
        "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\x80", "\xe2\x82", "\xf8\x88\x80\x80\x80"}) {
    expect_refused(named("\"a" + name + "b\""));
    expect_refused(named("\"a" + name + "\""));
  }
  for (const char* name : {R"("\ud800")", R"("\udc15")", R"("\ud83dx")", R"("\ud83d\u0041")", R"("\udc15\ud83d")",
                           R"("\ud83d\ud83d")", R"("\u12")", R"("\u12g4")", R"("\x41")", R"("\")"}) {
    expect_refused(named(name));
  }
}

BOOST_AUTO_TEST_CASE(a_name_is_a_string) {
  for (const char* name : {"null", "5", "true", "[]", "{}", "[\"Rex\"]", "'Rex'", "Rex"}) expect_refused(named(name));
}

BOOST_AUTO_TEST_CASE(a_status_is_one_of_three) {
  for (const std::string status : {"available", "pending", "sold"}) {
    const json pet = expect_taken(R"({"name":"Rex","categoryId":1,"status":")" + status + "\"}");
    BOOST_TEST(pet["status"].text() == status);
  }
  for (const char* status : {"null", "\"\"", "\"Available\"", "\"sold \"", "\"lost\"", "0", "true", "[]", "{}",
                             "[\"sold\"]", "\"sold\\u0000\""}) {
    expect_refused(R"({"name":"Rex","categoryId":1,"status":)" + std::string(status) + "}");
  }
}

BOOST_AUTO_TEST_CASE(required_members_must_be_there) {
  for (const char* body : {"{}", R"({"name":"Rex"})", R"({"categoryId":1})", R"({"Name":"Rex","categoryId":1})",
                           R"({"name":"Rex","categoryid":1})", R"({"status":"sold"})"}) {
    expect_refused(body);
  }
}

BOOST_AUTO_TEST_CASE(every_fault_is_named) {
  const std::string message = api.post("/v1/pets", R"({"categoryId":1.5,"status":"lost"})").value()["message"].text();
  for (const char* member : {"name", "categoryId", "status"}) {
    BOOST_TEST(message.find(member) != std::string::npos, message << " does not name " << member);
  }
}

BOOST_AUTO_TEST_CASE(unknown_members_are_ignored) {
  const json pet = expect_taken(
      R"({"id":12345678,"name":"Rex","categoryId":1,"colour":{"a":[1.5e3,null,{"a":1,"a":2}]},"":0,"Status":"x"})");
  BOOST_TEST(pet.size() == 3U);
  BOOST_TEST(pet["id"].integer() != 12345678);
  for (const char* inside : {"1e400", "123456789012345678901234567890", "-0.0E+0", "\"\\u0000\""}) {
    expect_taken(R"({"name":"Rex","categoryId":1,"x":)" + std::string(inside) + "}");
  }
  // The values of unknown members must still be JSON.
  for (const char* inside : {"01", "nul", "[1,]", "{\"a\":}", "\"\\q\"", "\"\xff\"", "'x'", "[1 2]"}) {
    expect_refused(R"({"name":"Rex","categoryId":1,"x":)" + std::string(inside) + "}");
  }
}

BOOST_AUTO_TEST_CASE(a_member_given_twice_is_refused) {
  for (const char* body :
       {R"({"name":"Rex","name":"Rex","categoryId":1})", R"({"name":"Rex","categoryId":1,"categoryId":1})",
        R"({"name":"Rex","n\u0061me":"Max","categoryId":1})", R"({"name":"Rex","categoryId":1,"x":1,"x":1})",
        R"({"name":"Rex","categoryId":1,"a\/":1,"a/":1})", R"({"name":"Rex","categoryId":1,"id":1,"id":2})",
        R"({"name":"Rex","categoryId":1,"\ud83d\udc15":1,"🐕":1})", R"({"name":"Rex","categoryId":1,"":1,"":1})"}) {
    expect_refused(body);
  }
  // Names that differ in case or normalisation are different names.
  expect_taken("{\"name\":\"Rex\",\"Name\":1,\"categoryId\":1,\"\u00e9\":1,\"e\u0301\":1}");
}

BOOST_AUTO_TEST_CASE(the_body_is_one_object_and_nothing_else) {
  const std::string good = R"({"name":"Rex","categoryId":1})";
  expect_taken(" \t\r\n" + good + "\n\r\t ");
  expect_taken("{ \"name\" : \"Rex\" ,\r\n\t\"categoryId\" : 1 }");
  for (const std::string& body : {""s,
                                  " "s,
                                  "null"s,
                                  "true"s,
                                  "5"s,
                                  "\"Rex\""s,
                                  "[]"s,
                                  '[' + good + ']',
                                  good + good,
                                  good + "x",
                                  good + ",",
                                  good + "]",
                                  good + "}",
                                  good + "\0"s,
                                  "\0"s + good,
                                  "\xef\xbb\xbf" + good,
                                  good + "\xef\xbb\xbf",
                                  "\f" + good,
                                  "\u00a0" + good,
                                  "{name:\"Rex\",\"categoryId\":1}"s,
                                  R"({"name":"Rex","categoryId":1,})"s,
                                  R"({"name":"Rex""categoryId":1})"s,
                                  R"({"name":"Rex","categoryId":1)"s,
                                  R"({"name":"Rex",,"categoryId":1})"s,
                                  R"({"name""Rex","categoryId":1})"s,
                                  "/**/" + good,
                                  good + "// no",
                                  "{'name':'Rex','categoryId':1}"s,
                                  "\xff\xfe{\0"s,
                                  R"({"name":"Rex","categoryId":1,"x"})"s}) {
    expect_refused(body);
  }
}

BOOST_AUTO_TEST_CASE(depth_does_no_harm) {
  const std::string open = repeated("[", 20000);
  const std::string close = repeated("]", 20000);
  const std::string body = R"({"name":"Rex","categoryId":1,"x":)" + open + close + "}";
  const answer deep = api.post("/v1/pets", body);
  BOOST_TEST((deep.status == 201 || deep.status == 400));
  expect_refused(R"({"name":"Rex","categoryId":1,"x":)" + repeated("{\"a\":", 10000));
  BOOST_TEST(api.get("/v1/pets?limit=1").status == 200);
}

BOOST_AUTO_TEST_SUITE_END()
