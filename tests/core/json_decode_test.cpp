// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <string>

#include "json_fault.hpp"
#include "petstore/json.hpp"

BOOST_AUTO_TEST_SUITE(json_decode)

using namespace petstore;
using tests::fault_of;

BOOST_AUTO_TEST_CASE(a_full_new_pet_is_read) {
  auto const p = decode_json<new_pet>(R"( {"name": "Rex", "categoryId": 3, "status": "pending"} )").value();
  BOOST_TEST(p.name == "Rex");
  BOOST_TEST(p.category_id == 3);
  BOOST_TEST((p.status == pet_status::pending));
}

BOOST_AUTO_TEST_CASE(a_new_pet_without_a_status_has_none) {
  BOOST_TEST(!decode_json<new_pet>(R"({"name":"Rex","categoryId":3})").value().status.has_value());
}

BOOST_AUTO_TEST_CASE(members_may_come_in_any_order_and_escaped) {
  auto const p = decode_json<new_pet>(R"({"categoryId":-3,"\u006eame":"\u017Dofka \ud83d\udc15\n\/"})");
  // The escaped line feed is in the name, and is a control character.
  BOOST_TEST(fault_of(p) == "name must not contain control characters");
  auto const q = decode_json<new_pet>(R"({"categoryId":-3,"\u006eame":"\u017Dofka \ud83d\udc15\/"})").value();
  BOOST_TEST(q.name == "Žofka 🐕/");
  BOOST_TEST(q.category_id == -3);
}

BOOST_AUTO_TEST_CASE(every_fault_is_named_not_the_first_alone) {
  BOOST_TEST(fault_of(decode_json<new_pet>("{}")) == "name is missing; categoryId is missing");
  BOOST_TEST(fault_of(decode_json<new_pet>(R"({"categoryId":1.5,"status":"lost"})")) ==
             "name is missing; categoryId must be an integer within int64; status must be one of available, pending, "
             "sold");
  BOOST_TEST(fault_of(decode_json<new_pet>(R"({"status":1,"name":"","categoryId":"1"})")) ==
             "name must not be empty; categoryId must be an integer within int64; status must be one of available, "
             "pending, sold");
  BOOST_TEST(fault_of(decode_json<new_pet>(R"({"x":1,"name":"a","x":2,"name":"b"})")) ==
             R"(name is given twice; categoryId is missing; "x" is given twice)");
}

BOOST_AUTO_TEST_CASE(null_is_a_wrong_value_in_a_new_pet) {
  BOOST_TEST(fault_of(decode_json<new_pet>(R"({"name":null,"categoryId":null,"status":null})")) ==
             "name must be a string; categoryId must be an integer within int64; status must be one of available, "
             "pending, sold");
}

BOOST_AUTO_TEST_CASE(values_of_every_other_kind_are_wrong_values) {
  for (auto value : {"null", "true", "false", "0.5", "1", "[]", "[\"Rex\"]", "{}", "{\"name\":\"Rex\"}"}) {
    auto const body = std::string{R"({"categoryId":1,"name":)"} + value + "}";
    BOOST_TEST(fault_of(decode_json<new_pet>(body)) == "name must be a string", value);
  }
  for (auto value : {"null", "true", "\"1\"", "\"\"", "[]", "[1]", "{}", "{\"categoryId\":1}", "1.0", "0.0", "1e0"}) {
    auto const body = std::string{R"({"name":"Rex","categoryId":)"} + value + "}";
    BOOST_TEST(fault_of(decode_json<new_pet>(body)) == "categoryId must be an integer within int64", value);
  }
  for (auto value : {"true", "1", "\"\"", "\"Sold\"", "[\"sold\"]", "{}"}) {
    auto const body = std::string{R"({"name":"Rex","categoryId":1,"status":)"} + value + "}";
    BOOST_TEST(fault_of(decode_json<new_pet>(body)) == "status must be one of available, pending, sold", value);
  }
}

BOOST_AUTO_TEST_CASE(unknown_members_are_ignored_id_among_them) {
  auto const p = decode_json<new_pet>(
      R"({"id":99,"tags":["a",{"name":"no","name":"twice"}],"name":"Rex","Name":7,"categoryId":3,"x":1.5e9,"y":null})");
  BOOST_TEST(p.value().name == "Rex");
  BOOST_TEST(p.value().category_id == 3);
}

BOOST_AUTO_TEST_CASE(what_unknown_members_hold_must_still_be_json) {
  for (auto value : {"", "nul", "01", "+1", "'a'", "[1,]", "{\"a\"}", "\"\\x\"", "\"\t\"", "NaN", "[", "}"}) {
    auto const body = std::string{R"({"name":"Rex","categoryId":3,"x":)"} + value + "}";
    BOOST_TEST(fault_of(decode_json<new_pet>(body)).starts_with("the body is not JSON"), value);
  }
}

BOOST_AUTO_TEST_CASE(the_body_is_one_object) {
  for (auto body : {"[]", "null", "1", "\"name\"", "true", "[{\"name\":\"Rex\"}]"})
    BOOST_TEST(fault_of(decode_json<new_pet>(body)) == "the body must be a JSON object", body);
  for (auto body : {"", " ", "{", "{\"name\"", "{\"name\":\"Rex\",\"categoryId\":3"})
    BOOST_TEST(fault_of(decode_json<new_pet>(body)) == "the body is not JSON: it ends too early", body);
}

