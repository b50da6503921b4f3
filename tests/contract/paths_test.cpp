// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <set>

#include "contract/client.hpp"
#include "contract/expectations.hpp"

using namespace contract;

namespace {

struct served_path {
  const char* path;
  std::set<std::string> methods;
};

// HEAD is allowed with GET, and OPTIONS for every path.
const std::set<std::string> collection{"GET", "HEAD", "OPTIONS", "POST"};
const std::set<std::string> animal{"DELETE", "GET", "HEAD", "OPTIONS", "PATCH"};
const std::set<std::string> read_only{"GET", "HEAD", "OPTIONS"};
const std::set<std::string> order{"GET", "HEAD", "OPTIONS", "PATCH"};
const served_path served_paths[] = {{"/v1/pets", collection},         {"/v1/pets/7", animal},
                                    {"/v1/categories", collection},   {"/v1/categories/7", read_only},
                                    {"/v1/store/orders", collection}, {"/v1/store/orders/7", order},
                                    {"/v1/quota", read_only}};

std::set<std::string> allowed_by(const answer& got) {
  const auto members = list_members(got["Allow"]);
  return {members.begin(), members.end()};
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(paths, on_open_node, *boost::unit_test::fixture<open_node>())

BOOST_AUTO_TEST_CASE(options_answers_204_with_the_methods_of_the_path) {
  for (const auto& [path, methods] : served_paths) {
    BOOST_TEST_CONTEXT(path) {
      const answer got = api.options(path);
      BOOST_TEST(got.status == 204);
      BOOST_TEST(allowed_by(got) == methods, boost::test_tools::per_element());
    }
  }
  expect_error(api.options("/v1/nowhere"), 404, "not_found");
}

BOOST_AUTO_TEST_CASE(a_method_the_path_does_not_have_is_refused_with_those_it_has) {
  for (const auto& [path, methods] : served_paths) {
    for (const char* method : {"DELETE", "PATCH", "POST", "PUT"}) {
      if (methods.contains(method)) continue;
      BOOST_TEST_CONTEXT(method << " " << path) {
        const answer got = api.send({method, path, {}, {}});
        expect_error(got, 405, "method_not_allowed");
        BOOST_TEST(allowed_by(got) == methods, boost::test_tools::per_element());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_path_that_does_not_exist_is_not_found_for_every_method) {
  for (const char* path : {"/",
                           "/v1",
                           "/v1/",
                           "/v1/pets/",
                           "/v1//pets",
                           "//v1/pets",
                           "/v1/pets/1/",
                           "/v1/pets/1/2",
                           "/V1/pets",
                           "/v1/Pets",
                           "/pets",
                           "/v2/pets",
                           "/v1/store",
                           "/v1/store/",
                           "/v1/orders",
                           "/v1/store/orders/",
                           "/v1/quota/",
                           "/v1/pets;a=b",
                           "/v1/./pets",
                           "/v1/x/../pets",
                           "/v1%2Fpets",
                           "/v1/pets%2F1",
                           "/v1/pets%20",
                           "/v1/%70%65%74%73%00",
                           "/v1/categories/",
                           "/v1/p%2565ts",
                           "/v1/pets%3Flimit=1"}) {
    BOOST_TEST_CONTEXT(path) {
      for (const char* method : {"GET", "POST", "PUT", "DELETE", "OPTIONS"}) {
        expect_error(api.send({method, path, {}, {}}), 404, "not_found");
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_path_is_decoded_once_after_it_is_split) {
  const std::int64_t id = api.make_pet();
  const std::string digits = std::to_string(id);
  std::string encoded, twice;
  for (const char digit : digits) {
    encoded += "%3" + std::string(1, digit);
    twice += "%253" + std::string(1, digit);
  }
  BOOST_TEST(api.get("/v1/p%65ts?limit=1").status == 200);
  BOOST_TEST(api.get("/%76%31/%70ets/" + encoded).value()["id"].integer() == id);
  expect_error(api.get("/v1/pets/" + twice), 404, "not_found");
  for (const char* broken : {"/v1/pets/%", "/v1/pets/%3", "/v1/pets/%zz", "/v1/pets/%-1"}) {
    const answer got = api.get(broken);
    BOOST_TEST((got.status == 400 || got.status == 404), broken << " answered " << got.status);
  }
}

BOOST_AUTO_TEST_CASE(the_absolute_form_of_a_target_means_its_path) {
  BOOST_TEST(api.get("http://pets.example/v1/pets?limit=1").status == 200);
  expect_error(api.get("http://pets.example/v1/nowhere"), 404, "not_found");
}

BOOST_AUTO_TEST_CASE(head_answers_wherever_get_does) {
  const std::string pet = pet_path(api.make_pet());
  for (const std::string& target : {pet, std::string("/v1/pets"), std::string("/v1/categories"),
                                    std::string("/v1/store/orders"), std::string("/v1/openapi.json")}) {
    BOOST_TEST_CONTEXT(target) {
      const answer got = api.get(target);
      const answer head = api.head(target);
      BOOST_TEST(head.status == 200);
      BOOST_TEST(head["Content-Length"] == std::to_string(got.body.size()));
      BOOST_TEST(head.has("ETag") == got.has("ETag"));
    }
  }
  BOOST_TEST(api.head("/v1/quota").status == 200);
  BOOST_TEST(api.head("/v1/nowhere").status == 404);
}

BOOST_AUTO_TEST_CASE(without_a_key_every_path_is_unauthorized) {
  client anonymous(node, "");
  for (const char* path : {"/v1", "/v1/", "/v1/pets", "/v1/pets/", "/v1/pets/1", "/v1/pets/abc", "/v1/nowhere",
                           "/v1/pets?limit=0", "/v1/quota", "/v1/store/orders", "/v1/categories", "/nowhere"}) {
    for (const char* method : {"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"}) {
      BOOST_TEST_CONTEXT(method << " " << path) {
        const answer got = anonymous.send({method, path, {}, {}});
        expect_error(got, 401, "unauthorized");
        BOOST_TEST(got["WWW-Authenticate"] == "Bearer realm=\"petstore\"");
        BOOST_TEST(got.value()["message"].text().find("/docs") != std::string::npos);
      }
    }
    BOOST_TEST(anonymous.head(path).status == 401);
  }
}

BOOST_AUTO_TEST_CASE(who_looks_for_the_documentation_is_led_there) {
  client visitor(node, "");
  const fields by_browser{{"Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}};
  const auto expect_way = [](const answer& got, std::string_view to) {
    BOOST_TEST(got.status == 302);
    BOOST_TEST(got["Location"] == to);
  };
  expect_way(visitor.ask({"GET", "/", by_browser, {}}), "/docs");
  expect_way(visitor.ask({"GET", "/docs/", {}, {}}), "/docs");
  expect_way(visitor.ask({"GET", "/openapi.json", {}, {}}), "/v1/openapi.json");
  const answer front = visitor.get("/");
  expect_error(front, 404, "not_found");
  BOOST_TEST(front.value()["message"].text().find("/docs") != std::string::npos);
  expect_error(visitor.post("/", "{}"), 401, "unauthorized");
}

BOOST_AUTO_TEST_CASE(base_paths_are_a_setting) {
  test_node elsewhere;
  const issued_key key = elsewhere.create_key();
  elsewhere.open({"--base-path", "/animals/v1"});
  client moved(elsewhere, key.secret);
  const answer made = moved.post("/animals/v1/pets", R"({"name":"Rex","categoryId":1})");
  BOOST_TEST(made.status == 201);
  BOOST_TEST(made["Location"] == "/animals/v1/pets/1");
  moved.post("/animals/v1/pets", R"({"name":"Max","categoryId":1})");
  BOOST_TEST(moved.get("/animals/v1/pets?limit=1")["Link"].starts_with("</animals/v1/pets?"));
  expect_error(moved.get("/v1/pets"), 404, "not_found");
  BOOST_TEST(elsewhere.close() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
