// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <signal.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <exception>

#include "program/system/running_server.hpp"
#include "support/resource_limit.hpp"

BOOST_AUTO_TEST_SUITE(serve)

using namespace petstore::tests;

namespace {

struct shop_on_disk {
  temporary_directory directory;
  std::string store = "lmdb:" + (directory / "store").string();

  std::vector<std::string> flags(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--store", store, "--anonymous-per-minute", "100000"});
    return more;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_demo_key_lists_the_sample_animals) {
  running_server server({"--store", "memory:", "--demo"});
  auto const list = ask(server.port(), "GET", "/v1/pets?limit=100", server.demo_key());
  BOOST_TEST(list.status == 200);
  BOOST_TEST(boost::json::parse(list.body).as_array().size() == 30u);
  BOOST_TEST(list.field("X-RateLimit-Limit") == "1000");
  BOOST_TEST(ask(server.port(), "GET", "/v1/pets").status == 401);
  BOOST_TEST(server.stop() == 0);
}

BOOST_FIXTURE_TEST_CASE(a_second_start_has_the_same_demo_key, shop_on_disk) {
  std::string old;
  {
    running_server server(flags({"--demo"}));
    old = server.demo_key();
    BOOST_TEST(ask(server.port(), "GET", "/v1/pets", old).status == 200);
    BOOST_TEST(server.stop() == 0);
  }
  running_server server(flags({"--demo"}));
  BOOST_TEST(server.demo_key() == old);
  BOOST_TEST(ask(server.port(), "GET", "/v1/pets", old).status == 200);
}

BOOST_FIXTURE_TEST_CASE(animals_survive_a_restart, shop_on_disk) {
  auto const key = create_key(store, {"--plan", "pro"});
  std::string location;
  {
    running_server server(flags());
    auto const made = ask(server.port(), "POST", "/v1/pets", key, R"({"name":"Rex","categoryId":1})");
    BOOST_TEST(made.status == 201);
    location = made.field("Location");
    BOOST_TEST(server.stop() == 0);
  }
  running_server server(flags());
  auto const found = ask(server.port(), "GET", location, key);
  BOOST_TEST(found.status == 200);
  BOOST_TEST(boost::json::parse(found.body).at("name").as_string() == "Rex");
}

BOOST_FIXTURE_TEST_CASE(a_running_server_follows_changes_of_keys, shop_on_disk) {
  running_server server(flags());
  auto const key = create_key(store, {"--plan", "pro"});
  auto const status = [&] { return ask(server.port(), "GET", "/v1/pets", key).status; };
  auto const limit = [&] { return ask(server.port(), "GET", "/v1/pets", key).field("X-RateLimit-Limit"); };
  BOOST_TEST(eventually([&] { return status() == 200; }));
  BOOST_TEST(run_petstore({"keys", "set-plan", "--store", store, "k1", "--plan", "business"}).code == 0);
  BOOST_TEST(eventually([&] { return limit() == "1000"; }));
  BOOST_TEST(run_petstore({"keys", "ban", "--store", store, "k1"}).code == 0);
  BOOST_TEST(eventually([&] { return status() == 429; }));
  BOOST_TEST(run_petstore({"keys", "unban", "--store", store, "k1"}).code == 0);
  BOOST_TEST(eventually([&] { return status() == 200; }));
  BOOST_TEST(run_petstore({"keys", "revoke", "--store", store, "k1"}).code == 0);
  BOOST_TEST(eventually([&] { return status() == 401; }));
}

BOOST_FIXTURE_TEST_CASE(what_a_key_used_is_told_beside_a_running_server, shop_on_disk) {
  running_server server(flags());
  auto const key = create_key(store, {"--plan", "pro"});
  BOOST_TEST(eventually([&] { return ask(server.port(), "GET", "/v1/pets", key).status == 200; }));
  BOOST_TEST(ask(server.port(), "GET", "/v1/pets", key).status == 200);
  auto const used_of_day = [&] {
    auto const listed = run_petstore({"keys", "list", "--usage", "--json", "--store", store});
    BOOST_TEST(listed.code == 0, listed.err);
    return boost::json::parse(listed.out).as_array().at(0).at("day_used").as_int64();
  };
  BOOST_TEST(eventually([&] { return used_of_day() >= 2; }));
  auto const shown = run_petstore({"keys", "show", "k1", "--usage", "--store", store}).out;
  BOOST_TEST(shown.find("/10000\n") != std::string::npos, shown);
  BOOST_TEST(server.stop() == 0);
}

BOOST_FIXTURE_TEST_CASE(a_hang_up_reloads_the_plans_and_a_wrong_file_changes_nothing, shop_on_disk) {
  auto const file = directory.write("petstore.toml", "[plans.free]\nper_minute = 60\n").string();
  running_server server(flags({"--config", file}));
  auto const key = create_key(store, {"--plan", "free"});
  auto const limit = [&] { return ask(server.port(), "GET", "/v1/quota", key).field("X-RateLimit-Limit"); };
  BOOST_TEST(eventually([&] { return limit() == "60"; }));

  directory.write("petstore.toml", "[plans.free]\nper_minute = 7\n");
  server.process().send_signal(SIGHUP);
  BOOST_TEST(eventually([&] { return limit() == "7"; }));

  directory.write("petstore.toml", "[plans.free]\nper_minute = many\n");
  server.process().send_signal(SIGHUP);
  auto const told = [&](char const* event) {
    return server.process().standard_error().find(event) != std::string::npos;
  };
  BOOST_TEST(eventually([&] { return told("configuration_not_reloaded"); }));
  BOOST_TEST(limit() == "7");

  directory.write("petstore.toml", "threads = 1\n");
  server.process().send_signal(SIGHUP);
  BOOST_TEST(eventually([&] { return limit() == "60"; }));
  BOOST_TEST(server.stop() == 0);
}

BOOST_FIXTURE_TEST_CASE(a_hang_up_changes_limits_and_the_log_says_from_what_to_what, shop_on_disk) {
  auto const file = directory.write("petstore.toml", "").string();
  running_server server(flags({"--config", file}));
  auto const key = create_key(store, {"--plan", "pro"});
  std::string const animal = R"({"name":"Rex","categoryId":1})";
  auto const status = [&] { return ask(server.port(), "POST", "/v1/pets", key, animal).status; };
  auto const told = [&](char const* what) { return server.process().standard_error().find(what) != std::string::npos; };
  BOOST_TEST(eventually([&] { return status() == 201; }));

  directory.write("petstore.toml", "body_limit = 9\nanonymous_addresses = 100\n");
  server.process().send_signal(SIGHUP);
  BOOST_TEST(eventually([&] { return status() == 413; }));
  BOOST_TEST(eventually([&] { return told("body-limit: `64KiB` → `9` (from petstore.toml:1)"); }));
  BOOST_TEST(eventually([&] { return told("configuration_reloaded"); }));
  BOOST_TEST(told("restart_needed"));

  directory.write("petstore.toml", "body_limit = 1MiB\n");
  server.process().send_signal(SIGHUP);
  BOOST_TEST(eventually([&] { return told("configuration_not_reloaded"); }));
  BOOST_TEST(status() == 413);

  directory.write("petstore.toml", "");
  server.process().send_signal(SIGHUP);
  BOOST_TEST(eventually([&] { return status() == 201; }));
  BOOST_TEST(server.stop() == 0);
}

BOOST_FIXTURE_TEST_CASE(a_hang_up_changes_what_holds_for_strangers_and_for_who_ignores_refusals, shop_on_disk) {
  auto const file = directory.write("petstore.toml", "anonymous_per_minute = 1000\n[ban]\nstrikes = 0\n").string();
  running_server server({"--store", store, "--config", file});
  auto const field = [&](char const* name) {
    return ask(server.port(), "GET", "/v1/pets", "", "", {"Origin: https://shop.example"}).field(name);
  };
  BOOST_TEST(eventually([&] { return field("X-RateLimit-Limit") == "1000"; }));
  BOOST_TEST(field("Access-Control-Allow-Origin") == "");

  // More is used than there is now, and the first refusal that is ignored bans.
  directory.write("petstore.toml",
                  "anonymous_per_minute = 1\ncors_origins = [\"https://shop.example\"]\n"
                  "[ban]\nstrikes = 1\ngrace = \"0s\"\n");
  server.process().send_signal(SIGHUP);
  BOOST_TEST(eventually([&] { return field("X-RateLimit-Limit") == "1"; }));
  BOOST_TEST(
      eventually([&] { return field("Access-Control-Allow-Origin") == "https://shop.example"; }));  // on any thread
  BOOST_TEST(
      eventually([&] { return ask(server.port(), "GET", "/v1/pets", "").body.find("banned") != std::string::npos; }));
  BOOST_TEST(server.stop() == 0);  // by when every line is written
  auto const log = server.process().standard_error();
  BOOST_TEST(log.find("anonymous-per-minute: `1000` → `1` (from petstore.toml:1)") != std::string::npos, log);
  BOOST_TEST(log.find("ban-strikes: `0` → `1`") != std::string::npos, log);
  BOOST_TEST(log.find("restart_needed") == std::string::npos, log);
}

BOOST_FIXTURE_TEST_CASE(a_hang_up_changes_how_many_connections_an_address_may_have, shop_on_disk) {
  auto const file = directory.write("petstore.toml", "").string();
  running_server server({"--store", store, "--config", file});
  // Of a request while another connection is open; 0: it was cut off while it was told to go.
  auto const status_beside_another = [&] {
    try {
      test_client other(server.port());
      other.send("GET /livez HTTP/1.1\r\nHost: pets.example\r\n\r\n");
      other.receive();
      return ask(server.port(), "GET", "/livez").status;
    } catch (std::exception const&) {
      return 0;
    }
  };
  BOOST_TEST(eventually([&] { return status_beside_another() == 200; }));

  directory.write("petstore.toml", "connections_per_address = 1\n");
  server.process().send_signal(SIGHUP);
  BOOST_TEST(eventually([&] { return status_beside_another() == 503; }));

  // This machine itself has no share then, and what is open counts for nobody.
  directory.write("petstore.toml", "");
  server.process().send_signal(SIGHUP);
  BOOST_TEST(eventually([&] { return status_beside_another() == 200; }));
  BOOST_TEST(server.stop() == 0);
}

BOOST_AUTO_TEST_CASE(slow_heads_in_every_place_of_the_admin_listener_keep_no_probe_out) {
  running_server server({"--store", "memory:"});
  std::vector<test_client> slow;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 64; ++i) {
      slow.emplace_back(server.admin_port());
      slow.back().send("GET /livez HTTP/1.1\r\nX: ");
    }
    BOOST_TEST(ask(server.admin_port(), "GET", "/livez").status == 200);
  }
  BOOST_TEST(server.stop() == 0);
}

