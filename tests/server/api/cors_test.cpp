// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/cors.hpp"

#include <boost/test/unit_test.hpp>

#include "service_fixture.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(cors_of_browsers)

namespace {

service_options with_origins(std::vector<std::string> origins) {
  service_options options;
  options.cors_origins = std::move(origins);
  return options;
}

question preflight(std::string target, std::string origin = "https://shop.example") {
  return {.method = method::options,
          .target = std::move(target),
          .fields = {{"Origin", std::move(origin)}, {"Access-Control-Request-Method", "PATCH"}}};
}

BOOST_AUTO_TEST_CASE(while_it_is_off_a_preflight_is_401_and_no_field_is_added) {
  service_fixture s;
  auto const a = s.ask(preflight("/v1/pets/1"));
  BOOST_TEST(a.status == 401u);
  BOOST_TEST(a.field("Access-Control-Allow-Origin") == "");
  BOOST_TEST(a.field("Vary") == "");
}

BOOST_AUTO_TEST_CASE(a_preflight_needs_no_key_and_tells_what_may_follow) {
  service_fixture s{with_origins({"https://shop.example"})};
  auto const a = s.ask(preflight("/v1/pets/1"));
  BOOST_TEST(a.status == 204u);
  BOOST_TEST(a.field("Access-Control-Allow-Origin") == "https://shop.example");
  BOOST_TEST(a.field("Access-Control-Allow-Methods") == "GET, HEAD, PATCH, DELETE, OPTIONS");
  BOOST_TEST(a.field("Allow") ==
             a.field("Access-Control-Allow-Methods"));  // OPTIONS with a key may have these fields, too
  BOOST_TEST(a.field("Access-Control-Allow-Headers").find("Authorization") != std::string::npos);
  BOOST_TEST(a.field("Access-Control-Allow-Headers").find("Idempotency-Key") != std::string::npos);
  BOOST_TEST(a.field("Vary") == "Origin");
  BOOST_TEST(a.field("X-RateLimit-Remaining") == "59");
  // From the keyless bucket: the address may still fail to authenticate 60 times.
  BOOST_TEST(s.ask({.target = "/v1/pets"}).field("X-RateLimit-Remaining") == "59");
}

BOOST_AUTO_TEST_CASE(origins_and_the_limit_of_strangers_may_change_between_two_requests) {
  service_fixture s;
  question const from_shop{.target = "/v1/pets", .fields = {{"Origin", "https://shop.example"}}};
  BOOST_TEST(s.ask(from_shop).field("Access-Control-Allow-Origin") == "");
  service_options fresh;
  fresh.anonymous.short_window = limits::per_minute(5);
  fresh.cors_origins = {"https://shop.example"};
  s.tested->reconfigure(fresh);
  auto const a = s.ask(from_shop);
  BOOST_TEST(a.field("Access-Control-Allow-Origin") == "https://shop.example");
  BOOST_TEST(a.field("X-RateLimit-Limit") == "5");
  BOOST_TEST(a.field("X-RateLimit-Remaining") == "3");  // what was used stays used
  BOOST_TEST(s.ask(preflight("/v1/pets/1")).status == 204u);
  fresh.cors_origins = {"*"};
  s.tested->reconfigure(fresh);
  BOOST_TEST(s.ask(from_shop).field("Access-Control-Allow-Origin") == "*");
  s.tested->reconfigure({});
  BOOST_TEST(s.ask(from_shop).field("Access-Control-Allow-Origin") == "");
}

BOOST_AUTO_TEST_CASE(a_preflight_to_nowhere_lets_the_page_see_the_404) {
  service_fixture s{with_origins({"*"})};
  auto const a = s.ask(preflight("/v1/nothing"));
  BOOST_TEST(a.status == 204u);
  BOOST_TEST(a.field("Access-Control-Allow-Origin") == "*");
  BOOST_TEST(a.field("Access-Control-Allow-Methods") == "GET, HEAD, POST, PATCH, DELETE, OPTIONS");
  BOOST_TEST(a.field("Vary") == "");
}

BOOST_AUTO_TEST_CASE(options_without_the_fields_of_a_preflight_needs_a_key) {
  service_fixture s{with_origins({"*"})};
  BOOST_TEST(s.ask({.method = method::options}).status == 401u);
  BOOST_TEST(s.ask({.method = method::options, .fields = {{"Origin", "https://shop.example"}}}).status == 401u);
}

BOOST_AUTO_TEST_CASE(every_answer_to_a_known_origin_exposes_its_fields) {
  service_fixture s{with_origins({"https://shop.example"})};
  auto const key = s.make_key();
  question q{.key = key, .fields = {{"Origin", "https://shop.example"}}};
  auto const check = [](answer const& a) {
    BOOST_TEST(a.field("Access-Control-Allow-Origin") == "https://shop.example");
    auto const exposed = a.field("Access-Control-Expose-Headers");
    for (auto const* name :
         {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Resource", "RateLimit",
          "RateLimit-Policy", "Link", "Location", "ETag", "Retry-After", "X-Request-Id"})
      BOOST_TEST(exposed.find(name) != std::string::npos, name);
  };
  check(s.ask(q));
  q.key.clear();
  check(s.ask(q));
  check(s.refuse(errc::malformed_http, "", q));
}

BOOST_AUTO_TEST_CASE(an_unknown_origin_is_not_allowed) {
  service_fixture s{with_origins({"https://shop.example"})};
  for (auto const* origin : {"https://evil.example", "http://shop.example", "https://shop.example:8443", "null"}) {
    auto const a = s.ask({.key = s.make_key(), .fields = {{"Origin", origin}}});
    BOOST_TEST(a.status == 200u);
    BOOST_TEST(a.field("Access-Control-Allow-Origin") == "", origin);
    BOOST_TEST(a.field("Vary") == "Origin");
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
