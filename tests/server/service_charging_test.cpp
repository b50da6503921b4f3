// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/service.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>

#include "service_fixture.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(charging)

namespace {

using namespace std::chrono_literals;

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

/// Where createPet costs 20 tokens and listPets 7.
service_options with_costs() {
  service_options options;
  options.costs = {{"createPet", limits::cost{20}}, {"listPets", limits::cost{7}}};
  return options;
}

BOOST_AUTO_TEST_CASE(an_operation_takes_what_it_costs_of_both_quotas) {
  service_fixture s{with_costs()};
  auto const key = s.make_key("free");
  BOOST_TEST(s.send(method::post, "/v1/pets", key, rosa).field("X-RateLimit-Remaining") == "40");
  BOOST_TEST(s.send(method::post, "/v1/pets", key, "{}").field("X-RateLimit-Remaining") == "20");  // 400
  auto const listed = s.get("/v1/pets", key);
  BOOST_TEST(listed.field("X-RateLimit-Remaining") == "13");
  BOOST_TEST(listed.field("RateLimit") == "\"minute\";r=13;t=60, \"day\";r=953;t=43200");
  BOOST_TEST(s.ask({.method = method::head, .key = key}).field("X-RateLimit-Remaining") == "6");
  BOOST_TEST(s.get("/v1/pets/1", key).field("X-RateLimit-Remaining") == "5");
  BOOST_TEST(s.get("/v1/quota", key).field("X-RateLimit-Remaining") == "5");
  BOOST_TEST(s.ask({.method = method::options, .key = key}).field("X-RateLimit-Remaining") == "4");
  BOOST_TEST(s.ask({.method = method::put, .key = key}).field("X-RateLimit-Remaining") == "3");
}

BOOST_AUTO_TEST_CASE(a_request_for_which_too_few_tokens_are_left_takes_none_and_waits_for_all_it_needs) {
  service_fixture s{with_costs()};
  auto const key = s.make_key("free", key_scope::write, {}, 25, 30);
  BOOST_TEST(s.send(method::post, "/v1/pets", key, rosa).status == 201u);
  s.pass(15s);
  auto const refused = s.send(method::post, "/v1/pets", key, rosa);
  check_error(refused, errc::rate_limited);
  BOOST_TEST(refused.field("X-RateLimit-Remaining") == "10");
  BOOST_TEST(refused.field("X-RateLimit-Resource") == "day");
  BOOST_TEST(refused.field("Retry-After") == "43185");
  auto const cheaper = s.get("/v1/pets", key);
  check_error(cheaper, errc::rate_limited);
  BOOST_TEST(cheaper.field("X-RateLimit-Remaining") == "5");
  BOOST_TEST(cheaper.field("Retry-After") == "45");
  BOOST_TEST(s.get("/v1/pets/1", key).field("X-RateLimit-Remaining") == "4");
  s.pass(45s);
  BOOST_TEST(s.get("/v1/pets", key).status == 200u);
}

BOOST_AUTO_TEST_CASE(what_fails_on_our_side_gives_back_all_that_it_cost) {
  service_fixture s{with_costs()};
  auto const key = s.make_key("free");
  s.fail_store_with(error{errc::unavailable, {}, "no space left on device"});
  for (int i = 0; i < 10; ++i) {
    auto const a = s.send(method::post, "/v1/pets", key, rosa);
    check_error(a, errc::unavailable);
    BOOST_TEST(a.field("X-RateLimit-Remaining") == "60");
  }
}

BOOST_AUTO_TEST_CASE(a_caller_without_a_key_pays_the_cost_too) {
  service_fixture s{with_costs()};
  BOOST_TEST(s.get("/v1/pets", "").field("X-RateLimit-Remaining") == "53");
  BOOST_TEST(s.send(method::post, "/v1/pets", "guess", rosa).field("X-RateLimit-Remaining") == "33");
  BOOST_TEST(s.get("/v1/nothing", "").field("X-RateLimit-Remaining") == "32");
}

BOOST_AUTO_TEST_CASE(a_cost_above_the_quota_of_an_address_leaves_keys_as_hard_to_guess) {
  service_options options;
  options.costs = {{"createPet", limits::cost{100}}};
  service_fixture s{options};
  for (unsigned const expected : {401u, 429u}) {
    auto const told = s.ask({.method = method::post, .target = "/v1/pets", .key = "ps_live_wrong", .body = rosa});
    BOOST_TEST(told.status == expected);
    BOOST_TEST(told.field("X-RateLimit-Remaining") == "0");
  }
}

BOOST_AUTO_TEST_CASE(a_cost_above_a_burst_or_a_long_window_of_an_address_takes_all_that_there_is) {
  limits::plan const burst = *limits::plan::of(limits::per_minute(60), {}, limits::refill::continuous, 10);
  limits::plan const long_window = *limits::plan::of(limits::per_minute(60), limits::per_day(15));
  for (auto const& plan : {burst, long_window}) {
    auto options = with_costs();
    options.anonymous = plan;
    service_fixture s{options};
    auto const post = [&] { return s.send(method::post, "/v1/pets", "", rosa); };
    BOOST_TEST(post().status == 401u);
    BOOST_TEST(post().status == 429u);
  }
}

BOOST_AUTO_TEST_CASE(a_key_whose_quota_is_smaller_than_the_cost_is_told_that_waiting_does_not_help) {
  service_fixture s{with_costs()};
  auto const key = s.make_key("free", key_scope::write, {}, 10);
  auto const a = s.send(method::post, "/v1/pets", key, rosa);
  check_error(a, errc::forbidden);
  BOOST_TEST(a.message() ==
             "This operation costs 20 tokens, which is more than your quota has; waiting does not help.");
  BOOST_TEST(a.field("X-RateLimit-Remaining") == "10");
  BOOST_TEST(a.field("RateLimit") == "\"minute\";r=10;t=0, \"day\";r=1000;t=0");
  BOOST_TEST(a.field("Retry-After") == "");
  BOOST_TEST(s.get("/v1/pets", key).status == 200u);
}

BOOST_AUTO_TEST_CASE(a_banned_key_whose_quota_is_smaller_than_the_cost_is_told_when_the_ban_ends) {
  service_fixture s{with_costs()};
  auto const key = s.make_key("free", key_scope::write, {}, 10);
  s.change_keys(ban_identity{1, std::chrono::time_point_cast<std::chrono::milliseconds>(s.now.wall) + 10min});
  auto const a = s.send(method::post, "/v1/pets", key, rosa);
  check_error(a, errc::banned);
  BOOST_TEST(a.field("Retry-After") == "600");
  BOOST_TEST(a.field("RateLimit") == "");
  BOOST_TEST(a.field("X-RateLimit-Resource") == "minute");
}

BOOST_AUTO_TEST_CASE(refusals_of_what_waiting_does_not_help_are_no_strikes) {
  service_fixture s{with_costs(), {.strikes = 5}};
  auto const key = s.make_key("free", key_scope::write, {}, 10);
  for (int i = 0; i < 10; ++i) BOOST_TEST(s.get("/v1/pets/1", key).status == 404u);
  for (int i = 0; i < 20; ++i) {
    s.pass(1s);
    check_error(s.send(method::post, "/v1/pets", key, rosa), errc::forbidden);
  }
  check_error(s.get("/v1/pets/1", key), errc::rate_limited);  // the first that is told a time
}

BOOST_AUTO_TEST_CASE(refusals_for_lack_of_a_few_tokens_are_no_strikes) {
  service_fixture s{with_costs(), {.strikes = 5}};
  auto const key = s.make_key("free");
  for (int i = 0; i < 8; ++i) BOOST_TEST(s.get("/v1/pets", key).status == 200u);
  for (int i = 0; i < 20; ++i) {
    s.pass(1s);
    check_error(s.get("/v1/pets", key), errc::rate_limited);
  }
  BOOST_TEST(s.get("/v1/pets/1", key).status == 404u);
}

BOOST_AUTO_TEST_CASE(other_costs_apply_from_the_next_request_on) {
  service_fixture s{with_costs()};
  auto const key = s.make_key("free");
  BOOST_TEST(s.get("/v1/pets", key).field("X-RateLimit-Remaining") == "53");
  auto fresh = with_costs();
  fresh.costs = {{"getPet", limits::cost{3}}};
  s.tested->reconfigure(fresh, std::make_shared<page const>(make_description(fresh)));
  BOOST_TEST(s.get("/v1/pets", key).field("X-RateLimit-Remaining") == "52");
  BOOST_TEST(s.get("/v1/pets/1", key).field("X-RateLimit-Remaining") == "49");
  BOOST_TEST(s.get("/v1/openapi.json", "").body == openapi_document(fresh));
}

BOOST_AUTO_TEST_CASE(only_operations_that_take_tokens_have_a_cost) {
  for (auto const* name : {"getQuota", "getDescription", "listpets", ""}) {
    service_options options;
    options.costs = {{name, limits::cost{2}}};
    BOOST_CHECK_THROW(service_fixture{options}, std::invalid_argument);
    service_fixture s;
    BOOST_CHECK_THROW(s.tested->reconfigure(options), std::invalid_argument);
  }
  BOOST_TEST(charged_operation_names().size() == 12u);
  BOOST_TEST(charged_operation_names().front() == "listPets");
}

BOOST_AUTO_TEST_CASE(keys_of_one_identity_share_a_quota) {
  service_fixture s;
  auto const old = s.make_key("free");
  rotate_key rotation;
  rotation.number = 1;
  std::array<unsigned char, 32> secret{};
  secret.fill(9);
  auto const renewed = make_api_key(environment::production, secret);
  set_key(rotation, renewed);
  rotation.old_expires_at = std::chrono::time_point_cast<std::chrono::milliseconds>(s.now.wall + 1h);
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

BOOST_AUTO_TEST_CASE(a_ban_says_who_banned) {
  service_fixture s{{}, {.strikes = 5}};
  auto const key = s.make_key("free");
  auto const soon = std::chrono::time_point_cast<std::chrono::milliseconds>(s.now.wall) + 1min;
  s.change_keys(ban_identity{1, soon});
  auto const by_operator = s.get("/v1/pets/1", key);
  check_error(by_operator, errc::banned);
  BOOST_TEST(by_operator.message() == "The operator has banned this API key until Retry-After has passed.");
  s.pass(1min);
  for (int i = 0; i < 61; ++i) s.get("/v1/pets/1", key);
  s.pass(1s);
  for (int i = 0; i < 10; ++i) s.get("/v1/pets/1", key);
  auto const for_strikes = s.get("/v1/pets/1", key);
  check_error(for_strikes, errc::banned);
  BOOST_TEST(for_strikes.message() == describe(errc::banned).message);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
