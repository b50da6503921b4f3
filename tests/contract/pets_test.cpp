// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "contract/client.hpp"
#include "contract/expectations.hpp"
#include "contract/walk.hpp"

using namespace contract;

BOOST_FIXTURE_TEST_SUITE(pets, on_open_node, *boost::unit_test::fixture<open_node>())

BOOST_AUTO_TEST_CASE(a_created_animal_is_answered_whole_with_its_place) {
  const answer made = api.post("/v1/pets", R"({"name":"Rex","categoryId":7,"status":"pending"})");
  BOOST_TEST(made.status == 201);
  const json pet = made.value();
  BOOST_TEST(pet.size() == 4U);
  BOOST_TEST(pet["name"].text() == "Rex");
  BOOST_TEST(pet["categoryId"].integer() == 7);
  BOOST_TEST(pet["status"].text() == "pending");
  BOOST_TEST(pet["id"].integer() >= 1);
  BOOST_TEST(made["Location"] == pet_path(pet["id"].integer()));
  const answer got = api.get(made["Location"]);
  BOOST_TEST(got.status == 200);
  BOOST_TEST(got.body == made.body);
}

BOOST_AUTO_TEST_CASE(an_animal_without_status_has_none) {
  const answer made = api.post("/v1/pets", R"({"name":"Rex","categoryId":7})");
  BOOST_TEST(made.status == 201);
  BOOST_TEST(!made.value().has("status"));
  BOOST_TEST(!api.get(made["Location"]).value().has("status"));
}

BOOST_AUTO_TEST_CASE(ids_increase_and_are_never_used_again) {
  const std::int64_t first = api.make_pet();
  const std::int64_t second = api.make_pet();
  BOOST_TEST(second > first);
  BOOST_TEST(api.del(pet_path(second)).status == 204);
  BOOST_TEST(api.make_pet() > second);
}

