// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "contract/client.hpp"
#include "contract/expectations.hpp"

using namespace contract;

namespace {

// Whether a list in a CORS field has a name; the case of letters does not matter.
bool names(const std::string& list, std::string wanted) {
  const auto lower = [](std::string text) {
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return text;
  };
  return list_has(lower(list), lower(std::move(wanted)));
}

struct shared_node {
  shared_node() { node.open({"--cors-origins", "https://example.org"}); }

  test_node node;
  issued_key key = node.create_key();
};

const field origin{"Origin", "https://example.org"};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(cors, shared_node)

BOOST_AUTO_TEST_CASE(a_preflight_needs_no_key_and_names_what_may_be_asked) {
  client browser(node, "");
  const answer got = browser.options("/v1/pets/1", {origin,
                                                    {"Access-Control-Request-Method", "PATCH"},
                                                    {"Access-Control-Request-Headers", "authorization,if-match"}});
  BOOST_TEST(got.status == 204);
  BOOST_TEST(got["Access-Control-Allow-Origin"] == "https://example.org");
  BOOST_TEST(names(got["Access-Control-Allow-Methods"], "PATCH"));
  for (const char* header : {"Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key"}) {
    BOOST_TEST(names(got["Access-Control-Allow-Headers"], header), header);
  }
  BOOST_TEST(names(got["Vary"], "Origin"));
  // A preflight request has no key, so it is charged to the bucket of the keyless pages.
  const answer page = browser.get("/v1/openapi.json");
  BOOST_TEST(page.integer("X-RateLimit-Remaining") == got.integer("X-RateLimit-Remaining") - 1);
}

BOOST_AUTO_TEST_CASE(every_answer_may_be_read_by_the_origin) {
  client api(node, key.secret);
  client anonymous(node, "");
  const answer answers[] = {
      api.get("/v1/pets", {origin}), api.get("/v1/nowhere", {origin}), api.get("/v1/pets?limit=0", {origin}),
      api.post("/v1/pets", R"({"name":"Rex","categoryId":1})", {origin}), anonymous.get("/v1/pets", {origin})};
  for (const answer& got : answers) {
    BOOST_TEST_CONTEXT(got.status) {
      BOOST_TEST(got["Access-Control-Allow-Origin"] == "https://example.org");
      BOOST_TEST(names(got["Vary"], "Origin"));
      for (const char* header :
           {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Resource", "RateLimit",
            "RateLimit-Policy", "Link", "Location", "ETag", "Retry-After", "X-Request-Id"}) {
        BOOST_TEST(names(got["Access-Control-Expose-Headers"], header), header);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_refusal_may_be_read_too) {
  const issued_key tiny = node.create_key({"--plan", "pro", "--per-minute", "1", "--per-day", "9"});
  client api(node, tiny.secret);
  BOOST_TEST(eventually([&] { return api.ask({"GET", "/v1/pets", {}, {}}).status == 200; }));
  const answer refused = api.get("/v1/pets", {origin});
  expect_error(refused, 429, "rate_limited");
  BOOST_TEST(refused["Access-Control-Allow-Origin"] == "https://example.org");
}

BOOST_AUTO_TEST_CASE(another_origin_is_given_nothing) {
  client api(node, key.secret);
  for (const char* other : {"https://example.com", "http://example.org", "https://example.org:444", "null",
                            "https://example.org.evil.example", "https://EXAMPLE.org.evil"}) {
    BOOST_TEST(!api.get("/v1/pets", {{"Origin", other}}).has("Access-Control-Allow-Origin"));
    const answer preflight = api.options("/v1/pets", {{"Origin", other}, {"Access-Control-Request-Method", "GET"}});
    BOOST_TEST(!preflight.has("Access-Control-Allow-Origin"));
  }
  BOOST_TEST(!api.get("/v1/pets").has("Access-Control-Allow-Origin"));
}

BOOST_AUTO_TEST_CASE(options_with_a_key_is_no_preflight) {
  client api(node, key.secret);
  const answer got = api.options("/v1/pets", {origin});
  BOOST_TEST(got.status == 204);
  BOOST_TEST(list_has(got["Allow"], "POST"));
  expect_error(client(node, "").options("/v1/pets", {origin}), 401, "unauthorized");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(cors_off, on_open_node, *boost::unit_test::fixture<open_node>())

BOOST_AUTO_TEST_CASE(without_origins_there_is_no_cors) {
  client browser(node, "");
  const answer preflight = browser.options("/v1/pets", {origin, {"Access-Control-Request-Method", "GET"}});
  expect_error(preflight, 401, "unauthorized");
  for (const answer& got : {preflight, api.get("/v1/pets", {origin})}) {
    BOOST_TEST(!got.has("Access-Control-Allow-Origin"));
    BOOST_TEST(!got.has("Access-Control-Expose-Headers"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
