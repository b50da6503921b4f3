// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/static_site.hpp"

#include <boost/test/unit_test.hpp>

#include "service_fixture.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(static_pages)

namespace {

static_site const site{{{.path = "/docs", .type = "text/html", .body = "<p>", .policy = "default-src 'none'"},
                        {.path = "/docs/all.js", .type = "text/javascript", .body = "plain", .gzip = "packed"}}};

service_options with_pages() {
  service_options options;
  options.documentation = &site;
  return options;
}

BOOST_AUTO_TEST_CASE(a_page_needs_no_key_and_is_charged_as_pages_are) {
  service_fixture s{with_pages()};
  auto const a = s.ask({.target = "/docs"});
  BOOST_TEST(a.status == 200u);
  BOOST_TEST(a.body == "<p>");
  BOOST_TEST(a.operation == "getDocumentation");
  BOOST_TEST(a.field("Content-Type") == "text/html");
  BOOST_TEST(a.field("Content-Security-Policy") == "default-src 'none'");
  BOOST_TEST(a.field("Cache-Control") == "no-cache");
  BOOST_TEST(a.field("X-Content-Type-Options") == "nosniff");
  BOOST_TEST(a.field("X-RateLimit-Limit") == "600");
  BOOST_TEST(a.field("X-RateLimit-Remaining") == "599");
  BOOST_TEST(s.ask({.target = "/v1/openapi.json"}).field("X-RateLimit-Remaining") == "59");
  BOOST_TEST(s.ask({.target = "/v1/pets"}).field("X-RateLimit-Remaining") == "59");
}

BOOST_AUTO_TEST_CASE(sixty_visits_from_one_address_in_a_minute_are_all_answered) {
  service_fixture s{with_pages()};
  for (int visit = 0; visit < 60; ++visit)
    for (auto const* target :
         {"/docs", "/docs/all.js", "/docs/all.js", "/docs/all.js", "/v1/openapi.json"})  // as docs.html
      BOOST_TEST(s.ask({.target = target}).status == 200u);
  BOOST_TEST(s.ask({.target = "/v1/pets"}).field("X-RateLimit-Remaining") == "59");
}

BOOST_AUTO_TEST_CASE(each_coding_has_a_tag_of_its_own) {
  service_fixture s{with_pages()};
  auto const plain = s.ask({.target = "/docs/all.js"});
  auto const packed = s.ask({.target = "/docs/all.js", .fields = {{"Accept-Encoding", "gzip"}}});
  BOOST_TEST(plain.body == "plain");
  BOOST_TEST(packed.body == "packed");
  BOOST_TEST(packed.field("Content-Encoding") == "gzip");
  BOOST_TEST(plain.field("Vary") == "Accept-Encoding");
  BOOST_TEST(plain.field("ETag") != packed.field("ETag"));

  auto const known = packed.field("ETag");
  auto const again =
      s.ask({.target = "/docs/all.js", .fields = {{"Accept-Encoding", "gzip"}, {"If-None-Match", known}}});
  BOOST_TEST(again.status == 304u);
  BOOST_TEST(again.body.empty());
  BOOST_TEST(again.field("ETag") == known);
  BOOST_TEST(again.field("Vary") == "Accept-Encoding");
  BOOST_TEST(s.ask({.target = "/docs/all.js", .fields = {{"If-None-Match", known}}}).status == 200u);
}

BOOST_AUTO_TEST_CASE(what_is_beside_the_pages_is_as_it_was) {
  service_fixture s{with_pages()};
  for (auto const* path : {"/docs/none.js", "/v1/docs", "/docsx"})
    BOOST_TEST(s.ask({.target = path}).status == 401u, path);
  BOOST_TEST(s.ask({.target = "/%64ocs"}).status == 200u);
  auto const wrong = s.ask({.method = method::post, .target = "/docs"});
  BOOST_TEST(wrong.status == 405u);
  BOOST_TEST(wrong.field("Allow") == "GET, HEAD, OPTIONS");
  BOOST_TEST(wrong.field("Content-Type") == "application/json");
  auto const broken = s.ask({.target = "/docs", .fields = {{"If-None-Match", "bare"}}});
  check_error(broken, errc::invalid_request);

  service_fixture bare;
  BOOST_TEST(bare.ask({.target = "/docs"}).status == 401u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
