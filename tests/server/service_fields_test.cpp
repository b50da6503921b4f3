// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/service.hpp"

#include <boost/test/unit_test.hpp>

#include "api/operations.hpp"
#include "service_fixture.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(fields_of_answers)

namespace {

BOOST_AUTO_TEST_CASE(every_answer_of_getPet_says_that_it_goes_away) {
  service_fixture s;
  auto const key = s.make_key("free");
  s.send(method::post, "/v1/pets", key, rosa);
  auto const is_deprecated = [](answer const& a, unsigned status) {
    BOOST_TEST(a.status == status);
    BOOST_TEST(a.operation == "getPet");
    BOOST_TEST(a.field("Deprecation") == "@1780272000");
    BOOST_TEST(a.field("Sunset") == "Thu, 05 Dec 2030 00:00:00 GMT");
    BOOST_TEST(a.field("Link") == "</v1/pets?status=available>; rel=\"successor-version\"");
    BOOST_TEST(a.field("X-Stability") == "");
  };
  auto const got = s.get("/v1/pets/1", key);
  is_deprecated(got, 200);
  is_deprecated(s.ask({.method = method::head, .target = "/v1/pets/1", .key = key}), 200);
  is_deprecated(s.ask({.target = "/v1/pets/1", .key = key, .fields = {{"If-None-Match", "*"}}}), 304);
  is_deprecated(s.get("/v1/pets/2", key), 404);
  is_deprecated(s.get("/v1/pets/x", key), 404);
  is_deprecated(s.ask({.target = "/v1/pets/1", .key = key, .fields = {{"If-None-Match", "x"}}}), 400);
  is_deprecated(s.ask({.target = "/v1/pets/1"}), 401);
  is_deprecated(s.ask({.method = method::head, .target = "/v1/pets/1"}), 401);
  s.fail_store_with(error{errc::unavailable, {}, {}});
  is_deprecated(s.get("/v1/pets/1", key), 503);
  s.fail_store_with({});
  for (int i = 0; i < 60; ++i) s.get("/v1/pets", key);
  is_deprecated(s.get("/v1/pets/1", key), 429);

  for (auto const m : {method::patch, method::delete_, method::options, method::put})
    BOOST_TEST(s.ask({.method = m, .target = "/v1/pets/1", .key = key}).field("Deprecation") == "");
}

BOOST_AUTO_TEST_CASE(what_the_contract_does_not_name_is_beta) {
  service_fixture s;
  auto const key = s.make_key();
  for (auto const& op : operations) {
    if (&op == &documentation_row) continue;  // not below the base path: static_site_test.cpp
    std::string target = "/v1" + std::string{op.path};
    if (auto const brace = target.find('{'); brace != std::string::npos) target.replace(brace, std::string::npos, "1");
    auto const a = s.ask({.method = op.method, .target = target, .key = key});
    BOOST_TEST(a.operation == op.name);
    BOOST_TEST(a.field("X-Stability") == (op.stability == stability::beta ? "beta" : ""), op.name);
  }
}

BOOST_AUTO_TEST_CASE(options_lists_what_a_path_has) {
  service_fixture s;
  auto const key = s.make_key();
  auto const options = [&](std::string target) {
    return s.ask({.method = method::options, .target = std::move(target), .key = key});
  };
  auto const pet = options("/v1/pets/1");
  BOOST_TEST(pet.status == 204u);
  BOOST_TEST(pet.body == "");
  BOOST_TEST(pet.field("Allow") == "GET, HEAD, PATCH, DELETE, OPTIONS");
  BOOST_TEST(pet.field("Accept-Patch") == "application/merge-patch+json, application/json");
  BOOST_TEST(pet.field("Content-Type") == "");
  auto const pets = options("/v1/pets");
  BOOST_TEST(pets.field("Allow") == "GET, HEAD, POST, OPTIONS");
  BOOST_TEST(pets.field("Accept-Patch") == "");
  check_error(options("/v1/nothing"), errc::not_found);
  check_error(options("/v1/pets/x"), errc::not_found);
}

BOOST_AUTO_TEST_CASE(options_of_the_service_lists_what_any_path_has) {
  service_fixture s;
  auto const a = s.ask({.method = method::options, .target = "*", .key = s.make_key()});
  BOOST_TEST(a.status == 204u);
  BOOST_TEST(a.field("Allow") == "GET, HEAD, POST, PATCH, DELETE, OPTIONS");
  check_error(s.ask({.method = method::options, .target = "*"}), errc::unauthorized);
}

BOOST_AUTO_TEST_CASE(a_wrong_method_is_told_the_right_ones) {
  service_fixture s;
  auto const key = s.make_key();
  auto const a = s.send(method::post, "/v1/pets/1", key, rosa);
  check_error(a, errc::method_not_allowed);
  BOOST_TEST(a.field("Allow") == "GET, HEAD, PATCH, DELETE, OPTIONS");
}

BOOST_AUTO_TEST_CASE(what_can_be_patched_says_so) {
  service_fixture s;
  auto const key = s.make_key();
  s.send(method::post, "/v1/pets", key, rosa);
  s.send(method::post, "/v1/categories", key, R"({"name":"Cats"})");
  constexpr std::string_view types = "application/merge-patch+json, application/json";
  BOOST_TEST(s.get("/v1/pets/1", key).field("Accept-Patch") == types);
  BOOST_TEST(s.send(method::patch, "/v1/pets/1", key, "{}").field("Accept-Patch") == types);
  BOOST_TEST(s.get("/v1/categories/1", key).field("Accept-Patch") == "");
}

BOOST_AUTO_TEST_CASE(a_wrong_patch_type_is_told_the_right_ones) {
  service_fixture s;
  auto const key = s.make_key();
  auto const a = s.ask({.method = method::patch,
                        .target = "/v1/pets/1",
                        .key = key,
                        .body = "{}",
                        .content_type = "application/json-patch+json"});
  check_error(a, errc::unsupported_media_type);
  BOOST_TEST(a.field("Accept-Patch") == "application/merge-patch+json, application/json");
}

BOOST_AUTO_TEST_CASE(rate_limit_fields_can_be_switched_off) {
  service_options options;
  options.rate_limit_fields = limits::rate_limit_fields::off;
  service_fixture s{options};
  auto const a = s.ask({.target = "/v1/pets"});
  BOOST_TEST(a.field("RateLimit") == "");
  BOOST_TEST(a.field("RateLimit-Policy") == "");
  BOOST_TEST(a.field("X-RateLimit-Limit") == "60");
}

BOOST_AUTO_TEST_CASE(an_admitted_answer_describes_both_quotas) {
  service_fixture s;
  auto const key = s.make_key("free");
  auto const a = s.get("/v1/pets", key);
  BOOST_TEST(a.field("RateLimit-Policy") == "\"minute\";q=60;w=60, \"day\";q=1000;w=86400");
  BOOST_TEST(a.field("RateLimit") == "\"minute\";r=59;t=60, \"day\";r=999;t=43200");
}

BOOST_AUTO_TEST_CASE(paths_in_answers_follow_the_base_path) {
  service_options options;
  options.base_path = "/shop/v1";
  service_fixture s{options};
  auto const key = s.make_key();
  auto const made = s.send(method::post, "/shop/v1/pets", key, rosa);
  BOOST_TEST(made.field("Location") == "/shop/v1/pets/1");
  BOOST_TEST(s.get("/shop/v1/pets/1", key).field("Link") ==
             "</shop/v1/pets?status=available>; rel=\"successor-version\"");
  check_error(s.get("/v1/pets/1", key), errc::not_found);
}

BOOST_AUTO_TEST_CASE(a_key_never_comes_back) {
  service_fixture s;
  auto const key = s.make_key();
  auto const a = s.send(method::post, "/v1/pets?x=" + key, key, "{\"" + key + "\":1}");
  BOOST_TEST(a.status == 400u);
  BOOST_TEST(a.body.find(key) == std::string::npos);
  BOOST_TEST(a.cause.find(key) == std::string::npos);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
