// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <string>
#include <vector>

#include "program/hook_server.hpp"
#include "program/system/running_server.hpp"

BOOST_AUTO_TEST_SUITE(webhook)

using namespace petstore::tests;

namespace {

struct shop_with_webhook {
  std::vector<std::string> flags(std::vector<std::string> const& more = {}) const {
    std::vector<std::string> all{"--store",
                                 store,
                                 "--log-file",
                                 log,
                                 "--access-log",
                                 "off",
                                 "--webhook",
                                 "http://127.0.0.1:" + std::to_string(hooks.port()) + "/petstore?token=canary",
                                 "--webhook-secret-file",
                                 directory.write("secret", secret + "\n").string()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  /// Takes the next event.
  boost::json::object take() {
    auto const connection = hooks.accept();
    auto const request = connection->read();
    connection->answer(204);
    BOOST_TEST(is_signed_with(secret, request));
    return boost::json::parse(request.body).as_object();
  }
  static void spend(running_server const& server, std::string const& key, int requests) {
    for (int i = 0; i < requests; ++i) BOOST_TEST(ask(server.port(), "GET", "/v1/pets", key).status == 200);
  }

  temporary_directory directory;
  std::string const store = "lmdb:" + (directory / "store").string();
  std::string const log = (directory / "log").string();
  std::string const secret = "0123456789abcdef0123456789abcdef";
  hook_server hooks;
};

bool has(running_server const& server, std::string const& metric) {
  return ask(server.admin_port(), "GET", "/metrics").body.find("\n" + metric + "\n") != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_quota_that_runs_out_is_told_once_for_each_mark, shop_with_webhook) {
  auto const key = create_key(store, {"--plan", "free", "--per-day", "5"});
  {
    running_server server(flags());
    spend(server, key, 4);
    auto const first = take();
    BOOST_TEST(first.at("event").as_string() == "quota.threshold");
    BOOST_TEST(first.at("key").as_string() == "k1");
    BOOST_TEST(first.at("identity").as_string() == "k1");
    BOOST_TEST(first.at("window").as_string() == "day");
    BOOST_TEST(first.at("percent").as_int64() == 80);
    BOOST_TEST(first.at("limit").as_int64() == 5);
    BOOST_TEST(first.at("used").as_int64() == 4);
    BOOST_TEST(std::string{first.at("resetsAt").as_string()}.ends_with("T00:00:00.000Z"));
    BOOST_TEST(eventually([&] { return has(server, R"(petstore_webhook_events_total{outcome="delivered"} 1)"); }));
    BOOST_TEST(server.stop() == 0);
  }
  running_server again(flags());  // it has told that mark already
  spend(again, key, 1);
  BOOST_TEST(take().at("percent").as_int64() == 100);
  BOOST_TEST(ask(again.port(), "GET", "/v1/pets", key).status == 429);
  BOOST_TEST(again.stop() == 0);
  BOOST_TEST(!hooks.has_another());
  auto const told = read_file(log);
  BOOST_TEST(told.find("\"quota_threshold\"") != std::string::npos);
  BOOST_TEST(told.find("canary") == std::string::npos);
  BOOST_TEST(told.find(secret) == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_receiver_that_hangs_holds_neither_requests_nor_the_end, shop_with_webhook) {
  auto const key = create_key(store, {"--plan", "free", "--per-day", "10"});
  running_server server(flags({"--drain-timeout", "0s"}));
  spend(server, key, 8);
  auto const silent = hooks.accept();
  silent->read();
  spend(server, key, 2);
  BOOST_TEST(has(server, R"(petstore_limiter_thresholds_total{percent="100"} 1)"));
  BOOST_TEST(server.stop() == 0);
  BOOST_TEST(read_file(log).find("2 events were not delivered before the server stopped") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(an_event_of_the_last_request_is_delivered_before_the_end, shop_with_webhook) {
  auto const key = create_key(store, {"--plan", "free", "--per-day", "1"});
  running_server server(flags());
  spend(server, key, 1);
  server.process().send_signal(SIGTERM);
  BOOST_TEST(take().at("percent").is_int64());
  BOOST_TEST(take().at("percent").is_int64());
  BOOST_TEST(server.process().wait() == 0);
}

BOOST_FIXTURE_TEST_CASE(a_webhook_without_a_usable_secret_is_a_wrong_configuration, shop_with_webhook) {
  auto const without = run_petstore({"serve", "--store", "memory:", "--webhook", "https://hooks.example.com/?canary"});
  BOOST_TEST(without.code == 2);
  BOOST_TEST(without.err.find("needs webhook-secret-file") != std::string::npos);
  BOOST_TEST(without.err.find("canary") == std::string::npos);

  auto const file = directory.write("short", "too short").string();
  for (std::vector<std::string> command : {std::vector<std::string>{"serve"}, {"config", "check"}}) {
    command.insert(command.end(),
                   {"--store", "memory:", "--webhook", "https://hooks.example.com/", "--webhook-secret-file", file});
    auto const done = run_petstore(command);
    BOOST_TEST(done.code == 2);
    BOOST_TEST(done.err.find("has a secret that is shorter than 32 characters") != std::string::npos, done.err);
    BOOST_TEST(done.err.find("too short") == std::string::npos);
  }
}

BOOST_AUTO_TEST_SUITE_END()
