// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// The whole source over TLS: one server, a master behind a sentinel, a cluster. Each shows a certificate and asks for
// one.
#include <array>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "quota_node.hpp"
#include "support/free_port.hpp"
#include "support/redis_certificates.hpp"
#include "support/redis_process.hpp"

using namespace petstore::quota;
using namespace std::chrono_literals;
using petstore::tests::free_port;
using petstore::tests::redis_certificates;
using petstore::tests::redis_process;
namespace limits = petstore::limits;
namespace ports = petstore::ports;

namespace {

/// A day is longer than any case.
constexpr limits::plan plan{limits::per_minute(100'000), limits::per_day(200)};

using words = std::vector<std::string>;

words operator+(words one, words const& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

struct certified {
  redis_certificates trusted;

  certified() {
    trusted.sign("server", "IP:127.0.0.1");
    trusted.sign("client", "DNS:node");
  }

  std::unique_ptr<node> make_node(std::string const& scheme, std::uint16_t port, std::string const& path = {}) const {
    redis_options options;
    options.address = scheme + "://127.0.0.1:" + std::to_string(port) + path + '?' + trusted.client_parameters();
    options.on_failure = failure_policy::closed;
    options.deadline = 1s;
    options.bans.strikes = 0;
    return std::make_unique<node>(std::move(options), open_redis_quota);
  }
};

/// Admitted or refused. Until a server is found, calls fail at once, and a breaker may be open.
bool is_admitted(node& by, ports::payer const& who) {
  bool is = false;
  wait_until([&] {
    try {
      is = by.charge(who, limits::now()).admitted();
      return true;
    } catch (boost::system::system_error const& not_decided) {
      return false;
    }
  });
  return is;
}

std::uint64_t admitted_of(int requests, std::vector<node*> const& nodes, std::uint64_t key) {
  std::uint64_t count = 0;
  for (int i = 0; i < requests; ++i)
    for (node* const one : nodes) count += is_admitted(*one, one->identity(plan, key)) ? 1u : 0u;
  return count;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(quota_redis_tls, certified)

BOOST_AUTO_TEST_CASE(nodes_share_a_quota_on_one_server) {
  auto const port = free_port();
  redis_process const server{trusted.server_arguments(port)};
  auto const a = make_node("rediss", port), b = make_node("rediss", port);
  BOOST_TEST(admitted_of(150, {a.get(), b.get()}, 1) == 200u);
}

BOOST_AUTO_TEST_CASE(a_quota_outlives_a_failover_by_a_sentinel) {
  words const between{"--tls-replication", "yes"};
  auto const master_port = free_port(), replica_port = free_port(), sentinel_port = free_port();
  redis_process master{trusted.server_arguments(master_port) + between + words{"--repl-diskless-sync-delay", "0"}};
  redis_process const replica{trusted.server_arguments(replica_port) + between +
                              words{"--replicaof", "127.0.0.1 " + std::to_string(master_port)}};
  redis_process const sentinel{trusted.server_arguments(sentinel_port) + between, redis_process::role::sentinel};
  wait_until([&] { return replica.tells("replication", "master_link_status:up"); });
  wait_until([&] { return master.tells("replication", "state=online"); });
  sentinel.ask({"SENTINEL", "MONITOR", "shop", "127.0.0.1", std::to_string(master_port), "1"});
  wait_until([&] { return sentinel.ask({"SENTINEL", "REPLICAS", "shop"}).find("slave") != std::string::npos; });

  auto const a = make_node("rediss+sentinel", sentinel_port, "/shop");
  auto const b = make_node("rediss+sentinel", sentinel_port, "/shop");
  BOOST_TEST(admitted_of(50, {a.get(), b.get()}, 1) == 100u);
  // What the replica does not know would be granted once more: so nothing is on its way, and nobody holds a token. Who
  // asks what is left makes the other one give back what it holds.
  wait_until([&] {
    for (auto* n : {a.get(), b.get()}) {
      auto const who = n->identity(plan, 1);
      n->wait_for(n->source().charge_inquiry(who, limits::now()));
    }
    auto const of_a = a->counters(), of_b = b->counters();
    return of_a.grants + of_b.grants - of_a.returns - of_b.returns == 100;
  });
  BOOST_TEST(master.ask({"WAIT", "1", "5000"}) == "1");
  master.kill();
  sentinel.notice_silence("shop");
  wait_until([&] {
    return sentinel.ask({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", "shop"}).find(std::to_string(replica_port)) !=
           std::string::npos;
  });
  auto const after = admitted_of(100, {a.get(), b.get()}, 1);
  BOOST_TEST(after <= 100u);
  BOOST_TEST(after >= 90u);
  BOOST_TEST(!a->counters().breaker_open);
}

BOOST_AUTO_TEST_CASE(keys_are_shared_on_all_masters_of_a_cluster) {
  constexpr std::array<char const*, 4> bounds{"0", "5461", "10922", "16384"};
  struct member {
    std::uint16_t port, bus;
    std::unique_ptr<redis_process> server;
  };
  std::array<member, 3> members;
  for (auto& one : members) {
    one.port = free_port();
    one.bus = free_port();
    // Nobody fails here. Who is to be met is forgotten when it does not answer for so long.
    one.server = std::make_unique<redis_process>(
        trusted.server_arguments(one.port) + words{"--cluster-enabled", "yes", "--tls-cluster", "yes", "--cluster-port",
                                                   std::to_string(one.bus), "--cluster-node-timeout", "60000"});
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    auto const last = std::to_string(std::stoi(bounds[i + 1]) - 1);
    members[i].server->ask({"CLUSTER", "ADDSLOTSRANGE", bounds[i], last});
    members[i].server->ask({"CLUSTER", "SET-CONFIG-EPOCH", std::to_string(i + 1)});
    if (i == 0) continue;
    members[0].server->ask(
        {"CLUSTER", "MEET", "127.0.0.1", std::to_string(members[i].port), std::to_string(members[i].bus)});
  }
  for (auto const& one : members) {
    wait_until([&] {
      auto const info = one.server->ask({"CLUSTER", "INFO"});
      return info.find("cluster_state:ok") != std::string::npos && info.find("known_nodes:3\r") != std::string::npos;
    });
  }

  auto const a = make_node("rediss+cluster", members[1].port);
  auto const b = make_node("rediss", members[2].port);  // any one of them: the others are found
  for (std::uint64_t key = 1; key <= 12; ++key) BOOST_TEST(admitted_of(120, {a.get(), b.get()}, key) == 200u);
  for (auto const& one : members) BOOST_TEST(one.server->ask({"DBSIZE"}) != "0");
  // A recall is heard on every master, whichever has the key: what a holds beside the one that it used goes to b.
  for (std::uint64_t key = 13; key <= 18; ++key) {
    BOOST_TEST(admitted_of(1, {a.get()}, key) == 1u);
    BOOST_TEST(admitted_of(210, {b.get()}, key) == 199u);
  }
  BOOST_TEST(a->counters().returns > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
