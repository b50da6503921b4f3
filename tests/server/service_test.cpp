// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/service.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>

#include "service_fixture.hpp"

namespace petstore::server {
namespace {

using namespace std::chrono_literals;

std::string const rosa = R"({"name":"Rosa","categoryId":1,"status":"available"})";

void check_error(answer const& a, errc e) {
  auto const& row = describe(e);
  BOOST_TEST(a.status == row.status);
  auto const body = a.json();
  BOOST_REQUIRE(body.is_object());
  BOOST_TEST(body.as_object().size() == 3u);
  BOOST_TEST(std::string_view{body.at("code").as_string()} == row.code);
  BOOST_TEST(body.at("status").as_int64() == row.status);
  BOOST_TEST(!a.message().empty());
  BOOST_TEST(a.error_code == row.code);
  BOOST_TEST(a.field("Content-Type") == "application/json");
  BOOST_TEST(a.field("X-Content-Type-Options") == "nosniff");
  BOOST_TEST(a.field("Cache-Control") == "no-store");
}

BOOST_AUTO_TEST_SUITE(order_of_judgement)

BOOST_AUTO_TEST_CASE(a_caller_without_a_key_learns_401_of_every_path) {
  service_fixture s;
  for (auto const* target : {"/v1/pets", "/v1/pets/1", "/v1/pets/x", "/v1/nothing", "/", "/v1/quota", "/livez"})
    for (auto const m : {method::get, method::head, method::post, method::put, method::options}) {
      auto const a = s.ask({.method = m, .target = target});
      check_error(a, errc::unauthorized);
      BOOST_TEST(a.field("WWW-Authenticate") == "Bearer realm=\"petstore\"");
      s.pass(61s);
    }
}

BOOST_AUTO_TEST_CASE(an_exhausted_address_learns_429_instead) {
  service_fixture s;
  for (int i = 0; i < 60; ++i) check_error(s.ask({.target = "/v1/pets"}), errc::unauthorized);
  auto const a = s.ask({.target = "/v1/nothing"});
  check_error(a, errc::rate_limited);
  BOOST_TEST(a.field("Retry-After") == "60");
  BOOST_TEST(a.field("WWW-Authenticate") == "");
}

BOOST_AUTO_TEST_CASE(a_valid_key_is_never_refused_for_its_address) {
  service_fixture s;
  auto const key = s.make_key();
  for (int i = 0; i < 61; ++i) s.ask({.target = "/v1/pets"});
  BOOST_TEST(s.ask({.target = "/v1/pets"}).status == 429u);
  BOOST_TEST(s.get("/v1/pets", key).status == 200u);
}

BOOST_AUTO_TEST_CASE(quota_is_judged_before_404_405_and_403) {
  service_fixture s;
  auto const key = s.make_key("business", key_scope::read, {}, 1);
  BOOST_TEST(s.get("/v1/pets", key).status == 200u);
  check_error(s.get("/v1/nothing", key), errc::rate_limited);
  check_error(s.ask({.method = method::put, .target = "/v1/pets", .key = key}), errc::rate_limited);
  check_error(s.send(method::post, "/v1/pets", key, rosa), errc::rate_limited);
}

BOOST_AUTO_TEST_CASE(then_404_405_403_before_parameters_and_body) {
  service_fixture s;
  auto const key = s.make_key("business", key_scope::read);
  check_error(s.send(method::post, "/v1/nothing?limit=0", key, "{"), errc::not_found);
  check_error(s.ask({.method = method::patch, .target = "/v1/pets/x", .key = key}), errc::not_found);
  check_error(s.ask({.method = method::put, .target = "/v1/pets?limit=0", .key = key}), errc::method_not_allowed);
  auto const a =
      s.ask({.method = method::post, .target = "/v1/pets", .key = key, .body = "{", .content_type = "text/plain"});
  check_error(a, errc::forbidden);
  check_error(s.ask({.method = method::delete_, .target = "/v1/pets/1", .key = key}), errc::forbidden);
  check_error(s.send(method::patch, "/v1/store/orders/1", key, "{}"), errc::forbidden);
  BOOST_TEST(s.get("/v1/pets", key).status == 200u);
}

BOOST_AUTO_TEST_CASE(media_type_then_size_then_content) {
  service_fixture s;
  auto const key = s.make_key();
  question q{.method = method::post,
             .target = "/v1/pets",
             .key = key,
             .body = "{",
             .content_type = "text/plain",
             .body_too_large = true};
  check_error(s.ask(q), errc::unsupported_media_type);
  q.content_type = "application/json";
  check_error(s.ask(q), errc::payload_too_large);
  q.body_too_large = false;
  check_error(s.ask(q), errc::invalid_request);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(keys_and_addresses)

BOOST_AUTO_TEST_CASE(unknown_revoked_expired_and_malformed_keys_get_one_answer) {
  service_fixture s;
  auto const revoked = s.make_key();
  s.change_keys(revoke_key{1});
  auto const expired = s.make_key("free", key_scope::write, 10s);
  s.pass(10s);
  std::array<unsigned char, 32> secret{};
  secret.fill(7);
  auto const unknown = make_api_key(environment::production, secret);
  auto const foreign = make_api_key(environment::staging, secret);
  auto typo = s.make_key();
  typo[20] = typo[20] == 'a' ? 'b' : 'a';

  std::optional<std::string> body;
  for (auto const& key : {revoked, expired, unknown, foreign, typo, std::string{"x"}, std::string{"two tokens"},
                          std::string{"=a"}, std::string{"\""}}) {
    auto const a = s.ask({.target = "/v1/pets", .key = key});
    check_error(a, errc::unauthorized);
    BOOST_TEST(a.field("WWW-Authenticate") == "Bearer realm=\"petstore\", error=\"invalid_token\"", key);
    BOOST_TEST(a.key == 0u);
    if (!body) body = a.body;
    BOOST_TEST(a.body == *body);
  }
}

BOOST_AUTO_TEST_CASE(another_scheme_or_no_token_gives_no_token) {
  service_fixture s;
  auto const key = s.make_key();
  for (auto const& value : {std::string{"Basic cGV0OnN0b3Jl"}, std::string{"Bearer"}, std::string{""}, key,
                            "Bearer" + key, "Token " + key}) {
    auto const a = s.ask({.target = "/v1/pets", .fields = {{"Authorization", value}}});
    check_error(a, errc::unauthorized);
    BOOST_TEST(a.field("WWW-Authenticate") == "Bearer realm=\"petstore\"", value);
  }
}

BOOST_AUTO_TEST_CASE(the_scheme_is_matched_whatever_its_case) {
  service_fixture s;
  auto const key = s.make_key();
  for (auto const* scheme : {"Bearer ", "bearer ", "BEARER ", "bEaReR   "}) {
    auto const a = s.ask({.target = "/v1/pets", .fields = {{"authorization", scheme + key}}});
    BOOST_TEST(a.status == 200u, scheme);
    BOOST_TEST(a.key == 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_401_carries_the_truthful_limit_of_the_address) {
  service_fixture s;
  auto const first = s.ask({.target = "/v1/pets"});
  BOOST_TEST(first.field("X-RateLimit-Limit") == "60");
  BOOST_TEST(first.field("X-RateLimit-Remaining") == "59");
  BOOST_TEST(first.field("X-RateLimit-Resource") == "minute");
  BOOST_TEST(s.ask({.target = "/v1/pets"}).field("X-RateLimit-Remaining") == "58");
  BOOST_TEST(s.ask({.target = "/v1/pets", .peer = "203.0.113.10"}).field("X-RateLimit-Remaining") == "59");
}

BOOST_AUTO_TEST_CASE(neighbours_in_one_64_share_a_bucket) {
  service_fixture s;
  BOOST_TEST(s.ask({.target = "/", .peer = "2001:db8::1"}).field("X-RateLimit-Remaining") == "59");
  BOOST_TEST(s.ask({.target = "/", .peer = "2001:db8::ffff:1"}).field("X-RateLimit-Remaining") == "58");
  BOOST_TEST(s.ask({.target = "/", .peer = "2001:db8:0:1::1"}).field("X-RateLimit-Remaining") == "59");
}

BOOST_AUTO_TEST_CASE(behind_a_trusted_proxy_the_client_is_charged) {
  service_options options;
  options.trusted_proxies = {*address_range::parse("10.0.0.0/8")};
  service_fixture s{options};
  auto const ask = [&](std::string forwarded) {
    return s.ask({.target = "/v1/pets", .fields = {{"X-Forwarded-For", std::move(forwarded)}}, .peer = "10.0.0.1"})
        .field("X-RateLimit-Remaining");
  };
  BOOST_TEST(ask("192.0.2.1") == "59");
  BOOST_TEST(ask("192.0.2.2") == "59");
  BOOST_TEST(ask("192.0.2.9, 192.0.2.1") == "58");
}

BOOST_AUTO_TEST_CASE(an_address_that_goes_on_is_banned_but_no_trusted_proxy) {
  service_options options;
  options.trusted_proxies = {*address_range::parse("10.0.0.0/8")};
  service_fixture s{options, {.strikes = 3}};
  for (auto const* peer : {"203.0.113.9", "10.0.0.1"}) {
    for (int i = 0; i < 61; ++i) s.ask({.target = "/v1/pets", .peer = peer});
    s.pass(1s);
    for (int i = 0; i < 10; ++i) s.ask({.target = "/v1/pets", .peer = peer});
  }
  check_error(s.ask({.target = "/v1/pets", .peer = "203.0.113.9"}), errc::banned);
  check_error(s.ask({.target = "/v1/pets", .peer = "10.0.0.1"}), errc::rate_limited);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(charging)

BOOST_AUTO_TEST_CASE(an_answer_costs_one_token_whatever_it_is) {
  service_fixture s;
  auto const key = s.make_key("free");
  int remaining = 60;
  auto const costs_one = [&](answer const& a, unsigned status) {
    BOOST_TEST(a.status == status);
    BOOST_TEST(a.field("X-RateLimit-Remaining") == std::to_string(--remaining));
    BOOST_TEST(a.field("X-RateLimit-Limit") == "60");
    BOOST_TEST(a.field("X-RateLimit-Reset") == std::to_string(1'795'262'460));
    BOOST_TEST(a.field("Retry-After") == "");
  };
  costs_one(s.send(method::post, "/v1/pets", key, rosa), 201);
  auto const got = s.get("/v1/pets/1", key);
  costs_one(got, 200);
  costs_one(s.ask({.target = "/v1/pets/1", .key = key, .fields = {{"If-None-Match", got.field("ETag")}}}), 304);
  costs_one(s.get("/v1/pets?limit=0", key), 400);
  costs_one(s.get("/v1/pets/99", key), 404);
  costs_one(s.ask({.method = method::put, .target = "/v1/pets", .key = key}), 405);
  costs_one(s.ask({.method = method::options, .target = "/v1/pets", .key = key}), 204);
  costs_one(s.send(method::post, "/v1/store/orders", key, R"({"petId":1})"), 201);
  costs_one(s.send(method::post, "/v1/store/orders", key, R"({"petId":1})"), 409);
  costs_one(s.ask({.method = method::delete_, .target = "/v1/pets/1", .key = key, .fields = {{"If-Match", "\"x\""}}}),
            412);
}

BOOST_AUTO_TEST_CASE(a_quota_is_exact) {
  service_fixture s;
  auto const key = s.make_key("free");
  for (int i = 0; i < 60; ++i) BOOST_TEST(s.get("/v1/pets", key).status == 200u);
  for (int i = 0; i < 3; ++i) {
    auto const a = s.get("/v1/pets", key);
    check_error(a, errc::rate_limited);
    BOOST_TEST(a.field("X-RateLimit-Remaining") == "0");
    BOOST_TEST(a.field("Retry-After") == "60");
    BOOST_TEST(a.field("RateLimit") == "\"minute\";r=0;t=60");
  }
  s.pass(60s);
  BOOST_TEST(s.get("/v1/pets", key).status == 200u);
  auto const counted = s.get("/v1/quota", key).json();
  BOOST_TEST(counted.at("minute").at("used").as_int64() == 1);
  BOOST_TEST(counted.at("day").at("used").as_int64() == 61);
}

BOOST_AUTO_TEST_CASE(what_fails_on_our_side_costs_nothing) {
  service_fixture s;
  auto const key = s.make_key("free");
  BOOST_TEST(s.get("/v1/pets", key).field("X-RateLimit-Remaining") == "59");

  s.fail_store_with(error{errc::unavailable, {}, "no space left on device"});
  for (int i = 0; i < 100; ++i) {
    auto const a = s.get("/v1/pets", key);
    check_error(a, errc::unavailable);
    BOOST_TEST(a.field("X-RateLimit-Remaining") == "59");
    BOOST_TEST(a.field("Retry-After") == "1");
    BOOST_TEST(a.cause == "no space left on device");
    BOOST_TEST(a.body.find("space") == std::string::npos);
  }
  BOOST_REQUIRE(!s.log.empty());
  BOOST_TEST(s.log.back() == "unavailable: no space left on device [test-request]");

  s.fail_store_with(error{errc::internal, {}, "a record is damaged"});
  check_error(s.get("/v1/pets/1", key), errc::internal);
  s.fail_store_with({});
  s.throw_from_store(true);
  auto const a = s.get("/v1/pets", key);
  check_error(a, errc::internal);
  BOOST_TEST(a.field("X-RateLimit-Remaining") == "59");
  BOOST_TEST(s.log.back() == "internal: the store is on fire [test-request]");
  s.throw_from_store(false);
  BOOST_TEST(s.get("/v1/pets", key).field("X-RateLimit-Remaining") == "58");
}

BOOST_AUTO_TEST_CASE(keys_of_one_identity_share_a_quota) {
  service_fixture s;
  auto const old = s.make_key("free");
  rotate_key rotation;
  rotation.number = 1;
  std::array<unsigned char, 32> secret{};
  secret.fill(9);
  auto const renewed = make_api_key(environment::production, secret);
  rotation.digest = sha256(renewed);
  rotation.prefix = "ps_live_";
  rotation.last_four = renewed.substr(renewed.size() - 4);
  rotation.old_expires_at = unix_ms{std::chrono::duration_cast<std::chrono::milliseconds>(s.now.unix + 1h)};
  s.change_keys(rotation);
  BOOST_TEST(s.get("/v1/pets", old).field("X-RateLimit-Remaining") == "59");
  BOOST_TEST(s.get("/v1/pets", renewed).field("X-RateLimit-Remaining") == "58");
  s.pass(1h);
  BOOST_TEST(s.get("/v1/pets", old).status == 401u);
  BOOST_TEST(s.get("/v1/pets", renewed).status == 200u);
}

BOOST_AUTO_TEST_CASE(a_client_that_ignores_its_refusals_is_banned) {
  service_fixture s{{}, {.strikes = 5}};
  auto const key = s.make_key("free");
  for (int i = 0; i < 61; ++i) s.get("/v1/pets/1", key);
  s.pass(1s);
  for (int i = 0; i < 10; ++i) s.get("/v1/pets/1", key);
  auto const a = s.get("/v1/pets/1", key);
  check_error(a, errc::banned);
  BOOST_TEST(a.field("X-RateLimit-Remaining") == "0");
  BOOST_TEST(a.field("Deprecation") == "@1780272000");
  check_error(s.get("/v1/quota", key), errc::banned);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(fields_of_answers)

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
    std::string target = "/v1" + std::string{op.path};
    if (auto const brace = target.find('{'); brace != std::string::npos) target.replace(brace, std::string::npos, "1");
    auto const a = s.ask({.method = op.method, .target = target, .key = key});
    BOOST_TEST(a.operation == op.name);
    BOOST_TEST(a.field("X-Stability") == (op.standing == standing::beta ? "beta" : ""), op.name);
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

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(what_is_counted)

BOOST_AUTO_TEST_CASE(requests_and_decisions_are_counted) {
  service_fixture s;
  auto const key = s.make_key("free");
  s.get("/v1/pets", key);
  s.get("/v1/pets?limit=0", key);
  s.get("/v1/nothing", key);
  s.ask({.target = "/v1/pets"});
  s.refuse(errc::malformed_http, "", {});
  auto const sum = s.counters.collect();
  auto const& list = sum.operations[static_cast<std::size_t>(operation_id::list_pets)];
  BOOST_TEST(list.by_status_class[1] == 1u);
  BOOST_TEST(list.by_status_class[3] == 2u);
  BOOST_TEST(sum.operations.back().by_status_class[3] == 1u);
  BOOST_TEST(sum.decisions[static_cast<std::size_t>(limits::decision::admitted)] == 4u);
  BOOST_REQUIRE(sum.protocol_refusals.size() == 1u);
  BOOST_TEST(sum.protocol_refusals[0].first == 400u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(protocol_refusals)

BOOST_AUTO_TEST_CASE(they_cost_nothing_and_show_the_quota_of_the_address) {
  service_fixture s;
  s.ask({.target = "/v1/pets"});
  for (auto const e : {errc::malformed_http, errc::request_timeout, errc::payload_too_large, errc::uri_too_long,
                       errc::expectation_failed, errc::headers_too_large, errc::not_implemented,
                       errc::http_version_not_supported, errc::unavailable, errc::internal}) {
    auto const a = s.refuse(e, "", {});
    check_error(a, e);
    BOOST_TEST(a.field("X-RateLimit-Limit") == "60");
    BOOST_TEST(a.field("X-RateLimit-Remaining") == "59");
    BOOST_TEST(a.field("X-RateLimit-Reset") != "");
    BOOST_TEST(a.field("Retry-After") == (e == errc::unavailable ? "1" : ""));
  }
  BOOST_TEST(s.refuse(errc::malformed_http, "Two Host fields.", {}).message() == "Two Host fields.");
  BOOST_TEST(s.refuse(errc::malformed_http, "", {.peer = "192.0.2.7"}).field("X-RateLimit-Remaining") == "60");
}

BOOST_AUTO_TEST_CASE(connect_and_trace_are_told_what_a_path_has) {
  service_fixture s;
  auto const allow = [&](method m, std::string target) {
    auto const a = s.refuse(errc::method_not_allowed, "", {.method = m, .target = std::move(target)});
    check_error(a, errc::method_not_allowed);
    return a.field("Allow");
  };
  BOOST_TEST(allow(method::trace, "/v1/pets/1") == "GET, HEAD, PATCH, DELETE, OPTIONS");
  BOOST_TEST(allow(method::trace, "/nothing") == "GET, HEAD, POST, PATCH, DELETE, OPTIONS");
  BOOST_TEST(allow(method::connect, "example.net:443") == "GET, HEAD, POST, PATCH, DELETE, OPTIONS");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petstore::server