BOOST_AUTO_TEST_CASE(an_animal_that_is_not_there_is_not_found) {
  const std::int64_t gone = api.make_pet();
  BOOST_TEST(api.del(pet_path(gone)).status == 204);
  for (const std::string& id :
       {std::to_string(gone), std::string("9223372036854775807"), std::string("0"), std::string("-1"),
        std::string("9223372036854775808"), std::string("01"), std::string("+1"), std::string("1.0"),
        std::string("1e0"), std::string("-0"), std::string("abc"), std::string("%20"), std::string("%31%2f"),
        std::string("99999999999999999999999999")}) {
    BOOST_TEST_CONTEXT(id) {
      expect_error(api.get("/v1/pets/" + id), 404, "not_found");
      expect_error(api.patch("/v1/pets/" + id, "{}"), 404, "not_found");
      expect_error(api.del("/v1/pets/" + id), 404, "not_found");
      BOOST_TEST(api.head("/v1/pets/" + id).status == 404);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_answer_of_get_pet_says_that_it_is_deprecated) {
  const std::int64_t id = api.make_pet();
  client anonymous(node, "");
  const std::string etag = api.get(pet_path(id))["ETag"];
  const answer answers[] = {api.get(pet_path(id)),
                            api.head(pet_path(id)),
                            api.get("/v1/pets/9223372036854775807"),
                            api.get("/v1/pets/abc"),
                            api.get(pet_path(id), {{"If-None-Match", etag}}),
                            anonymous.get(pet_path(id))};
  for (const answer& got : answers) {
    BOOST_TEST_CONTEXT(got.status) {
      BOOST_TEST(got["Deprecation"] == "@1780272000");
      BOOST_TEST(got["Sunset"] == "Thu, 05 Dec 2030 00:00:00 GMT");
      BOOST_TEST(link_of(got, "successor-version").value_or("") == "/v1/pets?status=available");
      BOOST_TEST(!got.has("X-Stability"));
    }
  }
  for (const answer& got : {api.get("/v1/pets"), api.patch(pet_path(id), "{}"), api.del(pet_path(id))}) {
    BOOST_TEST(!got.has("Deprecation"));
    BOOST_TEST(!got.has("Sunset"));
  }
}

BOOST_AUTO_TEST_CASE(a_merge_patch_changes_what_it_names) {
  const std::int64_t id = api.make_pet(R"({"name":"Rex","categoryId":1,"status":"available"})");
  const answer changed = api.patch(pet_path(id), R"({"name":"Max","colour":"red","id":5})");
  BOOST_TEST(changed.status == 200);
  BOOST_TEST(changed["X-Stability"] == "beta");
  const json pet = changed.value();
  BOOST_TEST(pet.size() == 4U);
  BOOST_TEST(pet["id"].integer() == id);
  BOOST_TEST(pet["name"].text() == "Max");
  BOOST_TEST(pet["categoryId"].integer() == 1);
  BOOST_TEST(pet["status"].text() == "available");
  BOOST_TEST(api.get(pet_path(id)).body == changed.body);
  BOOST_TEST(api.patch(pet_path(id), R"({"categoryId":-0})").value()["categoryId"].integer() == 0);
  BOOST_TEST(api.patch(pet_path(id), "{}").value()["name"].text() == "Max");
}

BOOST_AUTO_TEST_CASE(any_status_follows_any_other_and_null_removes_it) {
  const std::int64_t id = api.make_pet(R"({"name":"Rex","categoryId":1})");
  for (const std::string status : {"sold", "available", "pending", "sold", "pending", "available", "sold"}) {
    BOOST_TEST(api.patch(pet_path(id), "{\"status\":\"" + status + "\"}").value()["status"].text() == status);
  }
  const answer removed = api.patch(pet_path(id), R"({"status":null})");
  BOOST_TEST(removed.status == 200);
  BOOST_TEST(!removed.value().has("status"));
  BOOST_TEST(api.patch(pet_path(id), R"({"status":null})").status == 200);
}

BOOST_AUTO_TEST_CASE(a_status_filter_follows_the_change) {
  const std::int64_t id = api.make_pet(R"({"name":"Rex","categoryId":2001,"status":"available"})");
  const auto listed_as = [&](const std::string& status) {
    return ids_of(api.get("/v1/pets?categoryId=2001&status=" + status)) == std::vector<std::int64_t>{id};
  };
  BOOST_TEST(listed_as("available"));
  api.patch(pet_path(id), R"({"status":"sold"})");
  BOOST_TEST(!listed_as("available"));
  BOOST_TEST(listed_as("sold"));
  api.patch(pet_path(id), R"({"status":null})");
  BOOST_TEST(!listed_as("sold"));
  api.patch(pet_path(id), R"({"categoryId":2002})");
  BOOST_TEST(api.get("/v1/pets?categoryId=2001").value().elements().empty());
  BOOST_TEST(ids_of(api.get("/v1/pets?categoryId=2002")) == std::vector<std::int64_t>{id},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_bad_merge_patch_changes_nothing) {
  const std::int64_t id = api.make_pet();
  const std::string before = api.get(pet_path(id)).body;
  for (const char* body : {R"({"name":null})",
                           R"({"categoryId":null})",
                           R"({"name":""})",
                           R"({"name":" "})",
                           R"({"name":5})",
                           R"({"categoryId":"1"})",
                           R"({"categoryId":1.0})",
                           R"({"status":"lost"})",
                           R"({"status":""})",
                           R"({"status":true})",
                           R"({"name":"Max","status":"lost"})",
                           R"({"name":"A","name":"B"})",
                           "[]",
                           "null",
                           "5",
                           "\"a\"",
                           "",
                           " ",
                           "{",
                           "{}x"}) {
    BOOST_TEST_CONTEXT(body) {
      expect_error(api.patch(pet_path(id), body), 400, "invalid_request");
    }
  }
  BOOST_TEST(api.get(pet_path(id)).body == before);
}

BOOST_AUTO_TEST_CASE(a_deleted_animal_is_gone) {
  const std::int64_t id = api.make_pet();
  const answer deleted = api.del(pet_path(id));
  BOOST_TEST(deleted.status == 204);
  BOOST_TEST(deleted["X-Stability"] == "beta");
  BOOST_TEST(api.get(pet_path(id)).status == 404);
  BOOST_TEST(api.del(pet_path(id)).status == 404);
  BOOST_TEST(api.patch(pet_path(id), "{}").status == 404);
}

BOOST_AUTO_TEST_CASE(a_body_comes_as_json) {
  const std::string body = R"({"name":"Rex","categoryId":1})";
  for (const char* type : {"application/json", "Application/JSON", "application/json; charset=utf-8",
                           "application/json;charset=UTF-8", "application/json ; charset=\"utf-8\""}) {
    BOOST_TEST_CONTEXT(type) {
      BOOST_TEST(api.post("/v1/pets", body, {{"Content-Type", type}}).status == 201);
    }
  }
  for (const char* type : {"text/plain", "application/x-www-form-urlencoded", "application/merge-patch+json",
                           "application/json; charset=latin1", "application/json; charset=utf-16", "application/jsonx",
                           "json", "application/json, text/plain"}) {
    BOOST_TEST_CONTEXT(type) {
      expect_error(api.post("/v1/pets", body, {{"Content-Type", type}}), 415, "unsupported_media_type");
    }
  }
  expect_error(api.send({"POST", "/v1/pets", {}, body}), 415, "unsupported_media_type");
}

BOOST_AUTO_TEST_CASE(a_patch_comes_as_json_or_merge_patch) {
  const std::int64_t id = api.make_pet();
  for (const char* type :
       {"application/json", "application/merge-patch+json", "application/merge-patch+json; charset=utf-8"}) {
    BOOST_TEST_CONTEXT(type) {
      BOOST_TEST(api.patch(pet_path(id), "{}", {{"Content-Type", type}}).status == 200);
    }
  }
  const answer refused = api.patch(pet_path(id), "[]", {{"Content-Type", "application/json-patch+json"}});
  expect_error(refused, 415, "unsupported_media_type");
  BOOST_TEST(list_has(refused["Accept-Patch"], "application/merge-patch+json"));
  const answer options = api.options(pet_path(id));
  BOOST_TEST(list_has(options["Accept-Patch"], "application/merge-patch+json"));
  BOOST_TEST(list_has(options["Accept-Patch"], "application/json"));
}

BOOST_AUTO_TEST_CASE(only_a_key_that_may_write_writes) {
  const std::int64_t id = api.make_pet();
  BOOST_TEST(reader.get("/v1/pets").status == 200);
  BOOST_TEST(reader.head(pet_path(id)).status == 200);
  BOOST_TEST(reader.options("/v1/pets").status == 204);
  BOOST_TEST(reader.get("/v1/quota").status == 200);
  expect_error(reader.post("/v1/pets", R"({"name":"Rex","categoryId":1})"), 403, "forbidden");
  expect_error(reader.patch(pet_path(id), "{}"), 403, "forbidden");
  expect_error(reader.del(pet_path(id)), 403, "forbidden");
  expect_error(reader.post("/v1/categories", R"({"name":"Dogs"})"), 403, "forbidden");
  expect_error(reader.post("/v1/store/orders", R"({"petId":1})"), 403, "forbidden");
  expect_error(reader.patch("/v1/store/orders/1", R"({"status":"approved"})"), 403, "forbidden");
}

BOOST_AUTO_TEST_CASE(forbidden_is_judged_after_the_path_and_before_the_body) {
  expect_error(reader.post("/v1/nowhere", "{}"), 404, "not_found");
  expect_error(reader.send({"PUT", "/v1/pets", {}, {}}), 405, "method_not_allowed");
  expect_error(reader.post("/v1/pets", "{", {{"Content-Type", "text/plain"}}), 403, "forbidden");
  expect_error(reader.del("/v1/pets/9223372036854775807"), 403, "forbidden");
}

BOOST_AUTO_TEST_SUITE_END()