BOOST_AUTO_TEST_CASE(nothing_follows_the_body_but_white_space) {
  std::string const body = R"({"name":"Rex","categoryId":3})";
  BOOST_TEST(fault_of(decode_json<new_pet>("\r\n\t " + body + "\r\n\t ")) == "");
  for (auto tail : {"x", "{}", ",", " {\"name\":\"Rex\"}", "//", "\n1"}) {
    BOOST_TEST(fault_of(decode_json<new_pet>(body + tail)) == "the body must be one JSON object with nothing after it",
               tail);
  }
  BOOST_TEST(fault_of(decode_json<new_pet>(body + std::string(1, '\0'))) ==
             "the body must be one JSON object with nothing after it");
}

BOOST_AUTO_TEST_CASE(a_patch_may_be_empty) {
  auto const patch = decode_json<pet_patch>("{}").value();
  BOOST_TEST(!patch.name.has_value());
  BOOST_TEST(!patch.category_id.has_value());
  BOOST_TEST(!patch.status.has_value());
}

BOOST_AUTO_TEST_CASE(a_patch_names_what_changes) {
  auto const patch = decode_json<pet_patch>(R"({"name":"Max","categoryId":0,"status":"sold"})").value();
  BOOST_TEST((patch.name == "Max"));
  BOOST_TEST((patch.category_id == 0));
  BOOST_TEST((patch.status.value() == pet_status::sold));
}

BOOST_AUTO_TEST_CASE(a_patch_with_status_null_removes_the_status) {
  auto const patch = decode_json<pet_patch>(R"({"status":null})").value();
  BOOST_TEST(patch.status.has_value());
  BOOST_TEST(!patch.status.value().has_value());
}

BOOST_AUTO_TEST_CASE(a_patch_cannot_remove_what_is_required) {
  BOOST_TEST(fault_of(decode_json<pet_patch>(R"({"name":null,"categoryId":null,"status":null})")) ==
             "name must be a string; categoryId must be an integer within int64");
}

BOOST_AUTO_TEST_CASE(a_patch_with_status_given_twice_is_refused_even_when_null) {
  BOOST_TEST(fault_of(decode_json<pet_patch>(R"({"status":null,"status":null})")) == "status is given twice");
}

BOOST_AUTO_TEST_CASE(a_patch_that_is_not_an_object_is_refused) {
  for (auto body : {"[]", "null", "\"sold\"", "3"})
    BOOST_TEST(fault_of(decode_json<pet_patch>(body)) == "the body must be a JSON object", body);
}

BOOST_AUTO_TEST_CASE(a_new_category_is_a_name) {
  BOOST_TEST(decode_json<new_category>(R"({"name":"Dogs"})").value().name == "Dogs");
  BOOST_TEST(fault_of(decode_json<new_category>("{}")) == "name is missing");
  BOOST_TEST(fault_of(decode_json<new_category>(R"({"name":" "})")) == "name must not be white space alone");
}

BOOST_AUTO_TEST_CASE(a_new_order_names_an_animal) {
  BOOST_TEST(decode_json<new_order>(R"({"petId":9223372036854775807})").value().pet_id == 9223372036854775807);
  BOOST_TEST(fault_of(decode_json<new_order>("{}")) == "petId is missing");
  BOOST_TEST(fault_of(decode_json<new_order>(R"({"petId":"7"})")) == "petId must be an integer within int64");
}

BOOST_AUTO_TEST_CASE(an_order_patch_names_a_status) {
  BOOST_TEST((decode_json<order_patch>(R"({"status":"approved"})").value().status == order_status::approved));
  BOOST_TEST(!decode_json<order_patch>("{}").value().status.has_value());
  for (auto body : {R"({"status":null})", R"({"status":"sold"})", R"({"status":2})"})
    BOOST_TEST(fault_of(decode_json<order_patch>(body)) ==
               "status must be one of placed, approved, delivered, cancelled");
}

BOOST_AUTO_TEST_CASE(records_need_their_id) {
  BOOST_TEST(fault_of(decode_json<pet>(R"({"name":"Rex","categoryId":3})")) == "id is missing");
  BOOST_TEST(fault_of(decode_json<category>(R"({"id":0,"name":"Dogs"})")) ==
             "id must be an integer from 1 to 9223372036854775807");
  BOOST_TEST(fault_of(decode_json<order>("{}")) ==
             "id is missing; petId is missing; status is missing; createdAt is missing; updatedAt is missing");
}

BOOST_AUTO_TEST_CASE(an_orders_times_are_rfc_3339_in_milliseconds) {
  auto const o = decode_json<order>(R"({"id":1,"petId":2,"status":"placed","createdAt":"2026-06-01T12:00:00.000Z",)"
                                    R"("updatedAt":"2026-06-01T12:00:00.001Z"})")
                     .value();
  BOOST_TEST((o.updated_at - o.created_at == std::chrono::milliseconds{1}));
  BOOST_TEST(
      fault_of(decode_json<order>(R"({"id":1,"petId":2,"status":"placed","createdAt":0,"updatedAt":"2026-06-01"})")) ==
      "createdAt must be a time like 2026-06-01T12:00:00.000Z; updatedAt must be a time like "
      "2026-06-01T12:00:00.000Z");
}

BOOST_AUTO_TEST_SUITE_END()
