// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "object_reader.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "json_fault.hpp"

BOOST_AUTO_TEST_SUITE(object_reader_)

using namespace petstore;
using tests::fault_of;

namespace {

std::string strangers_refused(std::string_view body) {
  object_reader in(body, {"id"}, object_reader::unknown_members::refused);
  return fault_of(in.finish(in.id("id")));
}

std::string strangers_ignored(std::string_view body) {
  object_reader in(body, {"id"});
  return fault_of(in.finish(in.id("id")));
}

/// {"id":1,"s0":0,"s0":0,"s1":0,"s1":0,…}
std::string with_repeated_strangers(int count) {
  std::string body = R"({"id":1)";
  for (int i = 0; i < count; ++i) {
    auto const member = ",\"s" + std::to_string(i) + "\":0";
    body += member + member;
  }
  return body + "}";
}

}  // namespace

BOOST_AUTO_TEST_CASE(strangers_are_ignored_or_refused_as_asked) {
  BOOST_TEST(strangers_ignored(R"({"id":1,"x":2})") == "");
  BOOST_TEST(strangers_refused(R"({"id":1,"x":2})") == R"("x" is not a member of this record)");
  BOOST_TEST(strangers_refused(R"({"id":1,"x":2,"x":2,"y":{}})") ==
             R"("x" is given twice; "y" is not a member of this record)");
}

BOOST_AUTO_TEST_CASE(a_broken_body_is_one_fault_and_not_missing_members_too) {
  BOOST_TEST(strangers_ignored("{") == "the body is not JSON: it ends too early");
  BOOST_TEST(strangers_ignored(R"({"id":"x","id")") == "the body is not JSON: it ends too early");
}

BOOST_AUTO_TEST_CASE(the_callers_own_rules_stand_with_the_others) {
  object_reader in(R"({"a":1})", {"a", "b"});
  auto const a = in.integer("a");
  in.fault("a", "is odd");
  in.integer("b");
  BOOST_TEST(fault_of(in.finish(a)) == "a is odd; b is missing");
}

BOOST_AUTO_TEST_CASE(a_few_strangers_are_named_and_the_rest_counted) {
  BOOST_TEST(strangers_ignored(with_repeated_strangers(2)) == R"("s0" is given twice; "s1" is given twice)");
  auto const fault = strangers_ignored(with_repeated_strangers(3000));
  BOOST_TEST(fault.starts_with(R"("s0" is given twice; "s1" is given twice; "s10" is given twice;)"));
  BOOST_TEST(fault.ends_with("2992 more members are at fault"));
  BOOST_TEST(fault.size() < 300u);
}

BOOST_AUTO_TEST_CASE(a_strangers_long_name_is_not_sent_back) {
  std::string const name(65, 'n');
  auto const member = "\"" + name + "\":0";
  BOOST_TEST(strangers_ignored("{\"id\":1," + member + "," + member + "}") ==
             "a member with a long name is given twice");
}

BOOST_AUTO_TEST_CASE(a_key_is_not_sent_back) {
  BOOST_TEST(strangers_refused(R"({"id":1,"ps_live_abc":0})") == R"("ps_live_***" is not a member of this record)");
}

BOOST_AUTO_TEST_CASE(as_many_strangers_as_a_body_can_hold_are_taken) {
  std::string body = R"({"id":1)";
  for (int i = 0; body.size() < 65'000; ++i) body += ",\"" + std::to_string(i) + "\":0";
  BOOST_TEST(strangers_ignored(body + "}") == "");
}

BOOST_AUTO_TEST_SUITE_END()
