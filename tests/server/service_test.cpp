// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/service.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdint>
#include <numeric>

#include "service_fixture.hpp"

namespace petstore::server {
namespace {

using namespace std::chrono_literals;

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

BOOST_AUTO_TEST_CASE(a_body_above_the_limit_is_refused_where_none_is_needed) {
  service_fixture s;
  auto const key = s.make_key();
  s.send(method::post, "/v1/pets", key, R"({"name":"Rex","categoryId":1})");
  for (auto const m : {method::get, method::delete_})
    check_error(s.ask({.method = m, .target = "/v1/pets/1", .key = key, .body_too_large = true}),
                errc::payload_too_large);
  BOOST_TEST(s.get("/v1/pets/1", key).status == 200u);
}

BOOST_AUTO_TEST_CASE(a_parameter_in_a_header_comes_before_the_body) {
  service_fixture s;
  auto const key = s.make_key();
  for (auto const* target : {"/v1/pets", "/v1/store/orders"})
    check_error(s.ask({.method = method::post,
                       .target = target,
                       .key = key,
                       .fields = {{"Idempotency-Key", ""}},
                       .body = "{",
                       .content_type = "text/plain"}),
                errc::invalid_request);
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
  auto const& list = sum.operations.front();
  BOOST_TEST(list.by_status_class[1] == 1u);
  BOOST_TEST(list.by_status_class[3] == 2u);
  BOOST_TEST(sum.operations.back().by_status_class[3] == 1u);
  BOOST_TEST(sum.decisions[static_cast<std::size_t>(limits::decision::admitted)] == 4u);
  BOOST_REQUIRE(sum.protocol_refusals.size() == 1u);
  BOOST_TEST(sum.protocol_refusals[0].first == 400u);
  auto const errors = [&sum](errc e) { return sum.errors[static_cast<std::size_t>(e)]; };
  for (auto const e : {errc::invalid_request, errc::not_found, errc::unauthorized, errc::malformed_http})
    BOOST_TEST(errors(e) == 1u, describe(e).code);
  BOOST_TEST(std::accumulate(sum.errors.begin(), sum.errors.end(), std::uint64_t{0}) == 4u);
}

BOOST_AUTO_TEST_CASE(the_limiter_is_counted_by_plan_and_by_why_it_refused) {
  service_fixture s({}, {.strikes = 2, .grace = std::chrono::milliseconds{0}});
  auto const spent = s.make_key("free", key_scope::write, {}, 1);
  for (int i = 0; i < 5; ++i) s.get("/v1/pets", spent);  // admitted, announced, a strike, the last, banned
  auto const day = s.make_key("pro", key_scope::write, {}, {}, 1);
  for (int i = 0; i < 2; ++i) s.get("/v1/pets", day);
  for (int i = 0; i < 61; ++i) s.get("/v1/quota", day);
  s.ask({.target = "/v1/pets"});
  s.ask({.target = "/v1/openapi.json"});

  auto const sum = s.counters.collect();
  auto const count = [&sum](std::string_view plan, limit_outcome o) {
    auto const row = std::ranges::find(sum.plans, plan, &metrics_reading::plan::name);
    BOOST_TEST_REQUIRE((row != sum.plans.end()), plan);
    return row->outcomes[static_cast<std::size_t>(o)];
  };
  BOOST_TEST(count("free", limit_outcome::admitted) == 1u);
  BOOST_TEST(count("free", limit_outcome::short_refused) == 2u);
  BOOST_TEST(std::ranges::find(sum.plans, "free", &metrics_reading::plan::name)->empty.at(1) == 2u);  // the minute
  BOOST_TEST(std::ranges::find(sum.plans, "pro", &metrics_reading::plan::name)->empty.at(3) == 1u);   // the day
  BOOST_TEST(count("free", limit_outcome::ban_begun) == 1u);
  BOOST_TEST(count("free", limit_outcome::banned) == 1u);
  BOOST_TEST(count("pro", limit_outcome::long_refused) == 1u);
  BOOST_TEST(count("pro", limit_outcome::inquiry_refused) == 1u);
  BOOST_TEST(count("anonymous", limit_outcome::admitted) == 1u);
  BOOST_TEST(count("keyless", limit_outcome::admitted) == 1u);
}

BOOST_AUTO_TEST_CASE(a_key_counts_for_its_plan_also_after_other_keys_have_gone) {
  service_fixture s;
  s.get("/v1/pets", s.make_key("free"));
  auto const pro = s.make_key("pro");
  s.get("/v1/pets", pro);
  s.change_keys(revoke_key{1});
  s.refresh_keys();
  s.get("/v1/pets", pro);
  auto const sum = s.counters.collect();
  auto const row = std::ranges::find(sum.plans, "pro", &metrics_reading::plan::name);
  BOOST_TEST_REQUIRE((row != sum.plans.end()));
  BOOST_TEST(row->outcomes[static_cast<std::size_t>(limit_outcome::admitted)] == 2u);
}

BOOST_AUTO_TEST_CASE(what_asks_the_store_is_timed_by_whether_it_reads_or_writes) {
  service_fixture s;
  auto const key = s.make_key();
  s.get("/v1/pets", key);
  s.get("/v1/pets/7", key);
  s.send(method::post, "/v1/categories", key, R"({"name":"Dogs"})");
  s.get("/v1/quota", key);
  s.get("/v1/nothing", key);
  s.ask({.target = "/v1/openapi.json"});
  auto const sum = s.counters.collect();
  auto const total = [](metrics_reading::histogram const& h) {
    return std::accumulate(h.buckets.begin(), h.buckets.end(), std::uint64_t{0});
  };
  BOOST_TEST(total(sum.store_reads) == 2u);
  BOOST_TEST(total(sum.store_writes) == 1u);
}

BOOST_AUTO_TEST_CASE(a_request_is_an_exemplar_by_the_id_of_its_answer) {
  service_fixture s;
  s.get("/v1/pets", s.make_key());
  auto const list = s.counters.collect_exemplars().front();
  BOOST_TEST(list.name == "listPets");
  BOOST_REQUIRE(list.latency[0]);
  BOOST_TEST(list.latency[0]->request_id == "test-request");
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
