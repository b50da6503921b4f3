// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <random>
#include <ranges>

#include "contract/client.hpp"
#include "contract/expectations.hpp"

using namespace contract;

namespace {

// Makes requests of many kinds, the same in every run. Most have long values where the answer may repeat a value.
class generator {
 public:
  request next() {
    request made{any(methods), any(paths), {}, {}};
    const auto parameters = below(5);
    for (std::size_t n = 0; n < parameters; ++n)
      made.target += (n == 0 ? '?' : '&') + any(parameter_names) + '=' + any(parameter_values);
    if (below(2) == 0) made.target += (parameters == 0 ? "?" : "&") + junk();
    const auto count = below(4);
    for (std::size_t n = 0; n < count; ++n) made.headers.emplace_back(any(field_names), field_value());
    if (made.method == "POST" || made.method == "PATCH") {
      made.headers.emplace_back("Content-Type", "application/json");
      made.body = any(bodies);
    }
    return made;
  }

 private:
  using texts = std::vector<std::string>;

  std::size_t below(std::size_t end) { return random_() % end; }
  const std::string& any(const texts& from) { return from[below(from.size())]; }
  std::string junk() { return std::string(below(7'000), any({"\"", "a", "%3E", "<", "&x=", "%"})[0]); }
  std::string field_value() {
    return below(2) == 0 ? any(field_values) : std::string(below(900), any({"\"", "a", ","})[0]);
  }

  const texts methods{"GET", "GET", "GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS", "PUT"};
  const texts paths{"/v1/pets",
                    "/v1/pets/1",
                    "/v1/pets/99",
                    "/v1/store/orders",
                    "/v1/store/orders/1",
                    "/v1/categories",
                    "/v1/quota",
                    "/v1/openapi.json",
                    "/docs",
                    "/v1/nowhere",
                    "/%zz",
                    "*"};
  const texts parameter_names{"limit", "status", "categoryId", "petId", "cursor", "%6cimit", "x"};
  const texts parameter_values{"1", "2", "%31", "available", "-9223372036854775808", "", "ps_live_0123"};
  const texts field_names{"X-Request-Id",
                          "Origin",
                          "Access-Control-Request-Method",
                          "Access-Control-Request-Headers",
                          "If-None-Match",
                          "If-Match",
                          "Idempotency-Key",
                          "traceparent",
                          "tracestate",
                          "Accept",
                          "Via",
                          "Expect",
                          "X-Forwarded-For"};
  const texts field_values{"https://example.org", "PATCH", "*", "text/html", "100-continue", "192.0.2.1"};
  const texts bodies{"{}", R"({"name":"Rex","categoryId":1})", "[", R"({"petId":1})"};
  std::mt19937 random_{20'261'123};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(answer_heads)

// A proxy in front of the service has a buffer for heads, and treats a node as broken whose heads do not fit.
BOOST_AUTO_TEST_CASE(no_request_gets_an_answer_whose_head_is_longer_than_2_kib) {
  test_node node;
  node.open({"--demo", "--cors-origins", "https://example.org", "--anonymous-per-minute", "100000"});
  client api(node, node.create_key().secret);
  client anonymous(node, "");
  BOOST_TEST_REQUIRE(
      eventually([&] { return api.get("/v1/quota").status == 200; }));  // the key has reached the service
  std::map<int, std::size_t> longest;
  generator requests;
  for (int n = 0; n < 3'000; ++n) {
    const request asked = requests.next();
    const answer got = (n % 8 == 0 ? anonymous : api).ask(asked);
    auto& most = longest[got.status];
    most = std::max(most, got.head_bytes);
    BOOST_TEST(got.head_bytes <= answer_head_bytes_max,
               asked.method << " " << asked.target << " got " << got.head_bytes);
  }
  for (int status : {200, 201, 204, 400, 401, 404, 405}) BOOST_TEST(longest.contains(status), "nothing got " << status);
  BOOST_TEST_MESSAGE("the longest head has " << std::ranges::max(longest | std::views::values) << " bytes");
}

BOOST_AUTO_TEST_SUITE_END()
