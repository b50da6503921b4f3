// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/service.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

#include "petstore/server/key_check.hpp"
#include "service_fixture.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(keys_and_addresses)

namespace {

using namespace std::chrono_literals;

/// Asks somebody far away: time passes until the answer is there, which may be a failure.
struct far_check final : key_check {
  explicit far_check(service_fixture& s) : world{s} {}
  ports::eventual<std::optional<principal>> check(std::string_view token, limits::instant) override {
    return ask(std::string{token});
  }

  service_fixture& world;
  std::chrono::seconds takes{3};
  std::optional<principal> found = principal{.identity = 7, .plan = {limits::per_minute(60)}};
  bool fails = false;

 private:
  asio::awaitable<std::optional<principal>> ask(std::string) {
    co_await asio::post(asio::use_awaitable);
    world.pass(takes);
    if (fails) throw std::runtime_error{"no answer"};
    co_return found;
  }
};

/// A service that asks this check for the owners of tokens.
struct checked_fixture : service_fixture {
  explicit checked_fixture(key_check* check = nullptr) {
    auto checked = parts();
    checked.check = check ? check : &far;
    tested = std::make_unique<service>(options, std::move(checked));
  }
  far_check far{*this};
};

/// Cannot check any key.
struct no_idea final : key_check {
  ports::eventual<std::optional<principal>> check(std::string_view, limits::instant) override {
    throw std::runtime_error{"no idea"};
  }
};

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

BOOST_AUTO_TEST_CASE(a_key_check_may_wait_and_the_request_is_charged_when_it_has_answered) {
  checked_fixture s;
  s.now = {s.now.boot, limits::wall_time{std::chrono::floor<std::chrono::minutes>(s.now.wall)} + 10s};
  auto const answered = s.get("/v1/pets", "a-token");
  BOOST_TEST(answered.status == 200u);
  BOOST_TEST(answered.key == 7u);
  BOOST_TEST(answered.field("X-RateLimit-Remaining") == "59");
  BOOST_TEST(answered.field("RateLimit").ends_with("r=59;t=60"));
  BOOST_TEST((answered.handling == 3s));
  BOOST_TEST((answered.quota_wait == 0s));

  s.far.found = std::nullopt;
  check_error(s.get("/v1/pets", "another-token"), errc::unauthorized);
}

BOOST_AUTO_TEST_CASE(a_key_check_that_fails_while_it_waits_is_a_503_that_costs_nothing) {
  checked_fixture s;
  s.far.fails = true;
  auto const unchecked = s.get("/v1/pets", "a-token");
  check_error(unchecked, errc::unavailable);
  BOOST_TEST(unchecked.cause == "the key cannot be checked: no answer");
  s.far.fails = false;
  BOOST_TEST(s.get("/v1/pets", "a-token").field("X-RateLimit-Remaining") == "59");
}

BOOST_AUTO_TEST_CASE(a_503_to_a_banned_address_names_the_end_of_the_ban_and_no_other_time) {
  service_fixture s{{}, {.strikes = 3}};
  for (int i = 0; i < 61; ++i) s.get("/v1/pets", "");
  s.pass(1s);
  for (int i = 0; i < 10; ++i) s.get("/v1/pets", "");
  auto const banned = s.get("/v1/pets", "");
  check_error(banned, errc::banned);
  auto const turned_away = s.refuse(errc::unavailable, "There are too many connections.", {});
  BOOST_TEST(turned_away.status == 503u);
  BOOST_TEST(turned_away.field("Retry-After") == banned.field("Retry-After"));

  no_idea keys;
  auto checked = s.parts();
  checked.check = &keys;
  s.tested = std::make_unique<service>(s.options, std::move(checked));
  auto const unchecked = s.get("/v1/pets", "x");
  check_error(unchecked, errc::unavailable);
  BOOST_TEST(unchecked.field("Retry-After") == banned.field("Retry-After"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
