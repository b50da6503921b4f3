// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "service_fixture.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(quota)

namespace {

using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(both_quotas_are_told_and_nothing_is_taken) {
  service_fixture s;
  auto const key = s.make_key("free");
  for (int i = 0; i < 3; ++i) s.get("/v1/pets", key);
  for (int i = 0; i < 2; ++i) {
    auto const a = s.get("/v1/quota", key);
    BOOST_TEST(a.status == 200u);
    BOOST_TEST(a.body == R"({"plan":"free","minute":{"quota":60,"used":3,"remaining":57,"reset":1795262460},)"
                         R"("day":{"quota":1000,"used":3,"remaining":997,"reset":1795305600}})");
    BOOST_TEST(a.field("X-RateLimit-Remaining") == "57");
    BOOST_TEST(a.field("X-Stability") == "beta");
  }
  BOOST_TEST(s.ask({.method = method::head, .target = "/v1/quota", .key = key}).status == 200u);
}

BOOST_AUTO_TEST_CASE(each_window_of_the_plan_is_a_member_that_is_named_after_its_period) {
  service_fixture s;
  auto const key = s.make_key("free");
  s.watcher->set_plans({{"free", {limits::per_hour(50), limits::per_month(500)}}});
  s.refresh_keys();
  for (int i = 0; i < 3; ++i) s.get("/v1/pets", key);
  auto const a = s.get("/v1/quota", key);
  BOOST_TEST(a.body == R"({"plan":"free","hour":{"quota":50,"used":3,"remaining":47,"reset":1795266000},)"
                       R"("month":{"quota":500,"used":3,"remaining":497,"reset":1796083200}})");
  BOOST_TEST(a.field("X-RateLimit-Resource") == "hour");
  BOOST_TEST(a.field("RateLimit-Policy") == "\"hour\";q=50;w=3600, \"month\";q=500;w=2592000");  // November
  s.watcher->set_plans({{"free", {limits::per_second(5)}}});
  s.refresh_keys();
  s.pass(1h);
  BOOST_TEST(s.get("/v1/quota", key).body ==
             R"({"plan":"free","second":{"quota":5,"used":0,"remaining":5,"reset":1795266000}})");
}

BOOST_AUTO_TEST_CASE(what_was_used_stays_when_the_plan_becomes_smaller_than_that) {
  service_fixture s;
  auto const key = s.make_key("free");
  for (int i = 0; i < 30; ++i) s.get("/v1/pets", key);
  s.watcher->set_plans({{"free", {limits::per_minute(10), limits::per_day(20)}}});
  s.refresh_keys();
  BOOST_TEST(s.get("/v1/quota", key).body ==
             R"({"plan":"free","minute":{"quota":10,"used":30,"remaining":0,"reset":1795262460},)"
             R"("day":{"quota":20,"used":30,"remaining":0,"reset":1795305600}})");
}

BOOST_AUTO_TEST_CASE(an_empty_quota_can_still_be_asked_for) {
  service_fixture s;
  auto const key = s.make_key("free");
  for (int i = 0; i < 61; ++i) s.get("/v1/pets", key);
  auto const a = s.get("/v1/quota", key);
  BOOST_TEST(a.status == 200u);
  BOOST_TEST(a.json().at("minute").at("remaining").as_int64() == 0);
  BOOST_TEST(a.json().at("day").at("used").as_int64() == 60);
}

BOOST_AUTO_TEST_CASE(its_own_limit_is_60_a_minute_and_only_retry_after_speaks_of_it) {
  service_fixture s;
  auto const key = s.make_key("pro");
  s.get("/v1/pets", key);
  for (int i = 0; i < 60; ++i) BOOST_TEST(s.get("/v1/quota", key).status == 200u);
  auto const a = s.get("/v1/quota", key);
  BOOST_TEST(a.status == 429u);
  BOOST_TEST(a.error_code == "rate_limited");
  BOOST_TEST(a.field("X-RateLimit-Limit") == "300");
  BOOST_TEST(a.field("X-RateLimit-Remaining") == "299");
  auto const wait = std::stoi(a.field("Retry-After"));
  BOOST_TEST(wait >= 1);
  BOOST_TEST(wait <= 60);
  BOOST_TEST(s.get("/v1/pets", key).status == 200u);
  s.pass(std::chrono::seconds{wait});
  BOOST_TEST(s.get("/v1/quota", key).status == 200u);
}

BOOST_AUTO_TEST_CASE(without_a_key_it_costs_the_address_a_token) {
  service_fixture s;
  BOOST_TEST(s.ask({.target = "/v1/quota"}).status == 401u);
  BOOST_TEST(s.ask({.target = "/v1/quota"}).field("X-RateLimit-Remaining") == "58");
}

BOOST_AUTO_TEST_CASE(another_method_there_costs_a_token) {
  service_fixture s;
  auto const key = s.make_key("free");
  BOOST_TEST(s.send(method::post, "/v1/quota", key, "{}").status == 405u);
  BOOST_TEST(s.get("/v1/quota", key).json().at("minute").at("used").as_int64() == 1);
}

BOOST_AUTO_TEST_CASE(a_key_with_numbers_of_its_own_tells_them) {
  service_fixture s;
  auto const key = s.make_key("pro", key_scope::write, {}, 5, 7);
  auto const body = s.get("/v1/quota", key).json();
  BOOST_TEST(body.at("plan").as_string() == "pro");
  BOOST_TEST(body.at("minute").at("quota").as_int64() == 5);
  BOOST_TEST(body.at("day").at("quota").as_int64() == 7);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
