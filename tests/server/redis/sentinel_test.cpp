// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "petstore/redis/subscriber.hpp"
#include "server/redis/live_client.hpp"
#include "support/eventually.hpp"
#include "support/free_port.hpp"
#include "support/redis_process.hpp"

/// A master, its replica, and a sentinel that makes one of the other.
namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(redis_sentinel)

namespace {

using redis::errc;
using kind = redis::state_change::kind;

struct fixture {
  redis_process master{{"--repl-diskless-sync-delay", "0"}};
  redis_process replica{{"--replicaof", "127.0.0.1 " + std::to_string(master.port())}};
  redis_process sentinel{{}, redis_process::role::sentinel};

  fixture() {
    BOOST_REQUIRE(eventually([&] { return replica.tells("replication", "master_link_status:up"); }));
    BOOST_REQUIRE(eventually([&] { return master.tells("replication", "state=online"); }));
    sentinel.ask({"SENTINEL", "MONITOR", "shop", "127.0.0.1", std::to_string(master.port()), "1"});
    BOOST_REQUIRE(eventually([&] {
      return sentinel.ask({"SENTINEL", "REPLICAS", "shop"}).find("slave") != std::string::npos;
    }));
  }

  /// The first of the two is not there.
  std::string address() const {
    return "redis+sentinel://127.0.0.1:" + std::to_string(free_port()) +
           ",127.0.0.1:" + std::to_string(sentinel.port()) + "/shop";
  }
  std::string place_of(redis_process const& server) const { return "127.0.0.1:" + std::to_string(server.port()); }
};

BOOST_FIXTURE_TEST_CASE(a_failover_is_followed_when_it_is_announced, fixture) {
  live_client client{address()};
  BOOST_REQUIRE(client.connect());
  BOOST_TEST(client.command({"SET", "k", "v"}).value().text == "OK");
  // Whoever is told of the new master must be listening by then.
  BOOST_REQUIRE(eventually([&] { return sentinel.ask({"CLIENT", "LIST"}).find("psub=1") != std::string::npos; }));

  // It declines until it has seen enough of the replica.
  BOOST_REQUIRE(eventually([&] {
    try {
      return sentinel.ask({"SENTINEL", "FAILOVER", "shop"}) == "OK";
    } catch (std::runtime_error const& not_yet) {
      return false;
    }
  }));
  BOOST_TEST(client.changes().wait_for([&](redis::state_change const& change) {
    return change.what == kind::master_changed && change.where == place_of(replica);
  }));
  BOOST_TEST(client.changes().wait_for([&](redis::state_change const& change) {
    return change.what == kind::connected && change.where == place_of(replica);
  }));
  BOOST_TEST(client.connect());
  BOOST_TEST(client.command({"SET", "k", "w"}).value().text == "OK");
  BOOST_TEST(replica.ask({"GET", "k"}) == "w");
}

BOOST_FIXTURE_TEST_CASE(a_master_that_dies_is_replaced_and_nothing_waits_meanwhile, fixture) {
  live_client client{address()};
  BOOST_REQUIRE(client.connect());
  BOOST_TEST(client.wait(client->inspect(within(time_limit))).value().at(0).where == place_of(master));
  journal<redis::subscription_event> heard;
  running_context ears;
  redis::subscriber const subscriber{ears.executor(), live_client::options_for(address()), "news",
                                     [&](auto const& event) { heard.add(event); }};
  using event_kind = redis::subscription_event::kind;
  auto const listening = [](auto const& event) { return event.what == event_kind::listening; };
  BOOST_REQUIRE(heard.wait_for(listening));

  master.kill();
  sentinel.notice_silence("shop");
  BOOST_TEST(client.changes().wait_for([](redis::state_change const& change) { return change.what == kind::lost; }));
  BOOST_TEST((client.command({"SET", "k", "w"}, "", std::chrono::hours{1}).error().code == errc::not_connected));
  BOOST_TEST(client.connect());
  BOOST_TEST(client.command({"SET", "k", "w"}).value().text == "OK");
  BOOST_TEST(client.wait(client->inspect(within(time_limit))).value().at(0).where == place_of(replica));

  BOOST_REQUIRE(heard.wait_for([](auto const& event) { return event.what == event_kind::lost; }));
  BOOST_REQUIRE(eventually([&] { return std::ranges::count_if(heard.all(), listening) == 2; }));
  replica.ask({"PUBLISH", "news", "later"});
  BOOST_TEST(heard.wait_for([](auto const& event) { return event.payload == "later"; }));
}

BOOST_AUTO_TEST_CASE(a_sentinel_that_knows_no_such_master_is_said_so) {
  redis_process const sentinel{{}, redis_process::role::sentinel};
  live_client client{"redis+sentinel://127.0.0.1:" + std::to_string(sentinel.port()) + "/shop"};
  BOOST_TEST(client.changes().wait_for([](redis::state_change const& change) {
    return change.what == kind::failed && change.reason.find("no master of that name") != std::string::npos;
  }));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
