// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "contract/client.hpp"
#include "contract/expectations.hpp"

using namespace contract;

namespace {

struct tagged : on_open_node {
  // The paths of one animal, one order and one category.
  std::string pet = pet_path(api.make_pet());
  std::string order = "/v1/store/orders/" + std::to_string(api.make_order(api.make_pet()));
  std::string category = [this] {
    const answer made = api.post("/v1/categories", "{\"name\":\"made for " + pet + "\"}");
    return made["Location"];
  }();
};

bool is_strong(const std::string& etag) {
  return etag.size() > 2 && etag.front() == '"' && etag.back() == '"' && etag.find('"', 1) == etag.size() - 1;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(conditional, tagged, *boost::unit_test::fixture<open_node>())

BOOST_AUTO_TEST_CASE(each_thing_has_a_strong_etag_that_stays_until_it_changes) {
  for (const std::string& target : {pet, order, category}) {
    const std::string etag = api.get(target)["ETag"];
    BOOST_TEST(is_strong(etag), etag);
    BOOST_TEST(api.get(target)["ETag"] == etag);
    BOOST_TEST(api.head(target)["ETag"] == etag);
  }
  const std::string before = api.get(pet)["ETag"];
  const answer changed = api.patch(pet, R"({"name":"Max"})");
  BOOST_TEST(changed["ETag"] != before);
  BOOST_TEST(api.get(pet)["ETag"] == changed["ETag"]);
  const std::string placed = api.get(order)["ETag"];
  BOOST_TEST(api.patch(order, R"({"status":"approved"})")["ETag"] != placed);
}

BOOST_AUTO_TEST_CASE(what_is_created_is_answered_with_its_etag) {
  const answer made = api.post("/v1/pets", R"({"name":"Rex","categoryId":1})");
  BOOST_TEST(made["ETag"] == api.get(made["Location"])["ETag"]);
}

BOOST_AUTO_TEST_CASE(if_none_match_spares_the_body_of_what_is_known) {
  for (const std::string& target : {pet, order, category}) {
    const std::string etag = api.get(target)["ETag"];
    for (const std::string& condition : {etag, std::string("*"), "\"other\", " + etag, "\"other\"," + etag + " , \"x\"",
                                         "W/" + etag, "\"a,b\", " + etag}) {
      BOOST_TEST_CONTEXT(target << " If-None-Match: " << condition) {
        const answer got = api.get(target, {{"If-None-Match", condition}});
        BOOST_TEST(got.status == 304);
        BOOST_TEST(got["ETag"] == etag);
        BOOST_TEST(api.head(target, {{"If-None-Match", condition}}).status == 304);
      }
    }
    for (const std::string& condition : {std::string("\"other\""), "\"x" + etag.substr(1), std::string("\"*\"")}) {
      BOOST_TEST_CONTEXT(target << " If-None-Match: " << condition) {
        BOOST_TEST(api.get(target, {{"If-None-Match", condition}}).status == 200);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_changed_thing_is_sent_again) {
  const std::string etag = api.get(pet)["ETag"];
  api.patch(pet, R"({"name":"Max"})");
  BOOST_TEST(api.get(pet, {{"If-None-Match", etag}}).status == 200);
}

BOOST_AUTO_TEST_CASE(if_match_protects_from_lost_updates) {
  const std::string first = api.get(pet)["ETag"];
  const answer changed = api.patch(pet, R"({"name":"Max"})", {{"If-Match", first}});
  BOOST_TEST(changed.status == 200);
  expect_error(api.patch(pet, R"({"name":"Moritz"})", {{"If-Match", first}}), 412, "precondition_failed");
  expect_error(api.del(pet, {{"If-Match", first}}), 412, "precondition_failed");
  BOOST_TEST(api.get(pet).value()["name"].text() == "Max");
  const std::string second = changed["ETag"];
  BOOST_TEST(api.patch(pet, "{}", {{"If-Match", "\"other\", " + second}}).status == 200);
  BOOST_TEST(api.patch(pet, "{}", {{"If-Match", "*"}}).status == 200);
  // If-Match uses the strong comparison.
  expect_error(api.patch(pet, "{}", {{"If-Match", "W/" + api.get(pet)["ETag"]}}), 412, "precondition_failed");
  BOOST_TEST(api.del(pet, {{"If-Match", api.get(pet)["ETag"]}}).status == 204);
}

BOOST_AUTO_TEST_CASE(a_star_lets_a_deletion_pass_while_there_is_something) {
  BOOST_TEST(api.del(pet, {{"If-Match", "*"}}).status == 204);
  const answer again = api.del(pet, {{"If-Match", "*"}});
  BOOST_TEST((again.status == 404 || again.status == 412));
}

BOOST_AUTO_TEST_CASE(if_match_holds_for_orders) {
  const std::string first = api.get(order)["ETag"];
  BOOST_TEST(api.patch(order, R"({"status":"approved"})", {{"If-Match", first}}).status == 200);
  expect_error(api.patch(order, R"({"status":"delivered"})", {{"If-Match", first}}), 412, "precondition_failed");
  BOOST_TEST(api.get(order).value()["status"].text() == "approved");
}

BOOST_AUTO_TEST_SUITE_END()
