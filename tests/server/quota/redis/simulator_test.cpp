// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Many nodes, hours of traffic and whatever can go wrong, on virtual time. PETSTORE_SIMULATE_LONG=1 makes the worlds
// larger.
#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "simulator_audit.hpp"
#include "support/sanitizers.hpp"

BOOST_AUTO_TEST_SUITE(quota_redis_simulator)

using namespace petstore::quota;
using namespace std::chrono_literals;
namespace limits = petstore::limits;

namespace {

bool is_long() {
  return std::getenv("PETSTORE_SIMULATE_LONG") != nullptr;
}

std::vector<limits::plan> const usual_plans{{limits::per_minute(60), limits::per_day(1'000)},
                                            {limits::per_minute(300), limits::per_day(10'000)},
                                            {limits::per_minute(1'000)}};

}  // namespace

BOOST_AUTO_TEST_CASE(a_healthy_world_admits_no_request_too_many) {
  simulator s({.nodes = is_long() ? 300u : 200u, .forgets = true}, 1);
  s.plans = usual_plans;
  std::size_t const keys = is_long() ? 1'000'000 : 100'000;
  sim_time const end = is_long() ? 3h : std::chrono::minutes{petstore::tests::repetitions(10)};
  s.traffic(is_long() ? 2'000 : 600, end, anybody(s, keys));
  s.run_until(end);
  print("healthy", s);
  BOOST_TEST(all_were_granted(s));
  BOOST_TEST(decided_alone(s) == 0u);
  excess const e = excess_of(s);
  BOOST_TEST(e.of_short <= 0);
  BOOST_TEST(e.of_long <= 0);
}

BOOST_AUTO_TEST_CASE(requests_of_many_costs_take_no_token_too_many) {
  for (bool const is_lossy : {false, true}) {
    sim_conditions conditions;
    if (is_lossy) conditions = {.lost_answers = 0.05, .late_calls = 0.05, .late_answers = 0.05, .doubled_calls = 0.05};
    conditions.nodes = 10;
    conditions.cost_max = 5;
    simulator s(conditions, 61);
    s.plans = usual_plans;
    s.plans.push_back({.short_window = limits::per_minute(120), .short_refill = limits::refill::continuous});
    s.traffic(600, 10min, anybody(s, 60));
    s.run_until(10min);
    print(is_lossy ? "costs, lossy network" : "costs", s);
    BOOST_TEST(all_were_granted(s));
    for (auto const& [key, tally] : s.tallies()) {
      if (s.plan_of(key).short_refill == limits::refill::continuous) continue;  // has no minutes
      BOOST_TEST(excess_of(tally.of_short, s.plan_of(key).short_window.tokens()) == 0);
      BOOST_TEST(excess_of(tally.of_long, s.plan_of(key).long_window.tokens()) == 0);
    }
  }
}

/// Alone or at all nodes: what is not used at the end of a minute is less than a request may cost.
BOOST_AUTO_TEST_CASE(a_busy_key_whose_requests_have_many_costs_gets_its_quota) {
  for (std::size_t const nodes : {1u, 2u, 5u}) {
    simulator s({.nodes = nodes, .cost_max = 5}, 62);
    s.plan = {limits::per_minute(600)};
    s.watches_refusals = true;
    s.traffic(10, 4min, [&] { return std::pair{s.up_to(nodes - 1), 0u}; });
    s.run_until(4min);
    print("a busy key with costs", s);
    for (auto const& [end, tokens] : s.of(0).of_short.by_end)
      if (end < (simulator::epoch + 4min).count() / 1'000) BOOST_TEST(tokens == 600u);
    BOOST_TEST(s.longest_early_refusal() <= 300ms);
    BOOST_TEST(decided_alone(s) == 0u);
  }
}

/// So many come at one moment that the server's answers are far apart in between: none may run out of time.
BOOST_AUTO_TEST_CASE(a_burst_ends_in_refusals_and_not_in_the_failure_policy) {
  for (std::size_t const nodes : {1u, 3u, 10u}) {
    for (std::uint32_t const quota : {60u, 300u, 1'000u}) {
      simulator s({.nodes = nodes, .latency_min = 1'500us, .latency_max = 2'500us}, 22);
      s.plan = limits::plan::of(limits::per_minute(quota)).value();
      s.after(1s, [&] {
        for (int i = 0; i < 2'000; ++i) s.request(0, 0);
      });
      s.run_until(2s);
      BOOST_TEST(s.of(0).admitted == quota);
      BOOST_TEST(s.of(0).refused == 2'000u - quota);
      BOOST_TEST(s.of(0).alone == 0u);
    }
  }
}

BOOST_AUTO_TEST_CASE(midnight_and_the_ends_of_minutes_admit_none_too_many) {
  simulator s({.nodes = 20}, 2);
  s.plans = {{limits::per_minute(60), limits::per_day(150)}};
  // The epoch is noon.
  s.at(12h - 5min, [&] { s.traffic(200, 12h + 5min, anybody(s, 10)); });
  s.run_until(12h + 5min);
  print("midnight", s);
  BOOST_TEST(all_were_granted(s));
  BOOST_TEST(decided_alone(s) == 0u);
  excess const e = excess_of(s);
  BOOST_TEST(e.of_short <= 0);
  BOOST_TEST(e.of_long == 0);
}

namespace {

sim_conditions lossy() {
  return {.nodes = 10,
          .lost_answers = 0.05,
          .late_calls = 0.05,
          .late_answers = 0.05,
          .doubled_calls = 0.05,
          .lost_recalls = 0.2};
}
excess excess_in(sim_conditions const& conditions) {
  simulator s(conditions, 3);
  s.plans = usual_plans;
  s.traffic(600, 10min, anybody(s, 50));
  s.run_until(10min);
  print("lossy network", s);
  BOOST_TEST(all_were_granted(s));
  return excess_of(s);
}

}  // namespace

BOOST_AUTO_TEST_CASE(lost_late_and_doubled_calls_grant_nothing_twice) {
  excess const e = excess_in(lossy());
  BOOST_TEST(e.of_short <= 0);
  BOOST_TEST(e.of_long <= 0);
}

BOOST_AUTO_TEST_CASE(a_server_that_runs_overtaken_calls_is_seen_to_be_wrong) {
  sim_conditions wrong = lossy();
  wrong.server_ignores_sequences = true;
  BOOST_TEST(excess_in(wrong).of_short > 0);
}

BOOST_AUTO_TEST_CASE(nodes_that_take_late_answers_are_seen_to_be_wrong) {
  sim_conditions wrong = lossy();
  wrong.nodes_hear_late_answers = true;
  BOOST_TEST(excess_in(wrong).of_short > 0);
}

BOOST_AUTO_TEST_CASE(what_lost_answers_granted_comes_back) {
  simulator s({.nodes = 3, .lost_answers = 0.1}, 4);
  s.plan = {limits::per_minute(1'000)};
  s.traffic(100, 5min, [&] { return std::pair{s.up_to(2), 0u}; });
  s.run_until(5min);
  print("lost answers", s);
  BOOST_TEST(excess_of(s).of_short <= 0);
  for (auto const& [end, count] : s.of(0).of_short.by_end)
    if (end < (simulator::epoch + 5min).count() / 1'000) BOOST_TEST(count >= 950u);
}

BOOST_AUTO_TEST_CASE(nodes_that_die_take_tokens_with_them_and_make_none) {
  simulator s({.nodes = 10}, 5);
  s.plans = usual_plans;
  for (int i = 1; i < 200; ++i) s.at(i * 3s, [&] { s.kill_node(s.up_to(9)); });
  s.traffic(600, 10min, anybody(s, 50));
  s.run_until(10min);
  print("node deaths", s);
  BOOST_TEST(all_were_granted(s));
  excess const e = excess_of(s);
  BOOST_TEST(e.of_short <= 0);
  BOOST_TEST(e.of_long <= 0);
}

BOOST_AUTO_TEST_CASE(a_lone_busy_key_gets_its_quota) {
  for (limits::plan const& p : {limits::plan{limits::per_minute(60)}, limits::plan{limits::per_minute(1'000)},
                                limits::plan{limits::per_minute(60'000)}}) {
    simulator s({.nodes = 5}, 6);
    s.plan = p;
    s.traffic(p.short_window.tokens() / 60.0 * 1.3, 4min, [&] { return std::pair{s.up_to(4), 0u}; });
    s.run_until(4min);
    print("lone key", s);
    BOOST_TEST(excess_of(s).of_short <= 0);
    for (auto const& [end, count] : s.of(0).of_short.by_end)
      if (end < (simulator::epoch + 4min).count() / 1'000) BOOST_TEST(count == p.short_window.tokens());
  }
}

BOOST_AUTO_TEST_CASE(a_busy_key_that_hops_between_nodes_gets_its_quota) {
  for (auto const hop : {700ms, 3'000ms, 11'000ms}) {
    simulator s({.nodes = 5}, 7);
    s.plan = {limits::per_minute(6'000)};
    s.traffic(150, 4min, [&] { return std::pair{static_cast<std::size_t>(s.now() / hop) % 5, 0u}; });
    s.run_until(4min);
    print("hopping key", s);
    BOOST_TEST(excess_of(s).of_short <= 0);
    for (auto const& [end, count] : s.of(0).of_short.by_end)
      if (end < (simulator::epoch + 4min).count() / 1'000) BOOST_TEST(count == 6'000u);
  }
}

/// All of it at one node, then all at the next one: what a node holds, the others get when they need it.
BOOST_AUTO_TEST_CASE(nobody_is_refused_for_long_while_another_node_holds_tokens) {
  for (limits::plan const& p : {limits::plan{limits::per_minute(6'000)}, limits::plan{limits::per_minute(300)},
                                limits::plan{limits::per_minute(600), limits::per_day(700)}}) {
    for (auto const hop : {300ms, 5'000ms}) {
      simulator s({.nodes = 3}, 40);
      s.plan = p;
      s.watches_refusals = true;
      s.traffic(p.short_window.tokens() / 60.0 * 1.5, 4min, [&] {
        return std::pair{static_cast<std::size_t>(s.now() / hop) % 3, 0u};
      });
      s.run_until(4min);
      print("moving key", s);
      BOOST_TEST(excess_of(s).of_short <= 0);
      BOOST_TEST(excess_of(s).of_long <= 0);
      BOOST_TEST(s.longest_early_refusal() <= 300ms);
      BOOST_TEST(decided_alone(s) == 0u);
    }
  }
}

/// The refusal is kept for 1.1 s when a node does not answer the recall, and each of its own calls gives back as well.
BOOST_AUTO_TEST_CASE(recalls_that_are_lost_delay_what_they_recall) {
  simulator s({.nodes = 3, .lost_recalls = 0.3}, 41);
  s.plan = {limits::per_minute(6'000)};
  s.watches_refusals = true;
  s.traffic(150, 4min, [&] { return std::pair{static_cast<std::size_t>(s.now() / 5s) % 3, 0u}; });
  s.run_until(4min);
  print("lost recalls", s);
  BOOST_TEST(excess_of(s).of_short <= 0);
  BOOST_TEST(decided_alone(s) == 0u);
}

BOOST_AUTO_TEST_CASE(many_keys_cost_little_more_than_one_call_for_each_key_node_and_minute) {
  constexpr double rate = 3'000;
  {
    simulator s({.nodes = 3}, 42);
    s.plan = {limits::per_minute(300), limits::per_day(10'000)};
    s.counts_triples = true;
    s.traffic(rate, 1min, [&] { return std::pair{s.up_to(2), static_cast<simulator::key_number>(s.up_to(999))}; });
    s.run_until(1min);
    print("1,000 keys", s);
    BOOST_TEST(static_cast<double>(s.calls()) <= 0.10 * 60 * rate);
    BOOST_TEST(static_cast<double>(s.waits()) <= 0.10 * 60 * rate);
    BOOST_TEST(excess_of(s).of_short <= 0);
  }
  simulator s({.nodes = 3}, 43);
  s.plan = {limits::per_minute(300), limits::per_day(10'000)};
  s.counts_triples = true;
  s.traffic(rate, 1min, anybody(s, 20'000));
  s.run_until(1min);
  print("20,000 keys, skewed", s);
  BOOST_TEST_MESSAGE(s.least_calls() << " calls at least");
  BOOST_TEST(static_cast<double>(s.calls()) <= 1.5 * static_cast<double>(s.least_calls()));
  BOOST_TEST(static_cast<double>(s.waits()) <= 0.35 * 60 * rate);
  BOOST_TEST(excess_of(s).of_short <= 0);
}

/// What it held is lost for the minute: what it needed in a second, or the few tokens of a small lease.
BOOST_AUTO_TEST_CASE(a_node_that_dies_takes_at_most_its_lease) {
  for (auto const& [quota, rate] : {std::pair{6'000u, 90.0}, {300u, 4.5}}) {
    std::uint64_t lost_most = 0;
    for (std::uint64_t seed = 50; seed < 50 + petstore::tests::repetitions(10); ++seed) {
      simulator s({.nodes = 3}, seed);
      s.plan = limits::plan::of(limits::per_minute(quota)).value();
      s.traffic(rate * 1.5, 58s, [&] { return std::pair{s.up_to(2), 0u}; });
      std::uint64_t held = 0;
      s.at(20s, [&] {
        held = s.held_by(0, 0);
        s.kill_node(0);
      });
      s.run_until(58s);
      BOOST_REQUIRE(s.of(0).of_short.by_end.size() == 1u);
      std::uint64_t const admitted = s.of(0).of_short.by_end.begin()->second;
      BOOST_TEST(admitted + held >= std::min<std::uint64_t>(quota, s.of(0).asked));
      BOOST_TEST(held <=
                 std::max(std::uint64_t{debit_ledger::lease_min}, static_cast<std::uint64_t>(2 * rate / 3 * 1.5)));
      lost_most = std::max(lost_most, held);
    }
    BOOST_TEST_MESSAGE("a kill costs at most " << lost_most << " of " << quota);
  }
}

BOOST_AUTO_TEST_CASE(a_large_quota_at_half_load_asks_seldom) {
  simulator s({.nodes = 3}, 8);
  s.plan = {limits::per_minute(600'000)};
  s.traffic(5'000, 2min, [&] { return std::pair{s.up_to(2), 0u}; });
  s.run_until(2min);
  print("half load", s);
  BOOST_TEST(s.of(0).refused == 0u);
  BOOST_TEST(static_cast<double>(s.calls()) < 0.02 * static_cast<double>(s.of(0).asked));
}

BOOST_AUTO_TEST_CASE(an_exhausted_key_under_attack_asks_less_than_once_a_second_and_node) {
  simulator s({.nodes = 3}, 9);
  s.plan = {limits::per_minute(60), limits::per_day(600)};
  s.traffic(500, 30min, [&] { return std::pair{s.up_to(2), 0u}; });
  s.run_until(15min);
  std::uint64_t const before = s.calls();
  s.run_until(30min);
  print("attack", s);
  BOOST_TEST(s.of(0).admitted == 600u);
  BOOST_TEST(s.calls() - before < 15u * 60 * 3);
}

/// The replica knows nothing of the last half second. What was debited in it may be granted once more, and the clock
/// of the new server ends a period that much sooner.
BOOST_AUTO_TEST_CASE(a_failover_grants_again_at_most_what_it_forgot) {
  constexpr auto lag = 500ms;
  constexpr std::uint64_t rate = 400;
  for (std::uint64_t seed = 10; seed < 10 + petstore::tests::repetitions(10); ++seed) {
    simulator s({.nodes = 6}, seed);
    s.keeps_history = true;
    s.plan = {limits::per_minute(6'000)};
    s.traffic(rate, 4min, [&] { return std::pair{s.up_to(5), 0u}; });
    std::uint64_t granted_before = 0, forgotten = 0;
    s.at(100s - lag, [&] { granted_before = s.of(0).granted; });
    s.at(100s, [&] {
      forgotten = s.of(0).granted - granted_before;
      s.fail_over(lag);
    });
    s.run_until(4min);
    print("failover", s);
    BOOST_TEST(excess_of(s).of_short <= static_cast<std::int64_t>(forgotten));
  }
}

/// Ahead: the open minute ends early, and what nodes hold of it is used beside the next one. Back: no minute is opened
/// twice.
BOOST_AUTO_TEST_CASE(a_clock_that_jumps_costs_at_most_what_nodes_hold) {
  for (auto const jump : {20s, -20s}) {
    simulator s({.nodes = 6}, 60);
    s.plan = {limits::per_minute(6'000)};
    s.keeps_history = true;
    auto const anywhere = [&] { return std::pair{s.up_to(5), 0u}; };
    s.traffic(40, 110s, anywhere);
    std::uint64_t held = 0;
    s.at(110s, [&] {
      for (std::size_t i = 0; i < 6; ++i) held += s.held_by(i, 0);
      s.fail_over(0s, jump);
      s.traffic(300, 4min, anywhere);
    });
    s.run_until(4min);
    print(jump > 0s ? "clock ahead" : "clock back", s);
    BOOST_TEST(decided_alone(s) == 0u);
    BOOST_TEST(excess_of(s).of_short <= static_cast<std::int64_t>(jump > 0s ? held : 0));
  }
}

/// One node is cut off for two minutes and admits its share; the others go on.
BOOST_AUTO_TEST_CASE(a_node_without_the_server_admits_its_share) {
  constexpr std::size_t nodes = 5;
  simulator s({.nodes = nodes, .on_failure = failure_policy::degraded}, 20);
  s.plan = {limits::per_minute(1'000), limits::per_day(4'000)};
  s.traffic(100, 10min, [&] { return std::pair{s.up_to(nodes - 1), 0u}; });
  s.at(90s, [&] { s.cut_off(0, true); });
  s.at(210s, [&] { s.cut_off(0, false); });
  s.run_until(10min);
  print("partition", s);
  BOOST_TEST(all_were_granted(s));
  BOOST_TEST(decided_alone(s) > 0u);
  excess const e = excess_of(s);
  BOOST_TEST(e.of_short > 0);  // else this shows nothing
  BOOST_TEST(e.of_short <= static_cast<std::int64_t>(2 * s.plan.short_window.tokens() / nodes));
  BOOST_TEST(e.of_long <= static_cast<std::int64_t>(s.plan.long_window.tokens() / nodes));
}

/// The server is gone over midnight, for as short a time as for a long one.
BOOST_AUTO_TEST_CASE(what_nodes_admit_without_the_server_after_midnight_counts_for_the_day) {
  for (auto const outage : {40s, 400s}) {
    simulator s({.nodes = 4, .on_failure = failure_policy::degraded}, 83);
    s.plan = {limits::per_minute(60), limits::per_day(200)};
    s.at(12h - 70s, [&] { s.traffic(1, 12h + 20min, [&] { return std::pair{s.up_to(3), 0u}; }); });
    s.at(12h - 10s, [&] {
      for (std::size_t i = 0; i < 4; ++i) s.cut_off(i, true);
    });
    s.at(12h - 10s + outage, [&] {
      for (std::size_t i = 0; i < 4; ++i) s.cut_off(i, false);
    });
    s.run_until(12h + 20min);
    print("midnight without the server", s);
    BOOST_REQUIRE(s.of(0).of_long.by_end.size() == 2u);
    BOOST_TEST(s.of(0).of_long.by_end.rbegin()->second == 200u);
  }
}

/// All are cut off within a minute. Each shares what it believes to be left, so what the others took since it was last
/// told is shared once more; and tokens that are held were debited, so they are no more than what is left less.
BOOST_AUTO_TEST_CASE(nodes_without_the_server_admit_what_is_left_and_their_part_of_what_they_do_not_know_of) {
  constexpr std::size_t nodes = 5;
  for (std::uint64_t seed = 30; seed < 30 + petstore::tests::repetitions(10); ++seed) {
    for (bool const all_know : {true, false}) {
      simulator s({.nodes = nodes, .on_failure = failure_policy::degraded}, seed);
      s.plan = {limits::per_minute(1'000)};
      s.traffic(40, 15s, [&] { return std::pair{all_know ? s.up_to(nodes - 1) : 0, 0u}; });
      std::uint64_t twice = 0, used = 0;
      s.at(15s, [&] {
        for (std::size_t i = 0; i < nodes; ++i) {
          s.cut_off(i, true);
          twice += s.unknown_to(i, 0);
        }
        twice /= nodes;
        used = s.of(0).admitted;
        s.traffic(400, 58s, [&] { return std::pair{s.up_to(nodes - 1), 0u}; });
      });
      s.run_until(58s);
      BOOST_REQUIRE(s.of(0).of_short.by_end.size() == 1u);
      std::uint64_t const admitted = s.of(0).of_short.by_end.begin()->second;
      BOOST_TEST_MESSAGE((all_know ? "known" : "unknown")
                         << ": " << used << " used before, " << admitted << " admitted, " << twice << " shared twice");
      BOOST_TEST(admitted <= 1'000u + twice);
      BOOST_TEST(admitted >= 1'000u + twice - 3 * nodes);
      BOOST_TEST(twice <= (all_know ? 40u : used));  // a second's worth, or all that the others did not see
    }
  }
}

BOOST_AUTO_TEST_CASE(refunds_come_back_and_grant_nothing_twice) {
  simulator s({.nodes = 5, .refunds = 0.4}, 23);
  s.plans = usual_plans;
  s.traffic(100, 10min, anybody(s, 10));
  s.run_until(10min);
  print("refunds", s);
  BOOST_TEST(all_were_granted(s));
  excess const e = excess_of(s);
  BOOST_TEST(e.of_short == 0);  // a busy key gets its quota
  BOOST_TEST(e.of_long <= 0);
}

/// Any window of a minute: what a bucket gives in it, and what nodes may have held when it began. What is given back is
/// used again.
BOOST_AUTO_TEST_CASE(continuous_refill_exceeds_its_rate_by_what_nodes_hold_at_most) {
  for (double const refunds : {0.0, 0.5}) {
    simulator s({.nodes = 5, .refunds = refunds}, 21);
    s.keeps_times = true;
    s.plan = {.short_window = limits::per_minute(600), .short_refill = limits::refill::continuous};
    s.traffic(30, 8min, [&] { return std::pair{s.up_to(4), 0u}; });
    s.run_until(8min);
    print(refunds > 0 ? "continuous, half given back" : "continuous", s);
    auto const& times = s.of(0).times;
    std::size_t most = 0, first = 0;
    for (std::size_t last = 0; last < times.size(); ++last) {
      while (times[last] - times[first] > 60s) ++first;
      most = std::max(most, last - first + 1);
    }
    BOOST_TEST_MESSAGE("most in a minute: " << most);
    constexpr std::size_t held = 600 / 60 * 2;  // two lives of a lease at the full rate
    BOOST_TEST(most <= 600u + 600u + held);
    // A node that gives back more than its last grant loses some.
    BOOST_TEST(times.size() >= (600u + 8u * 600u) * (refunds > 0 ? 90u : 95u) / 100);
  }
}

BOOST_AUTO_TEST_SUITE_END()
