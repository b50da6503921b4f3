// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "contract/expectations.hpp"
#include "contract/walk.hpp"

using namespace contract;

namespace {

std::string named(const std::string& name) {
  return "{\"name\":\"" + name + "\"}";
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(categories, on_open_node, *boost::unit_test::fixture<open_node>())

BOOST_AUTO_TEST_CASE(a_category_is_created_read_and_marked_beta) {
  const answer made = api.post("/v1/categories", R"({"name":"Dogs","id":99,"colour":"red"})");
  BOOST_TEST(made.status == 201);
  const json category = made.value();
  BOOST_TEST(category.size() == 2U);
  BOOST_TEST(category["name"].text() == "Dogs");
  BOOST_TEST(made["Location"] == "/v1/categories/" + std::to_string(category["id"].integer()));
  const answer got = api.get(made["Location"]);
  BOOST_TEST(got.status == 200);
  BOOST_TEST(got.body == made.body);
  for (const answer& each : {made, got, api.get("/v1/categories")}) BOOST_TEST(each["X-Stability"] == "beta");
}

BOOST_AUTO_TEST_CASE(a_name_is_unique_case_sensitively) {
  BOOST_TEST(api.post("/v1/categories", named("Cats")).status == 201);
  expect_error(api.post("/v1/categories", named("Cats")), 409, "conflict");
  expect_error(other.post("/v1/categories", R"({"name":"\u0043ats"})"), 409, "conflict");
  BOOST_TEST(api.post("/v1/categories", named("cats")).status == 201);
  BOOST_TEST(api.post("/v1/categories", named("Cats ")).status == 201);
}

BOOST_AUTO_TEST_CASE(a_name_follows_the_rules_of_an_animals_name) {
  const std::string longest(255, 'c');
  BOOST_TEST(api.post("/v1/categories", named(longest)).status == 201);
  for (const std::string& body :
       {named(longest + "c"), named(""), named(" "), named("\u3000"), named("a\\u0007"), named("\xff"),
        named("\\ud800"), std::string("{}"), std::string("{\"name\":null}"), std::string("{\"name\":5}"),
        std::string("[]"), std::string(R"({"name":"a","name":"b"})"), std::string("")}) {
    BOOST_TEST_CONTEXT(body) {
      expect_error(api.post("/v1/categories", body), 400, "invalid_request");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_category_that_is_not_there_is_not_found) {
  for (const char* id : {"0", "-1", "9223372036854775807", "9223372036854775808", "01", "abc"}) {
    expect_error(api.get("/v1/categories/" + std::string(id)), 404, "not_found");
  }
}

BOOST_AUTO_TEST_CASE(categories_are_listed_as_animals_are) {
  std::vector<std::int64_t> made;
  for (int i = 0; i < 22; ++i) {
    made.push_back(api.post("/v1/categories", named("listed " + std::to_string(i))).value()["id"].integer());
  }
  BOOST_TEST(api.get("/v1/categories").value().size() == 20U);
  std::vector<std::int64_t> met = walk(api, "/v1/categories?limit=5");
  std::erase_if(met, [&](std::int64_t id) { return id < made.front(); });
  BOOST_TEST(met == made, boost::test_tools::per_element());
  for (const char* query : {"limit=0", "limit=101", "limit=", "cursor=x", "limit=5&limit=6"}) {
    expect_error(api.get("/v1/categories?" + std::string(query)), 400, "invalid_request");
  }
}

BOOST_AUTO_TEST_CASE(an_animal_may_name_a_category_nobody_made_unless_the_setting_says_otherwise) {
  BOOST_TEST(api.post("/v1/pets", R"({"name":"Rex","categoryId":987654321})").status == 201);

  test_node strict;
  const issued_key key = strict.create_key();
  strict.open({"--require-known-category"});
  client careful(strict, key.secret);
  expect_error(careful.post("/v1/pets", R"({"name":"Rex","categoryId":1})"), 400, "invalid_request");
  BOOST_TEST(careful.post("/v1/categories", named("Dogs")).value()["id"].integer() == 1);
  const answer made = careful.post("/v1/pets", R"({"name":"Rex","categoryId":1})");
  BOOST_TEST(made.status == 201);
  expect_error(careful.patch(made["Location"], R"({"categoryId":2})"), 400, "invalid_request");
  BOOST_TEST(strict.close() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