BOOST_AUTO_TEST_CASE(the_admin_listener_tells_life_readiness_and_figures) {
  running_server server({"--store", "memory:", "--demo"});
  ask(server.port(), "GET", "/v1/pets", server.demo_key());
  BOOST_TEST(ask(server.admin_port(), "GET", "/livez").status == 200);
  BOOST_TEST(ask(server.admin_port(), "GET", "/readyz").status == 200);
  auto const page = ask(server.admin_port(), "GET", "/metrics");
  BOOST_TEST(page.status == 200);
  BOOST_TEST(page.body.find(R"(petstore_http_requests_total{operation="listPets",status="2xx"} 1)") !=
             std::string::npos);
  BOOST_TEST(page.body.find("petstore_keys 1\n") != std::string::npos);
  BOOST_TEST(ask(server.admin_port(), "GET", "/v1/pets", server.demo_key()).status == 404);
  BOOST_TEST(ask(server.port(), "GET", "/metrics").status != 200);
}

BOOST_AUTO_TEST_CASE(health_is_asked_from_inside_by_the_same_settings) {
  running_server server({"--store", "memory:"});
  std::vector<std::string> const address{"PETSTORE_ADMIN_LISTEN=0.0.0.0:" + std::to_string(server.admin_port())};
  auto const live = run_petstore({"health"}, address);
  BOOST_TEST(live.code == 0, live.err);
  BOOST_TEST(live.out == "{\"status\":\"ok\"}\n");
  auto const ready = run_petstore({"health", "--ready"}, address);
  BOOST_TEST(ready.code == 0, ready.err);
  BOOST_TEST(ready.out == "{\"status\":\"ready\"}\n");
  BOOST_TEST(server.stop() == 0);
  BOOST_TEST(run_petstore({"health"}, address).code == 1);
}

/// Asks for a page, which has to be answered; returns whether a write of the log has failed.
bool answers_while_its_log_fails(running_server const& server) {
  BOOST_TEST(ask(server.port(), "GET", "/v1/pets", server.demo_key()).status == 200);
  auto const page = ask(server.admin_port(), "GET", "/metrics").body;
  return page.find("petstore_log_writes_failed_total 0\n") == std::string::npos;
}

BOOST_AUTO_TEST_CASE(a_full_disk_under_the_log_harms_no_request) {
  running_server server({"--store", "memory:", "--demo", "--log-file", "/dev/full"});
  BOOST_TEST(eventually([&] { return answers_while_its_log_fails(server); }));
  BOOST_TEST(server.stop() == 0);
}

BOOST_AUTO_TEST_CASE(a_log_that_has_the_largest_size_of_a_file_harms_no_request) {
  temporary_directory directory;
  auto const log = directory.write("log", std::string(64 * 1024, '\n')).string();
  resource_limit const limit(RLIMIT_FSIZE, 64 * 1024);
  running_server server({"--store", "memory:", "--demo", "--log-file", log});
  BOOST_TEST(eventually([&] { return answers_while_its_log_fails(server); }));
  BOOST_TEST(server.stop() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
