// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "server/redis/live_client.hpp"
#include "support/eventually.hpp"
#include "support/live_cluster.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(redis_cluster)

namespace {

using redis::errc;
using kind = redis::state_change::kind;

redis::script const add{"return redis.call('INCRBY', KEYS[1], ARGV[1])"};
redis::script const add_both{"return redis.call('INCR', KEYS[1]) + redis.call('INCR', KEYS[2])"};

struct fixture : live_cluster {
  using live_cluster::live_cluster;

  /// Whether the first master has it.
  bool is_of_first(std::string const& key) const { return master_of(key) == 0; }
};

BOOST_FIXTURE_TEST_CASE(each_key_finds_its_master_also_from_the_address_of_any_one_node, fixture) {
  live_client plain{members[2].server.address()};
  live_client listed{address()};
  for (live_client* const client : {&plain, &listed}) {
    BOOST_REQUIRE(client->connect());
    for (int i = 0; i < 100; ++i) {
      auto const key = "key" + std::to_string(i);
      BOOST_TEST(client->run(add, {key}, {"1"}).value().integer == (client == &plain ? 1 : 2));
    }
    BOOST_TEST((*client)->counters().connections == 3U);
    BOOST_TEST((*client)->counters().redirections == 0U);
    BOOST_TEST(client->run(add_both, {"{tag}a", "{tag}b"}, {}).has_value());
    BOOST_TEST((client->run(add_both, {"a", "b"}, {}).error().code == errc::refused));
    BOOST_TEST(client->command({"PING"}).value().text == "PONG");  // no key: any of them
    BOOST_TEST(client->wait((*client)->inspect(within(time_limit))).value().size() == 3U);
  }
  for (auto const& one : members) BOOST_TEST(one.ask({"DBSIZE"}) != "0");

  // A node goes: the calls of its slots fail at once, those of others are answered, and it is taken again.
  std::string of_first = "key0";
  for (int i = 1; !is_of_first(of_first); ++i) of_first = "key" + std::to_string(i);
  std::string of_another = "key0";
  for (int i = 1; is_of_first(of_another); ++i) of_another = "key" + std::to_string(i);
  members[0].server.kill();
  BOOST_TEST(listed.changes().wait_for([](auto const& change) { return change.what == kind::lost; }));
  BOOST_TEST((listed.run(add, {of_first}, {"1"}, std::chrono::hours{1}).error().code == errc::not_connected));
  BOOST_TEST(listed.run(add, {of_another}, {"1"}).has_value());
  BOOST_TEST(!listed->is_connected());
  BOOST_TEST(listed->connected_servers() == 2U);
  members[0].server.start();
  BOOST_TEST(listed.connect());
  BOOST_TEST(eventually([&] { return listed.run(add, {of_first}, {"1"}).has_value(); }));
}

BOOST_FIXTURE_TEST_CASE(slots_are_followed_while_and_after_they_move, fixture) {
  live_client client{address()};
  BOOST_REQUIRE(client.connect());
  // Two keys of one slot, which the first master has.
  std::string tag = "{0}";
  for (int i = 1; !is_of_first(tag); ++i) tag = "{" + std::to_string(i) + "}";
  auto const slot = std::to_string(slot_of(tag));
  auto const& from = members[0];
  auto const& to = members[2];
  BOOST_TEST(client.run(add_both, {tag + "a", tag + "b"}, {}).value().integer == 2);

  to.ask({"CLUSTER", "SETSLOT", slot, "IMPORTING", from.id()});
  from.ask({"CLUSTER", "SETSLOT", slot, "MIGRATING", to.id()});
  from.ask({"MIGRATE", "127.0.0.1", std::to_string(to.server.port()), tag + "a", "0", "5000"});
  // ASK: one key is there already, the other still here; and the script is new where it is asked.
  BOOST_TEST(client.run(add, {tag + "a"}, {"1"}).value().integer == 2);
  BOOST_TEST(client.run(add, {tag + "b"}, {"1"}).value().integer == 2);
  BOOST_TEST(client->counters().redirections == 1U);
  // TRYAGAIN until both are in one place: not within this deadline, whatever was being done when it passed …
  auto const torn = client.run(add_both, {tag + "a", tag + "b"}, {}, std::chrono::milliseconds{50});
  BOOST_REQUIRE(torn.has_error());
  auto const why = torn.error().code;
  BOOST_TEST((why == errc::refused || why == errc::timed_out || why == errc::not_sent));
  // … but within that one.
  auto waiting =
      asio::co_spawn(client.caller().executor(),
                     client->run_script(add_both, {tag + "a", tag + "b"}, {}, within(time_limit)), asio::use_future);
  BOOST_REQUIRE(eventually([&] { return client->counters().redirections > 5; }));
  from.ask({"MIGRATE", "127.0.0.1", std::to_string(to.server.port()), tag + "b", "0", "5000"});
  BOOST_TEST(waiting.get().value().integer == 6);

  for (auto const& one : members) one.ask({"CLUSTER", "SETSLOT", slot, "NODE", to.id()});
  client.changes().clear();
  BOOST_TEST(client.run(add, {tag + "a"}, {"1"}).value().integer == 4);  // MOVED, once
  BOOST_TEST(client.changes().wait_for([](auto const& change) { return change.what == kind::map_changed; }));
  auto const before = client->counters().redirections;
  BOOST_TEST(client.run(add, {tag + "a"}, {"1"}).value().integer == 5);
  BOOST_TEST(client->counters().redirections == before);
}

struct fixture_with_spare : fixture {
  fixture_with_spare() : fixture{true} {}
};

BOOST_FIXTURE_TEST_CASE(a_replica_that_takes_over_is_followed, fixture_with_spare) {
  auto const& replica = *spare;
  replica.ask({"CLUSTER", "REPLICATE", members[0].id()});
  BOOST_REQUIRE(eventually([&] { return replica.server.tells("replication", "master_link_status:up"); }));
  live_client client{address()};
  BOOST_REQUIRE(client.connect());
  BOOST_TEST(client->counters().connections == 3U);
  std::string key = "0";
  for (int i = 1; !is_of_first(key); ++i) key = std::to_string(i);

  replica.ask({"CLUSTER", "FAILOVER"});
  // Nobody announces it: calls to the old master are led to the new one. What is said not to have been done was not.
  auto const place = "127.0.0.1:" + std::to_string(replica.server.port());
  auto const is_followed = [&] {
    auto const all = client.changes().all();
    return std::ranges::any_of(all, [&](auto const& c) { return c.what == kind::connected && c.where == place; });
  };
  int done = 0;
  BOOST_REQUIRE(eventually([&] {
    auto const outcome = client.run(add, {key}, {"1"});
    BOOST_REQUIRE((outcome || is_surely_not_executed(outcome.error().code)));
    if (outcome) ++done;
    return is_followed();
  }));
  BOOST_TEST(client.connect());
  BOOST_TEST(client.run(add, {key}, {"1"}).value().integer == done + 1);
  BOOST_TEST(replica.ask({"GET", key}) == std::to_string(done + 1));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
