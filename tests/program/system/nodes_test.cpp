// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <future>

#include "program/system/two_nodes.hpp"
#include "support/needs_postgres.hpp"

using namespace petstore::tests;

namespace {

std::string metrics_of(running_server const& server) {
  return ask(server.admin_port(), "GET", "/metrics").body;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(nodes, two_nodes, *boost::unit_test::precondition(needs_postgres))

BOOST_AUTO_TEST_CASE(what_is_added_on_one_node_is_there_on_the_other) {
  auto const& key = first.demo_key();
  BOOST_REQUIRE(eventually([&] { return knows(second, key); }));
  auto const added = ask(first.port(), "POST", "/v1/pets", key, R"({"name":"Rosa","categoryId":1})");
  BOOST_TEST(added.status == 201);
  auto const read = ask(second.port(), "GET", added.field("Location"), key);
  BOOST_TEST(read.status == 200);
  BOOST_TEST(read.body == added.body);
  BOOST_TEST(first.stop() == 0);
  BOOST_TEST(second.stop() == 0);
}

BOOST_FIXTURE_TEST_CASE(a_quota_is_one_for_both_nodes, patient_nodes) {
  auto const small = key({"--plan", "enterprise", "--per-minute", "20", "--per-day", "1000"});
  BOOST_REQUIRE(both_know(*this, small));
  int admitted = 0;
  for (int i = 0; i < 40; ++i) {
    auto const& node = i % 2 == 0 ? first : second;
    admitted += ask(node.port(), "GET", "/v1/pets?limit=1", small).status == 200 ? 1 : 0;
  }
  BOOST_TEST(admitted <= 20);
  BOOST_TEST(admitted >= 19);
}

BOOST_FIXTURE_TEST_CASE(a_reset_gives_one_whole_quota_for_both_nodes, patient_nodes) {
  auto const small = key({"--plan", "enterprise", "--per-minute", "1000", "--per-day", "20"});
  BOOST_REQUIRE(both_know(*this, small));
  auto const admitted_of = [&](int requests) {
    int admitted = 0;
    for (int i = 0; i < requests; ++i) {
      auto const& node = i % 2 == 0 ? first : second;
      admitted += ask(node.port(), "GET", "/v1/pets?limit=1", small).status == 200 ? 1 : 0;
    }
    return admitted;
  };
  auto const remaining = [&](running_server const& node) {
    return boost::json::parse(ask(node.port(), "GET", "/v1/quota", small).body).at("day").at("remaining").as_int64();
  };
  BOOST_TEST(admitted_of(30) <= 20);
  auto const reset = run_petstore({"keys", "reset-quota", "k2", "--store", store});
  BOOST_REQUIRE_MESSAGE(reset.code == 0, reset.err);
  BOOST_TEST(eventually([&] { return remaining(first) == 20 && remaining(second) == 20; }));
  auto const admitted = admitted_of(40);
  BOOST_TEST(admitted <= 20);
  BOOST_TEST(admitted >= 19);
  auto const listed = run_petstore({"keys", "list", "--usage", "--json"}, variables);
  BOOST_TEST(boost::json::parse(listed.out).at(1).at("day_used").as_int64() == 20);
}

BOOST_FIXTURE_TEST_CASE(the_list_of_keys_tells_what_all_nodes_have_used, patient_nodes) {
  auto const made = key({"--plan", "pro"});
  BOOST_REQUIRE(both_know(*this, made));
  for (auto const* node : {&first, &second}) BOOST_TEST(ask(node->port(), "GET", "/v1/pets", made).status == 200);
  // What a node has taken ahead and does not need it gives back.
  auto const used = [&]() -> std::int64_t {
    auto const listed = run_petstore({"keys", "list", "--usage", "--json"}, variables);
    BOOST_REQUIRE_MESSAGE(listed.code == 0, listed.err);
    auto const keys = boost::json::parse(listed.out);
    for (auto const& one : keys.as_array())
      if (one.at("plan").as_string() == "pro") return one.at("day_used").as_int64();
    return -1;
  };
  BOOST_TEST(eventually([&] { return used() == 2; }));
  auto const without = run_petstore({"keys", "list", "--usage", "--store", store});
  BOOST_TEST(without.code == 2);
  BOOST_TEST(without.err.find("--quota") != std::string::npos, without.err);
}

BOOST_FIXTURE_TEST_CASE(usage_of_a_key_is_the_sum_of_both_nodes, patient_nodes) {
  auto const made = key({"--plan", "pro"});
  std::int64_t answered = 0;
  for (auto const* node : {&first, &second, &second})
    BOOST_REQUIRE(eventually([&] {
      bool const is_known = ask(node->port(), "GET", "/v1/pets", made).status == 200;
      answered += is_known ? 1 : 0;
      return is_known;
    }));
  BOOST_TEST(first.stop() == 0);  // a node that stops does not wait for the end of the minute
  BOOST_TEST(second.stop() == 0);
  auto const listed = run_petstore({"keys", "list", "--json", "--store", store});
  auto const keys = boost::json::parse(listed.out).as_array();
  auto const id = keys.back().at("id").as_string();
  auto const told = run_petstore({"keys", "usage", id.c_str(), "--json", "--store", store});
  BOOST_REQUIRE_MESSAGE(told.code == 0, told.err);
  std::int64_t admitted = 0;
  auto const days = boost::json::parse(told.out);
  for (auto const& day : days.as_array()) admitted += day.at("admitted").as_int64();
  BOOST_TEST(answered == 3);
  BOOST_TEST(admitted == answered);
}

/// The first request waits for Redis, which stands still until the second one was answered.
BOOST_FIXTURE_TEST_CASE(a_request_beyond_those_in_flight_is_refused_while_the_other_waits, patient_nodes) {
  auto limited_by = variables;
  limited_by.push_back("PETSTORE_REQUESTS_IN_FLIGHT_PER_KEY=1");
  running_server limited{{}, limited_by};
  auto const made = key({"--plan", "pro"});
  BOOST_REQUIRE(eventually([&] { return knows(limited, made); }));
  redis.freeze();
  auto first_answer = std::async(std::launch::async, [&] { return ask(limited.port(), "GET", "/v1/pets", made); });
  BOOST_REQUIRE(eventually([&] {
    return metrics_of(limited).find("petstore_connections_by_state{state=\"handling\"} 1\n") != std::string::npos;
  }));
  auto const beyond = ask(limited.port(), "GET", "/v1/pets", made);
  redis.thaw();
  BOOST_TEST(beyond.status == 429);
  BOOST_TEST(beyond.body.find("too_many_in_flight") != std::string::npos, beyond.body);
  BOOST_TEST(beyond.field("Retry-After") == "1");
  BOOST_TEST(beyond.field("RateLimit-Policy").find("\"in-flight\";q=1;qu=\"concurrent-requests\"") !=
             std::string::npos);
  BOOST_TEST(first_answer.get().status == 200);
  BOOST_TEST(ask(limited.port(), "GET", "/v1/pets", made).status == 200);
}

BOOST_AUTO_TEST_CASE(the_page_of_metrics_tells_of_shared_quotas) {
  BOOST_REQUIRE(eventually([&] { return knows(second, first.demo_key()); }));
  BOOST_REQUIRE(ask(second.port(), "GET", "/v1/pets", first.demo_key()).status == 200);
  BOOST_TEST(metrics_of(second).find("\npetstore_quota_calls_total{") != std::string::npos);
  // On a slow machine the first answers may come too late.
  BOOST_TEST(
      eventually([&] { return metrics_of(second).find("\npetstore_quota_redis_answers 1\n") != std::string::npos; }));
  BOOST_TEST(eventually([&] { return metrics_of(second).find("\npetstore_quota_nodes 2\n") != std::string::npos; }));
}

BOOST_AUTO_TEST_CASE(no_password_is_logged_or_shown) {
  BOOST_TEST(eventually([&] { return ask(first.port(), "GET", "/v1/pets", first.demo_key()).status == 200; }));
  redis.kill();
  BOOST_TEST(eventually([&] {
    ask(first.port(), "GET", "/v1/pets", first.demo_key());
    return metrics_of(first).find("redis_answers 0\n") != std::string::npos;
  }));
  auto const shown = run_petstore({"config", "show"}, variables);
  BOOST_TEST(shown.code == 0);
  BOOST_TEST(shown.out.find("redis://:***@127.0.0.1") != std::string::npos, shown.out);
  for (auto const& said : {shown.out, first.process().standard_error(), second.process().standard_error()}) {
    BOOST_TEST(said.find(password) == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_shop_moves_to_postgresql_and_back_with_keys_that_work) {
  temporary_directory directory;
  auto const before = "lmdb:" + (directory / "before").string();
  auto const after = "lmdb:" + (directory / "after").string();
  auto const between = postgres_server::shared().create_database();
  auto const secret = create_key(before, {"--plan", "free"});
  {
    running_server server({"--store", before, "--demo"});
    BOOST_TEST(server.stop() == 0);
  }
  auto const there = run_petstore({"copy", "--from", before, "--to", between});
  BOOST_TEST(there.code == 0, there.err);
  auto const back = run_petstore({"copy", "--from", between, "--to", after});
  BOOST_TEST(back.code == 0, back.err);
  BOOST_TEST(run_petstore({"export", "--store", after}).out == run_petstore({"export", "--store", before}).out);
  BOOST_TEST(run_petstore({"keys", "list", "--store", after}).out ==
             run_petstore({"keys", "list", "--store", before}).out);

  running_server server({"--store", between});
  BOOST_TEST(ask(server.port(), "GET", "/v1/pets?limit=1", secret).status == 200);
}

BOOST_AUTO_TEST_CASE(the_schema_is_brought_up_to_date_once) {
  auto const fresh = postgres_server::shared().create_database();
  auto const made = run_petstore({"migrate", "--store", fresh});
  BOOST_TEST(made.code == 0, made.err);
  BOOST_TEST(made.out.starts_with("the schema was of version 0, and is of version "), made.out);
  auto const again = run_petstore({"migrate", "--store", fresh});
  BOOST_TEST(again.out.starts_with("the schema is up to date: version "), again.out);
}

BOOST_AUTO_TEST_SUITE_END()
