// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/probes.hpp"

#include <boost/test/unit_test.hpp>

#include "service_fixture.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(probes)

namespace {

BOOST_AUTO_TEST_CASE(the_same_machine_may_ask_without_key_or_charge) {
  service_fixture s;
  for (auto const* peer : {"127.0.0.1", "::1"})
    for (auto const* target : {"/livez", "/readyz", "/readyz?verbose"})
      for (auto const m : {method::get, method::head}) {
        auto const a = s.ask({.method = m, .target = target, .peer = peer});
        BOOST_TEST(a.status == 200u);
        BOOST_TEST(a.field("X-RateLimit-Limit") == "");
        BOOST_TEST(a.field("Cache-Control") == "no-store");
      }
  BOOST_TEST(s.ask({.target = "/v1/pets", .peer = "127.0.0.1"}).field("X-RateLimit-Remaining") == "59");
}

BOOST_AUTO_TEST_CASE(to_others_they_are_unknown_paths) {
  service_fixture s;
  BOOST_TEST(s.ask({.target = "/livez"}).status == 401u);
  BOOST_TEST(s.get("/readyz", s.make_key()).status == 404u);
  BOOST_TEST(s.ask({.target = "/livez/", .peer = "127.0.0.1"}).status == 401u);
}

BOOST_AUTO_TEST_CASE(a_trusted_proxy_may_ask_but_not_for_others) {
  service_options options;
  options.trusted_proxies = {*address_range::parse("10.0.0.0/8")};
  service_fixture s{options};
  BOOST_TEST(s.ask({.target = "/livez", .peer = "10.0.0.1"}).status == 200u);
  auto const forwarded =
      s.ask({.target = "/livez", .fields = {{"X-Forwarded-For", "203.0.113.5"}}, .peer = "10.0.0.1"});
  BOOST_TEST(forwarded.status == 401u);
}

BOOST_AUTO_TEST_CASE(readiness_follows_the_process_and_liveness_does_not) {
  service_fixture s;
  auto const ask = [&](std::string target) { return s.ask({.target = std::move(target), .peer = "127.0.0.1"}); };
  s.state.store_ready = false;
  auto const a = ask("/readyz");
  BOOST_TEST(a.status == 503u);
  BOOST_TEST(a.field("Retry-After") == "1");
  BOOST_TEST(a.json().at("code").as_string() == "unavailable");
  BOOST_TEST(ask("/livez").status == 200u);
  s.state.store_ready = true;
  BOOST_TEST(ask("/readyz").status == 200u);
  s.state.quotas_ready = false;
  BOOST_TEST(ask("/readyz").json().at("message").as_string() == "The quotas cannot be counted.");
  s.state.quotas_ready = true;
  s.state.draining = true;
  BOOST_TEST(ask("/readyz").status == 503u);
  BOOST_TEST(ask("/livez").status == 200u);
}

BOOST_AUTO_TEST_CASE(what_haproxy_asks_by_itself_tells_whether_the_process_is_ready) {
  service_options options;
  options.trusted_proxies = {*address_range::parse("10.0.0.0/8")};
  service_fixture s{options};
  for (auto const* target : {"/", "/readyz"}) {
    auto const ask = [&](std::string peer, std::vector<std::pair<std::string, std::string>> fields = {}) {
      return s.ask({.method = method::options, .target = target, .fields = std::move(fields), .peer = std::move(peer)})
          .status;
    };
    BOOST_TEST(ask("10.0.0.1") == 204u);
    BOOST_TEST(ask("127.0.0.1") == (std::string_view{target} == "/" ? 401u : 204u));
    BOOST_TEST(ask("203.0.113.1") == 401u);
    BOOST_TEST(ask("10.0.0.1", {{"X-Forwarded-For", "203.0.113.5"}}) == 401u);
    s.state.draining = true;
    BOOST_TEST(ask("10.0.0.1") == 503u);
    s.state.draining = false;
  }
  BOOST_TEST(s.ask({.target = "/", .peer = "10.0.0.1"}).status == 401u);
}

BOOST_AUTO_TEST_CASE(other_methods_are_told_what_there_is) {
  service_fixture s;
  auto const options = s.ask({.method = method::options, .target = "/livez", .peer = "127.0.0.1"});
  BOOST_TEST(options.status == 204u);
  BOOST_TEST(options.field("Allow") == "GET, HEAD, OPTIONS");
  auto const post = s.ask({.method = method::post, .target = "/readyz", .body = "{}", .peer = "127.0.0.1"});
  BOOST_TEST(post.status == 405u);
  BOOST_TEST(post.field("Allow") == "GET, HEAD, OPTIONS");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
