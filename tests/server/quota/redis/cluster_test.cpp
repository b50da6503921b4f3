// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Quotas on a real cluster whose slots move and whose masters die.
#include "support/live_cluster.hpp"

#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>

#include "breaker.hpp"
#include "quota_node.hpp"

BOOST_AUTO_TEST_SUITE(quota_redis_cluster)

using namespace petstore::quota;
using namespace std::chrono_literals;
namespace limits = petstore::limits;

namespace {

constexpr limits::plan daily{limits::per_minute(100'000), limits::per_day(100)};

struct world : petstore::tests::live_cluster {
  std::string key_of(std::uint64_t identity) const { return "{test:i:" + std::to_string(identity) + "}2"; }
  std::size_t master_of_heartbeats() const { return master_of("{test}:nodes"); }
  /// An identity whose quotas are on that master.
  std::uint64_t identity_at(std::size_t master) const {
    std::uint64_t number = 1;
    while (master_of(key_of(number)) != master) ++number;
    return number;
  }

  std::unique_ptr<node> make_node(std::chrono::milliseconds deadline = 5s /* for a slow machine */) const {
    redis_options options;
    options.address = address();
    options.on_failure = failure_policy::closed;
    options.deadline = deadline;
    return std::make_unique<node>(std::move(options), [](redis_options o) { return open_redis_quota(std::move(o)); });
  }
};

}  // namespace

/// A move that was interrupted lasts until somebody ends it.
BOOST_FIXTURE_TEST_CASE(a_slot_that_is_being_moved_has_its_quotas, world) {
  auto const other = (master_of_heartbeats() + 1) % 3;
  auto const identity = identity_at(other);
  auto const key = key_of(identity);
  // For a long time there have been no nodes of version 1.
  members[master_of_heartbeats()].ask({"ZADD", "{test}:nodes2", "0", "alone"});
  auto const a = make_node(), b = make_node();
  wait_until([&] { return a->counters().nodes == 2 && b->counters().nodes == 2; });

  auto const slot = std::to_string(slot_of(key));
  auto const& from = members[other];
  auto const& to = members[(other + 1) % 3];
  to.ask({"CLUSTER", "SETSLOT", slot, "IMPORTING", from.id()});
  from.ask({"CLUSTER", "SETSLOT", slot, "MIGRATING", to.id()});
  std::uint64_t admitted = 0;
  auto const charge_both = [&](int times) {
    for (int i = 0; i < times; ++i)
      admitted += a->admitted_of(1, a->identity(daily, identity), limits::now()) +
                  b->admitted_of(1, b->identity(daily, identity), limits::now());
  };
  charge_both(30);
  BOOST_TEST(admitted == 60u);
  BOOST_TEST(to.ask({"CLUSTER", "COUNTKEYSINSLOT", slot}) == "1");  // a key that is new is made there
  for (auto const& one : members) one.ask({"CLUSTER", "SETSLOT", slot, "NODE", to.id()});
  charge_both(60);
  BOOST_TEST(admitted == 100u);
}

/// All heartbeats go to one master. No request tells the node that the others answer.
BOOST_FIXTURE_TEST_CASE(a_master_that_is_dead_does_not_cut_off_the_keys_of_others, world) {
  auto const dead = master_of_heartbeats();
  for (auto const& one : members) one.ask({"CONFIG", "SET", "cluster-require-full-coverage", "no"});
  auto const n = make_node(std::chrono::duration_cast<std::chrono::milliseconds>(breaker::silence_min));
  auto const of_another = n->identity(daily, identity_at((dead + 1) % 3));
  wait_until([&] { return n->counters().connections_made == 3 && !n->counters().breaker_open; });
  auto const before = n->counters();
  members[dead].server.kill();
  // Each at least 50 ms after the other: longer than the silence that opens a breaker.
  wait_until([&] { return n->counters().heartbeats_missed > before.heartbeats_missed + 30; });
  BOOST_TEST(!n->counters().breaker_open);
  BOOST_TEST(n->counters().breaker_openings == before.breaker_openings);
  wait_until([&] {
    try {
      return n->charge(of_another, limits::now()).admitted();
    } catch (boost::system::system_error const&) {  // a slow machine
      return false;
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
