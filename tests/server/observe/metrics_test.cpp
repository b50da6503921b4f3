// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/metrics.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "petstore/server/service.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(metrics_counters)

namespace {

using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(a_reading_names_every_operation_and_other) {
  metrics const m{2, operation_names()};
  auto const sum = m.collect();
  BOOST_REQUIRE(sum.operations.size() == operation_names().size() + 1);
  BOOST_TEST(sum.operations.front().name == "listPets");
  BOOST_TEST(sum.operations.back().name == "other");
  BOOST_TEST(sum.protocol_refusals.empty());
}

BOOST_AUTO_TEST_CASE(shards_are_summed) {
  metrics m{2, operation_names()};
  constexpr std::size_t get_pet = 2;
  m.shard(0).count_request(get_pet, 200, 10us);
  m.shard(1).count_request(get_pet, 204, 30us);
  m.shard(1).count_request(get_pet, 404, 30s);
  m.shard(1).count_request(operation_count_max - 1, 405, 1ms);
  m.shard(0).count_outcome(metrics_shard::anonymous_row, limit_outcome::admitted);
  m.shard(1).count_outcome(metrics_shard::anonymous_row, limit_outcome::admitted);
  m.shard(1).count_outcome(metrics_shard::keyless_row, limit_outcome::ban_begun);
  m.shard(0).count_protocol_refusal(431);
  m.shard(1).count_protocol_refusal(431);

  auto const sum = m.collect();
  auto const& op = sum.operations[get_pet];
  BOOST_TEST(op.by_status_class[1] == 2u);
  BOOST_TEST(op.by_status_class[3] == 1u);
  BOOST_TEST(op.latency[0] == 1u);
  BOOST_TEST(op.latency[1] == 1u);
  BOOST_TEST(op.latency.back() == 1u);
  BOOST_TEST(op.latency_sum_ns == 30'000'040'000u);
  BOOST_TEST(sum.operations.back().by_status_class[3] == 1u);
  BOOST_TEST(sum.decisions[static_cast<std::size_t>(limits::decision::admitted)] == 2u);
  BOOST_TEST(sum.decisions[static_cast<std::size_t>(limits::decision::banned)] == 1u);
  BOOST_REQUIRE(sum.protocol_refusals.size() == 1u);
  BOOST_TEST(sum.protocol_refusals[0].first == 431u);
  BOOST_TEST(sum.protocol_refusals[0].second == 2u);
}

BOOST_AUTO_TEST_CASE(errors_and_partings_are_summed_and_of_the_waits_the_longest_counts) {
  metrics m{3, operation_names()};
  m.shard(0).count_error(errc::not_found);
  m.shard(2).count_error(errc::not_found);
  m.shard(1).count_error(errc::http_version_not_supported);
  m.shard(0).count(refusal_reason::full);
  m.shard(1).count(shed_reason::abandoned);
  m.shard(2).count(shed_reason::abandoned);
  m.shard(0).note_turn_wait(3ms);
  m.shard(1).note_turn_wait(7ms);
  m.shard(1).note_turn_wait(5ms);

  auto const sum = m.collect();
  BOOST_TEST(sum.errors[static_cast<std::size_t>(errc::not_found)] == 2u);
  BOOST_TEST(sum.errors.back() == 1u);
  BOOST_TEST(sum.errors.front() == 0u);
  BOOST_TEST(sum.count_of(refusal_reason::full) == 1u);
  BOOST_TEST(sum.count_of(shed_reason::abandoned) == 2u);
  BOOST_TEST(sum.count_of(shed_reason::made_way) == 0u);
  BOOST_TEST(sum.turn_wait.count() == std::chrono::nanoseconds{5ms}.count());
}

BOOST_AUTO_TEST_CASE(handshakes_are_summed_by_what_became_of_them) {
  metrics m{2, operation_names()};
  m.shard(0).count(handshake::full_1_3);
  m.shard(1).count(handshake::full_1_3);
  m.shard(1).count(handshake::resumed_1_2);
  m.shard(0).count(handshake_failure::plain_text);
  m.shard(1).count(handshake_failure::other);
  m.shard(1).count(handshake_failure::other);

  auto const sum = m.collect();
  BOOST_TEST(sum.counts_of(counted::handshakes) == (std::array{0u, 1u, 2u, 0u}), boost::test_tools::per_element());
  BOOST_TEST(sum.counts_of(counted::handshakes_failed) == (std::array{1u, 0u, 0u, 0u, 0u, 0u, 0u, 2u}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_plan_has_one_row_whichever_threads_saw_it_first) {
  metrics m{2, operation_names()};
  auto const count = [&m](std::size_t shard, std::string_view plan, limit_outcome o) {
    m.shard(shard).count_outcome(m.shard(shard).row_of_plan(plan), o);
  };
  count(0, "free", limit_outcome::admitted);
  count(0, "pro", limit_outcome::long_refused);
  count(1, "pro", limit_outcome::long_refused);
  count(1, "free", limit_outcome::short_refused);
  count(0, "free", limit_outcome::admitted);
  count(1, "anonymous", limit_outcome::admitted);  // a plan may have that name: there is one row of it
  auto const sum = m.collect();
  std::vector<std::string> names;
  for (auto const& plan : sum.plans) names.push_back(plan.name);
  BOOST_TEST(names == (std::vector<std::string>{"anonymous", "keyless", "free", "pro"}),
             boost::test_tools::per_element());
  auto const outcomes = [&sum](std::size_t i, limit_outcome o) {
    return sum.plans[i].outcomes[static_cast<std::size_t>(o)];
  };
  BOOST_TEST(outcomes(0, limit_outcome::admitted) == 1u);
  BOOST_TEST(outcomes(2, limit_outcome::admitted) == 2u);
  BOOST_TEST(outcomes(2, limit_outcome::short_refused) == 1u);
  BOOST_TEST(outcomes(3, limit_outcome::long_refused) == 2u);
  BOOST_TEST(sum.decisions[static_cast<std::size_t>(limits::decision::admitted)] == 3u);
  BOOST_TEST(sum.decisions[static_cast<std::size_t>(limits::decision::rate_limited)] == 3u);
}

BOOST_AUTO_TEST_CASE(refusals_are_counted_by_the_period_that_was_empty) {
  metrics m{2, operation_names()};
  auto const count = [&m](std::size_t shard, limits::window w) {
    m.shard(shard).count_empty(m.shard(shard).row_of_plan("bulk"), w.period);
  };
  count(0, limits::per_second(1));
  count(0, limits::per_minute(1));
  count(0, limits::per_hour(1));
  count(1, limits::per_hour(1));
  count(1, limits::per_day(1));
  count(1, limits::per_week(1));
  count(1, limits::per_month(1));
  count(1, {1, std::chrono::seconds{90}});
  auto const sum = m.collect();
  BOOST_REQUIRE(sum.plans.size() == 3u);
  BOOST_TEST((sum.plans.back().empty == std::array<std::uint64_t, 7>{1, 1, 2, 1, 1, 1, 1}));
  for (auto const w : {limits::per_second(1), limits::per_day(1), limits::per_week(1), limits::per_month(1)})
    BOOST_TEST(counted_periods.at(period_index(w.period)) == limits::name_of(w.period));
}

BOOST_AUTO_TEST_CASE(plans_without_number_share_a_row) {
  metrics m{1, operation_names()};
  for (int i = 0; i < 100; ++i) {
    auto const row = m.shard(0).row_of_plan("plan" + std::to_string(i));
    BOOST_TEST(row < plan_row_count);
    m.shard(0).count_outcome(row, limit_outcome::admitted);
  }
  m.shard(0).count_outcome(m.shard(0).row_of_plan(std::string(1000, 'x')), limit_outcome::banned);
  m.shard(0).count_outcome(m.shard(0).row_of_plan("other"), limit_outcome::banned);
  auto const sum = m.collect();
  BOOST_REQUIRE(sum.plans.size() == plan_row_count);
  BOOST_TEST(sum.plans.back().name == "other");
  BOOST_TEST(sum.plans.back().outcomes[static_cast<std::size_t>(limit_outcome::admitted)] == 87u);
  BOOST_TEST(sum.plans.back().outcomes[static_cast<std::size_t>(limit_outcome::banned)] == 2u);
  BOOST_TEST(sum.decisions[static_cast<std::size_t>(limits::decision::admitted)] == 100u);
}

BOOST_AUTO_TEST_CASE(reads_and_writes_of_the_store_are_timed_apart) {
  metrics m{2, operation_names()};
  m.shard(0).count_store(false, 10us);
  m.shard(1).count_store(true, 3ms);
  m.shard(1).count_store(true, 60s);
  auto const sum = m.collect();
  BOOST_TEST(sum.store_reads.buckets.front() == 1u);
  BOOST_TEST(sum.store_reads.sum_ns == 10'000u);
  BOOST_TEST(sum.store_writes.buckets.back() == 1u);
  BOOST_TEST(sum.store_writes.sum_ns == 60'003'000'000u);
}

BOOST_AUTO_TEST_CASE(what_several_listeners_of_a_thread_tell_of_connections_is_summed) {
  metrics m{1, operation_names()};
  connection_counts const first{3, 1, 0, 0, 0};
  connection_counts const second{5, 0, 2, 0, 0};
  m.shard(0).note_connections({}, first);
  m.shard(0).note_connections({}, second);
  BOOST_TEST((m.collect().connections == connection_counts{8, 1, 2, 0, 0}));
  m.shard(0).note_connections(first, {});
  BOOST_TEST((m.collect().connections == second));
}

BOOST_AUTO_TEST_CASE(a_bound_belongs_to_its_bucket) {
  metrics m{1, operation_names()};
  m.shard(0).count_request(0, 200, 25us);
  m.shard(0).count_request(0, 200, 25'001ns);
  m.shard(0).count_request(0, 200, 0ns);
  m.shard(0).count_request(0, 200, -5ns);  // a clock that stepped back
  auto const sum = m.collect();
  BOOST_TEST(sum.operations[0].latency[0] == 3u);
  BOOST_TEST(sum.operations[0].latency[1] == 1u);
}

BOOST_AUTO_TEST_CASE(of_the_exemplars_of_a_bucket_the_latest_counts) {
  metrics m{3, operation_names()};
  limits::wall_time const now{1'800'000'000s};
  constexpr std::size_t create_pet = 1;
  m.shard(0).count_request(create_pet, 201, 30us, "earlier", now);
  m.shard(1).count_request(create_pet, 201, 31us, "latest", now + 2s);
  m.shard(2).count_request(create_pet, 201, 32us, "middle", now + 1s);
  m.shard(2).count_request(create_pet, 201, 33us);
  auto const all = m.collect_exemplars();
  BOOST_REQUIRE(all.size() == operation_names().size() + 1);
  BOOST_TEST(all[create_pet].name == "createPet");
  BOOST_REQUIRE(all[create_pet].latency[1]);
  BOOST_TEST(all[create_pet].latency[1]->request_id == "latest");
  BOOST_TEST((all[create_pet].latency[1]->duration == 31us));
  BOOST_TEST(!all[create_pet].latency[0]);
  BOOST_TEST(!all[create_pet].failure);
  BOOST_TEST(!all[0].latency[1]);
}

BOOST_AUTO_TEST_CASE(only_an_answer_by_our_fault_is_an_exemplar_of_failures) {
  metrics m{1, operation_names()};
  limits::wall_time const now{1'800'000'000s};
  for (unsigned const status : {200u, 404u, 429u})
    m.shard(0).count_request(operation_count_max - 1, status, 40us, "theirs", now);
  BOOST_TEST(!m.collect_exemplars().back().failure);
  m.shard(0).count_request(operation_count_max - 1, 503, 40us, "ours", now);
  auto const other = m.collect_exemplars().back();
  BOOST_TEST(other.name == "other");
  BOOST_REQUIRE(other.failure);
  BOOST_TEST(other.failure->request_id == "ours");
  BOOST_TEST(other.latency[1]->request_id == "theirs");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
