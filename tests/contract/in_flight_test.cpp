// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <signal.h>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/client.hpp"

using namespace contract;

namespace {

constexpr std::string_view policy = R"("minute";q=100000;w=60, "day";q=1000000;w=86400)";

// Sends writes on several connections at once until one is refused, since only a request that waits for the disk is in
// flight when another one comes.
struct crowded_node {
  std::optional<answer> refuse_one(const issued_key& key, const arguments& flags) {
    node.open(flags);
    const std::string rosa = R"({"name":"Rosa","categoryId":1})";
    const request write{
        "POST", "/v1/pets", {{"Authorization", "Bearer " + key.secret}, {"Content-Type", "application/json"}}, rosa};
    std::vector<connection> crowd;
    for (int i = 0; i < 8; ++i) crowd.emplace_back(node.port());
    std::optional<answer> refused;
    BOOST_TEST(eventually([&] {
      for (connection& each : crowd) each.send(write.bytes());
      for (connection& each : crowd) {
        const answer got = each.receive();
        if (got.status == 201) {
          ++written;
        } else {
          refused = got;
        }
      }
      return refused.has_value();
    }));
    return refused;
  }

  test_node node;
  std::int64_t written = 0;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(in_flight, crowded_node)

BOOST_AUTO_TEST_CASE(a_request_too_many_at_a_time_is_refused_and_takes_no_token) {
  const issued_key key = node.create_key();
  const auto refused = refuse_one(key, {"--requests-in-flight-per-key", "1"});
  BOOST_REQUIRE(refused.has_value());
  BOOST_TEST(refused->status == 429);
  BOOST_TEST(refused->code() == "too_many_in_flight");
  BOOST_TEST((*refused)["Retry-After"] == "1");
  BOOST_TEST((*refused)["RateLimit-Policy"] == std::string(policy) + R"(, "in-flight";q=1;qu="concurrent-requests")");
  BOOST_TEST((*refused)["X-RateLimit-Resource"] == "minute");
  BOOST_TEST(refused->integer("X-RateLimit-Limit") == 100000);
  BOOST_TEST(refused->integer("X-RateLimit-Remaining") > 0);
  BOOST_TEST((*refused)["RateLimit"].find("\"minute\";r=") == 0U);
  BOOST_TEST((*refused)["RateLimit"].find("\"day\";r=") != std::string::npos);

  client api(node, key.secret);
  BOOST_TEST(api.ask({"GET", "/v1/quota", {}, {}}).value()["day"]["used"].integer() == written);
  BOOST_TEST(api.ask({"GET", "/v1/pets", {}, {}}).status == 200);
}

BOOST_AUTO_TEST_CASE(a_refusal_for_requests_in_flight_is_no_strike) {
  const issued_key key = node.create_key();
  const std::string file = node.write_file("ban.toml", "[ban]\nstrikes = 1\ngrace = \"0s\"\n");
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(refuse_one(key, {"--config", file, "--requests-in-flight-per-key", "1"}).has_value());
    BOOST_TEST(client(node, key.secret).ask({"GET", "/v1/pets", {}, {}}).status == 200);
    BOOST_TEST(node.close() == 0);
  }
}

BOOST_AUTO_TEST_CASE(callers_without_a_key_have_no_such_limit) {
  node.open({"--requests-in-flight-per-key", "1"});
  const answer got = client(node, "").get("/v1/pets");
  BOOST_TEST(got.status == 401);
  BOOST_TEST(got["RateLimit-Policy"] == R"("minute";q=60;w=60)");
}

BOOST_AUTO_TEST_CASE(the_limit_may_be_set_while_the_program_runs) {
  const issued_key key = node.create_key();
  const std::string file = node.write_file("limit.toml", "requests_in_flight_per_key = 3\n");
  node.open({"--config", file});
  client api(node, key.secret);
  const auto policy_of = [&] { return api.ask({"GET", "/v1/quota", {}, {}})["RateLimit-Policy"]; };
  BOOST_TEST(policy_of() == std::string(policy) + R"(, "in-flight";q=3;qu="concurrent-requests")");
  node.write_file("limit.toml", "requests_in_flight_per_key = 0\n");
  node.process().send_signal(SIGHUP);
  BOOST_TEST(eventually([&] { return policy_of() == policy; }));
}

BOOST_AUTO_TEST_SUITE_END()
