// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "server/redis/live_client.hpp"
#include "support/redis_process.hpp"

/// Servers that ask who is there, or offer more than is looked for.
namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(redis_access)

namespace {

using redis::errc;
using kind = redis::state_change::kind;

std::string on(redis_process const& server, std::string const& credentials, std::string const& rest = {}) {
  return "redis://" + credentials + "@127.0.0.1:" + std::to_string(server.port()) + rest;
}

bool fails_with(live_client& client, std::string_view word) {
  return client.changes().wait_for([&](redis::state_change const& change) {
    return change.what == kind::failed && change.reason.find(word) != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(a_password_opens_the_server_and_a_wrong_one_is_refused_without_being_told) {
  redis_process const server{{"--requirepass", "cat flap"}};
  live_client right{on(server, ":cat%20flap")};
  BOOST_TEST(right.connect());
  BOOST_TEST(right.command({"PING"}).value().text == "PONG");

  live_client wrong{on(server, ":dog%20flap")};
  BOOST_TEST(fails_with(wrong, "WRONGPASS"));
  auto const down = wrong.command({"PING"}).error();
  BOOST_TEST((down.code == errc::not_connected));
  BOOST_TEST(down.detail.find("WRONGPASS") != std::string::npos);  // says why
  BOOST_TEST(to_string(down).find("dog") == std::string::npos);

  live_client none{server.address()};
  BOOST_TEST(fails_with(none, "NOAUTH"));
}

BOOST_AUTO_TEST_CASE(a_user_may_do_what_the_server_lets_them_and_what_they_may_not_ask_is_unknown) {
  redis_process const server{{"--requirepass", "secret"}};
  server.ask({"ACL", "SETUSER", "quota", "on", ">pet", "~q:*", "+eval", "+evalsha", "+incrby", "+ping", "+info"});
  live_client client{on(server, "quota:pet")};
  BOOST_REQUIRE(client.connect());
  redis::script const add{"return redis.call('INCRBY', KEYS[1], 1)"};
  BOOST_TEST(client.run(add, {"q:1"}, {}).value().integer == 1);
  BOOST_TEST((client.command({"GET", "q:1"}).error().code == errc::refused));
  BOOST_TEST((client.run(add, {"other"}, {}).error().code == errc::refused));
  auto const told = client.wait(client->inspect(within(time_limit))).value();
  BOOST_TEST(told.at(0).role == "master");
  BOOST_TEST(told[0].appendonly.empty());
  BOOST_TEST(told[0].maxmemory_policy == "noeviction");  // of INFO
  server.ask({"ACL", "SETUSER", "quota", "-info"});
  auto const less = client.wait(client->inspect(within(time_limit))).value();
  BOOST_TEST(less.at(0).maxmemory_policy.empty());
  BOOST_TEST(!less[0].evicted_keys.has_value());
}

BOOST_AUTO_TEST_CASE(a_database_other_than_the_first_is_chosen) {
  redis_process const server;
  live_client client{server.address() + "/3"};
  BOOST_REQUIRE(client.connect());
  client.command({"SET", "here", "1"}).value();
  BOOST_TEST(server.ask({"INFO", "keyspace"}).find("db3:keys=1") != std::string::npos);

  live_client beyond{server.address() + "/16"};
  BOOST_TEST(fails_with(beyond, "DB index is out of range"));
}

BOOST_AUTO_TEST_CASE(who_follows_another_server_or_watches_one_is_not_taken_for_a_master) {
  redis_process const master;
  redis_process const replica{{"--replicaof", "127.0.0.1 " + std::to_string(master.port())}};
  live_client to_replica{replica.address()};
  BOOST_TEST(fails_with(to_replica, "is a replica, not a master. Name its master"));
  redis_process const sentinel{{}, redis_process::role::sentinel};
  live_client to_sentinel{sentinel.address()};
  BOOST_TEST(fails_with(to_sentinel, "It is a sentinel"));
}

BOOST_AUTO_TEST_CASE(a_master_that_becomes_a_replica_is_left_and_taken_again_when_it_is_a_master) {
  redis_process const master;
  live_client client{master.address()};
  BOOST_REQUIRE(client.connect());
  redis_process const other;
  master.ask({"REPLICAOF", "127.0.0.1", std::to_string(other.port())});
  auto const refused = client.command({"SET", "k", "v"});
  BOOST_TEST(is_surely_not_executed(refused.error().code));
  BOOST_TEST(fails_with(client, "not a master"));
  BOOST_TEST(!client->is_connected());
  master.ask({"REPLICAOF", "NO", "ONE"});
  BOOST_TEST(client.connect());
  BOOST_TEST(client.command({"SET", "k", "v"}).value().text == "OK");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
