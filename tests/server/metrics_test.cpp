// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/metrics.hpp"

#include <boost/test/unit_test.hpp>

#include "petstore/server/router.hpp"

namespace petstore::server {
namespace {

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(metrics_counters)

BOOST_AUTO_TEST_CASE(a_reading_names_every_operation_and_other) {
  metrics const m{2};
  auto const sum = m.collect();
  BOOST_REQUIRE(sum.operations.size() == operations.size() + 1);
  BOOST_TEST(sum.operations.front().name == "listPets");
  BOOST_TEST(sum.operations.back().name == "other");
  BOOST_TEST(sum.protocol_refusals.empty());
}

BOOST_AUTO_TEST_CASE(shards_are_summed) {
  metrics m{2};
  auto const get_pet = static_cast<std::size_t>(operation_id::get_pet);
  m.shard(0).count_request(get_pet, 200, 10us);
  m.shard(1).count_request(get_pet, 204, 30us);
  m.shard(1).count_request(get_pet, 404, 3s);
  m.shard(1).count_request(operation_count_max - 1, 405, 1ms);
  m.shard(0).count_decision(limits::decision::admitted);
  m.shard(1).count_decision(limits::decision::admitted);
  m.shard(1).count_decision(limits::decision::banned);
  m.shard(0).count_protocol_refusal(431);
  m.shard(1).count_protocol_refusal(431);

  auto const sum = m.collect();
  auto const& op = sum.operations[get_pet];
  BOOST_TEST(op.by_status_class[1] == 2u);
  BOOST_TEST(op.by_status_class[3] == 1u);
  BOOST_TEST(op.latency[0] == 1u);
  BOOST_TEST(op.latency[1] == 1u);
  BOOST_TEST(op.latency.back() == 1u);
  BOOST_TEST(op.latency_sum_ns == 3'000'040'000u);
  BOOST_TEST(sum.operations.back().by_status_class[3] == 1u);
  BOOST_TEST(sum.decisions[static_cast<std::size_t>(limits::decision::admitted)] == 2u);
  BOOST_TEST(sum.decisions[static_cast<std::size_t>(limits::decision::banned)] == 1u);
  BOOST_REQUIRE(sum.protocol_refusals.size() == 1u);
  BOOST_TEST(sum.protocol_refusals[0].first == 431u);
  BOOST_TEST(sum.protocol_refusals[0].second == 2u);
}

BOOST_AUTO_TEST_CASE(a_bound_belongs_to_its_bucket) {
  metrics m{1};
  m.shard(0).count_request(0, 200, 25us);
  m.shard(0).count_request(0, 200, 25'001ns);
  m.shard(0).count_request(0, 200, 0ns);
  m.shard(0).count_request(0, 200, -5ns);  // a clock that stepped back
  auto const sum = m.collect();
  BOOST_TEST(sum.operations[0].latency[0] == 3u);
  BOOST_TEST(sum.operations[0].latency[1] == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petstore::server
