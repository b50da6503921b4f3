// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "service_fixture.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(categories)

namespace {

BOOST_AUTO_TEST_CASE(a_category_is_created_and_found_again) {
  service_fixture s;
  auto const key = s.make_key();
  auto const made = s.send(method::post, "/v1/categories", key, R"({"name":"Cats"})");
  BOOST_TEST(made.status == 201u);
  BOOST_TEST(made.body == R"({"id":1,"name":"Cats"})");
  BOOST_TEST(made.field("Location") == "/v1/categories/1");
  auto const got = s.get("/v1/categories/1", key);
  BOOST_TEST(got.status == 200u);
  BOOST_TEST(got.body == made.body);
  BOOST_TEST(got.field("ETag") == made.field("ETag"));
  auto const known =
      s.ask({.target = "/v1/categories/1", .key = key, .fields = {{"If-None-Match", got.field("ETag")}}});
  BOOST_TEST(known.status == 304u);
  BOOST_TEST(s.get("/v1/categories/2", key).status == 404u);
}

BOOST_AUTO_TEST_CASE(a_name_is_taken_once_case_sensitively) {
  service_fixture s;
  auto const key = s.make_key();
  BOOST_TEST(s.send(method::post, "/v1/categories", key, R"({"name":"Cats"})").status == 201u);
  BOOST_TEST(s.send(method::post, "/v1/categories", key, R"({"name":"Cats"})").status == 409u);
  BOOST_TEST(s.send(method::post, "/v1/categories", key, R"({"name":"cats"})").status == 201u);
  BOOST_TEST(s.send(method::post, "/v1/categories", key, R"({"name":" "})").status == 400u);
}

BOOST_AUTO_TEST_CASE(categories_are_listed_in_pages) {
  service_fixture s;
  auto const key = s.make_key();
  for (auto const* name : {"a", "b", "c"})
    s.send(method::post, "/v1/categories", key, std::string{R"({"name":")"} + name + R"("})");
  auto const first = s.get("/v1/categories?limit=2", key);
  BOOST_TEST(first.body == R"([{"id":1,"name":"a"},{"id":2,"name":"b"}])");
  auto const link = first.field("Link");
  BOOST_REQUIRE(link.starts_with("</v1/categories?limit=2&cursor="));
  auto const second = s.get(link.substr(1, link.find('>') - 1), key);
  BOOST_TEST(second.body == R"([{"id":3,"name":"c"}])");
  BOOST_TEST(second.field("Link") == "");
  // It has no such filter, so the parameter is unknown and ignored.
  BOOST_TEST(s.get("/v1/categories?status=lost&status=lost", key).status == 200u);
  BOOST_TEST(s.get("/v1/categories?limit=0", key).status == 400u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
