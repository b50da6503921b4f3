// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "petstore/server/static_site.hpp"
#include "service_fixture.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(documentation_redirects)

namespace {

static_site const site{{{.path = "/docs", .type = "text/html", .body = "<p>"}}};

service_options with_pages() {
  service_options options;
  options.base_path = "/shop/v2";
  options.documentation = &site;
  return options;
}

question of_browser(std::string target) {
  return {.target = std::move(target), .fields = {{"Accept", "text/html,application/xhtml+xml,*/*;q=0.8"}}};
}

bool leads_to(answer const& a, std::string_view to) {
  return a.status == 302u && a.field("Location") == to && a.body.empty() && a.field("Content-Type").empty();
}

BOOST_AUTO_TEST_CASE(the_front_leads_a_browser_to_the_documentation) {
  service_fixture s{with_pages()};
  auto const a = s.ask(of_browser("/"));
  BOOST_TEST(leads_to(a, "/docs"));
  BOOST_TEST(a.field("Vary") == "Accept");
  BOOST_TEST(a.field("Cache-Control") == "no-cache");
  BOOST_TEST(a.operation == "getDocumentation");
}

BOOST_AUTO_TEST_CASE(the_front_tells_a_program_where_the_documentation_is) {
  service_fixture s{with_pages()};
  for (auto const m : {method::get, method::head}) {
    auto const a = s.ask({.method = m, .target = "/", .fields = {{"Accept", "*/*"}}});
    check_error(a, errc::not_found);
    BOOST_TEST(a.message() ==
               "There is nothing here. The documentation is at /docs, the OpenAPI document at /shop/v2/openapi.json.");
  }
}

BOOST_AUTO_TEST_CASE(near_misses_lead_to_what_was_meant) {
  service_fixture s{with_pages()};
  BOOST_TEST(leads_to(s.ask({.target = "/docs/"}), "/docs"));
  BOOST_TEST(leads_to(s.ask({.method = method::head, .target = "/%64ocs/"}), "/docs"));
  BOOST_TEST(leads_to(s.ask({.target = "/openapi.json?x=1"}), "/shop/v2/openapi.json"));
}

BOOST_AUTO_TEST_CASE(redirects_are_charged_as_pages_are) {
  service_fixture s{with_pages()};
  BOOST_TEST(s.ask({.target = "/"}).field("X-RateLimit-Remaining") == "599");
  BOOST_TEST(s.ask(of_browser("/")).field("X-RateLimit-Remaining") == "598");
  BOOST_TEST(s.ask({.target = "/docs/"}).field("X-RateLimit-Remaining") == "597");
  BOOST_TEST(s.ask({.target = "/shop/v2/pets"}).field("X-RateLimit-Remaining") == "59");
}

BOOST_AUTO_TEST_CASE(a_redirect_is_an_unknown_path_to_other_methods) {
  service_fixture s{with_pages()};
  auto const key = s.make_key();
  for (auto const* path : {"/", "/docs/", "/openapi.json"}) {
    for (auto const m : {method::post, method::put, method::delete_, method::options}) {
      check_error(s.ask({.method = m, .target = path}), errc::unauthorized);
      check_error(s.ask({.method = m, .target = path, .key = key}), errc::not_found);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_service_without_pages_has_no_redirects) {
  service_fixture s;
  for (auto const* path : {"/", "/docs/", "/openapi.json"}) check_error(s.ask(of_browser(path)), errc::unauthorized);
}

BOOST_AUTO_TEST_CASE(a_401_says_where_the_documentation_is) {
  service_fixture s{with_pages()};
  auto const told = [&s](std::string key) { return s.get("/shop/v2/pets", std::move(key)).message(); };
  auto const where = std::string{"The documentation is at /docs, the OpenAPI document at /shop/v2/openapi.json."};
  BOOST_TEST(told("") == "A valid API key is needed: Authorization: Bearer <API_KEY>. " + where);
  BOOST_TEST(told("ps_live_guess") == "This API key is not valid. " + where);
  service_fixture bare;
  BOOST_TEST(
      bare.get("/v1/pets", "").message() ==
      "A valid API key is needed: Authorization: Bearer <API_KEY>. The OpenAPI document is at /v1/openapi.json.");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
