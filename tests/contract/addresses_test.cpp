// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "contract/client.hpp"
#include "contract/expectations.hpp"

using namespace contract;

namespace {

struct guarded {
  guarded() { node.open(); }
  client from(const std::string& address) { return client(node, "", address); }

  test_node node;
  issued_key key = node.create_key();
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(addresses, guarded)

BOOST_AUTO_TEST_CASE(sixty_requests_without_a_key_are_answered_401_and_the_next_429) {
  client anonymous = from("127.0.0.1");
  for (std::int64_t left = 59; left >= 0; --left) {
    const answer got = anonymous.get(left % 2 == 0 ? "/v1/pets" : "/v1/nowhere");
    expect_error(got, 401, "unauthorized");
    BOOST_TEST(got.integer("X-RateLimit-Remaining") == left);
    BOOST_TEST(got["X-RateLimit-Limit"] == "60");
    BOOST_TEST(got["X-RateLimit-Resource"] == "minute");
    BOOST_TEST(got["RateLimit-Policy"] == R"("minute";q=60;w=60)");
  }
  const answer refused = anonymous.get("/v1/pets");
  expect_error(refused, 429, "rate_limited");
  BOOST_TEST(refused.integer("Retry-After") <= 60);
  BOOST_TEST(!refused.has("WWW-Authenticate"));

  // A request with a wrong key counts for its address. A request with a valid key is never refused for its address.
  expect_error(client(node, "ps_live_guess").get("/v1/pets"), 429, "rate_limited");
  BOOST_TEST(client(node, key.secret).get("/v1/pets").status == 200);
  expect_error(from("127.0.0.2").get("/v1/pets"), 401, "unauthorized");
}

BOOST_AUTO_TEST_CASE(wrong_keys_cost_a_token_of_the_address) {
  BOOST_TEST(client(node, "ps_live_guess", "127.0.0.3").get("/v1/pets").integer("X-RateLimit-Remaining") == 59);
  BOOST_TEST(client(node, "", "127.0.0.3").get("/v1/pets").integer("X-RateLimit-Remaining") == 58);
  client owner(node, key.secret, "127.0.0.3");
  BOOST_TEST(owner.get("/v1/pets")["X-RateLimit-Limit"] == "100000");
  BOOST_TEST(client(node, "", "127.0.0.3").get("/v1/pets").integer("X-RateLimit-Remaining") == 57);
}

BOOST_AUTO_TEST_CASE(the_keyless_pages_have_a_bucket_of_their_own) {
  client anonymous = from("127.0.0.4");
  for (std::int64_t left = 59; left >= 0; --left) {
    const answer got = anonymous.get("/v1/openapi.json");
    BOOST_TEST(got.status == 200);
    BOOST_TEST(got.integer("X-RateLimit-Remaining") == left);
    BOOST_TEST(got["X-RateLimit-Limit"] == "60");
    BOOST_TEST(got["X-RateLimit-Resource"] == "minute");
  }
  expect_error(anonymous.get("/v1/openapi.json"), 429, "rate_limited");
  const answer elsewhere = anonymous.get("/v1/pets");
  expect_error(elsewhere, 401, "unauthorized");
  BOOST_TEST(elsewhere.integer("X-RateLimit-Remaining") == 59);
  BOOST_TEST(from("127.0.0.5").get("/v1/openapi.json").status == 200);
}

BOOST_AUTO_TEST_CASE(what_is_refused_before_it_is_known_costs_nothing) {
  const auto broken = [&] {
    connection wire(node.port(), "127.0.0.6");
    wire.send("GET /v1/pets HTTP/1.1\r\n\r\n");
    const answer got = wire.receive();
    expect_complete(got);
    expect_error(got, 400, "malformed_http");
    return got;
  };
  const answer fresh = broken();
  BOOST_TEST(fresh.integer("X-RateLimit-Remaining") == 60);
  BOOST_TEST(quota_item_of(fresh, "RateLimit", "minute").parameters.at("t") == 0);
  BOOST_TEST(from("127.0.0.6").get("/v1/pets").integer("X-RateLimit-Remaining") == 59);
  BOOST_TEST(broken().integer("X-RateLimit-Remaining") == 59);
  BOOST_TEST(from("127.0.0.6").get("/v1/pets").integer("X-RateLimit-Remaining") == 58);
}

BOOST_AUTO_TEST_CASE(the_number_for_addresses_is_a_setting) {
  test_node stricter;
  stricter.open({"--anonymous-per-minute", "2"});
  client anonymous(stricter, "");
  BOOST_TEST(anonymous.get("/v1/pets").integer("X-RateLimit-Remaining") == 1);
  BOOST_TEST(anonymous.get("/v1/pets")["RateLimit-Policy"] == R"("minute";q=2;w=60)");
  expect_error(anonymous.get("/v1/pets"), 429, "rate_limited");
}

BOOST_AUTO_TEST_CASE(an_address_that_ignores_what_it_is_told_is_banned) {
  test_node strict;
  const issued_key valid = strict.create_key();
  strict.open({"--config",
               strict.write_file("petstore.toml", "[ban]\nstrikes = 5\ngrace = \"100ms\"\nbase = \"90s\"\n"),
               "--anonymous-per-minute", "2"});
  client anonymous(strict, "");
  BOOST_TEST(eventually([&] {
    const answer got = anonymous.ask({"GET", "/v1/pets", {}, {}});
    return got.status == 429 && got.code() == "banned";
  }));
  const answer banned = anonymous.get("/v1/pets");
  expect_error(banned, 429, "banned");
  BOOST_TEST(banned.integer("Retry-After") > 60);
  BOOST_TEST(client(strict, valid.secret).get("/v1/pets").status == 200);
  expect_error(client(strict, "", "127.0.0.2").get("/v1/pets"), 401, "unauthorized");
}

BOOST_AUTO_TEST_CASE(behind_a_trusted_proxy_the_client_it_names_pays) {
  test_node proxied;
  proxied.open({"--trusted-proxies", "127.0.0.8"});
  client proxy(proxied, "", "127.0.0.8");
  const auto left_of = [](client& peer, const fields& lines) {
    return peer.get("/v1/pets", lines).integer("X-RateLimit-Remaining");
  };
  const auto for_client = [](const std::string& address) { return fields{{"X-Forwarded-For", address}}; };
  BOOST_TEST(left_of(proxy, for_client("203.0.113.5")) == 59);
  BOOST_TEST(left_of(proxy, for_client("203.0.113.5")) == 58);
  BOOST_TEST(left_of(proxy, for_client("203.0.113.6")) == 59);
  // A claim of the client precedes the proxy's value, on the same line or on a separate one.
  BOOST_TEST(left_of(proxy, for_client("203.0.113.5, 203.0.113.7")) == 59);
  BOOST_TEST(left_of(proxy, {{"X-Forwarded-For", "203.0.113.5"}, {"X-Forwarded-For", "203.0.113.8"}}) == 59);
  // The first 64 bits of an IPv6 address identify the client.
  BOOST_TEST(left_of(proxy, for_client("2001:db8::1")) == 59);
  BOOST_TEST(left_of(proxy, for_client("2001:db8::ffff:2")) == 58);
  BOOST_TEST(left_of(proxy, for_client("2001:db8:0:1::1")) == 59);

  client anyone(proxied, "", "127.0.0.9");
  BOOST_TEST(left_of(anyone, for_client("203.0.113.20")) == 59);
  BOOST_TEST(left_of(anyone, for_client("203.0.113.21")) == 58);
}

BOOST_AUTO_TEST_SUITE_END()
