// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Simulated worlds whose plans have other windows than a minute and a day.
#include <boost/test/unit_test.hpp>

#include "other_windows.hpp"
#include "simulator_audit.hpp"
#include "support/sanitizers.hpp"

BOOST_AUTO_TEST_SUITE(quota_redis_simulator_windows)

using namespace petstore::quota;
using namespace std::chrono_literals;
namespace limits = petstore::limits;

namespace {

void hold_exact(simulator const& s) {
  excess const e = excess_of(s);
  BOOST_TEST(e.of_short <= 0);
  BOOST_TEST(e.of_long <= 0);
}
void hold_exact_and_granted(simulator const& s) {
  hold_exact(s);
  BOOST_TEST(all_were_granted(s));
}

std::uint64_t most_in(simulator::window_tally const& w) {
  std::uint64_t most = 0;
  for (auto const& [end, count] : w.by_end) most = std::max(most, count);
  return most;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_healthy_world_admits_no_request_too_many) {
  simulator s({.nodes = 10, .forgets = true}, 71);
  s.plans = other_plans;
  s.traffic(60, 4h, anybody(s, 40));
  s.run_until(4h);
  print("other windows", s);
  hold_exact_and_granted(s);
  BOOST_TEST(decided_alone(s) == 0u);
}

BOOST_AUTO_TEST_CASE(lost_late_and_doubled_calls_grant_nothing_twice) {
  simulator s({.nodes = 10,
               .lost_answers = 0.05,
               .late_calls = 0.05,
               .late_answers = 0.05,
               .doubled_calls = 0.05,
               .lost_recalls = 0.2,
               .cost_max = 3},
              72);
  s.plans = other_plans;
  s.traffic(100, 2h + 20min, anybody(s, 40));
  s.run_until(2h + 20min);
  print("other windows, lossy network", s);
  hold_exact_and_granted(s);
}

BOOST_AUTO_TEST_CASE(nodes_that_die_make_no_tokens) {
  simulator s({.nodes = 6}, 73);
  s.plans = other_plans;
  for (int i = 1; i < 200; ++i) s.at(i * 30s, [&] { s.kill_node(s.up_to(5)); });
  s.traffic(60, 100min, anybody(s, 40));
  s.run_until(100min);
  print("other windows, node deaths", s);
  hold_exact_and_granted(s);
}

/// Each world begins shortly before a period of some window ends.
BOOST_AUTO_TEST_CASE(the_ends_of_months_weeks_and_hours_admit_none_too_many) {
  using namespace std::chrono;
  for (sys_days const midnight : {sys_days{2026y / 7 / 1}, sys_days{2027y / 1 / 1}, sys_days{2027y / 3 / 1},
                                  sys_days{2028y / 2 / 29}, sys_days{2028y / 3 / 1}, sys_days{2026y / 6 / 8}}) {
    simulator s({.nodes = 10, .begins = midnight - 7min}, 74);
    s.plans = other_plans;
    s.traffic(20, 80min, anybody(s, 20));
    s.run_until(80min);
    hold_exact_and_granted(s);
    BOOST_TEST(decided_alone(s) == 0u);
    bool const is_new_month = year_month_day{midnight}.day() == 1d;
    auto const& by_month = s.of(1).of_long.by_end;
    BOOST_TEST(by_month.size() == (is_new_month ? 2u : 1u));
    if (is_new_month) BOOST_TEST(by_month.begin()->first == us_of(midnight));
    if (is_new_month) BOOST_TEST(most_in(s.of(1).of_long) == 40u);  // all of an hour
  }
}

BOOST_AUTO_TEST_CASE(a_lone_busy_key_gets_its_quota_of_each_second) {
  for (std::size_t const nodes : {1u, 3u}) {
    simulator s({.nodes = nodes}, 75);
    s.plan = {limits::per_second(10)};
    s.traffic(40, 5min, [&] { return std::pair{s.up_to(nodes - 1), 0u}; });
    s.run_until(5min);
    print("10 a second", s);
    hold_exact(s);
    std::size_t whole = 0;
    for (auto const& [end, count] : s.of(0).of_short.by_end) whole += count == 10u;
    BOOST_TEST(whole + 3 >= s.of(0).of_short.by_end.size());
    BOOST_TEST(s.of(0).of_short.by_end.size() >= 280u);  // each begins with the next request
  }
}

BOOST_AUTO_TEST_CASE(a_key_that_hops_between_nodes_gets_its_quota_of_an_hour_and_a_month) {
  simulator s({.nodes = 5}, 76);
  s.plan = {limits::per_hour(3'000), limits::per_month(7'000)};
  s.watches_refusals = true;
  s.traffic(2, 3h, [&] { return std::pair{static_cast<std::size_t>(s.now() / 11min) % 5, 0u}; });
  s.run_until(3h);
  print("an hour and a month", s);
  hold_exact(s);
  BOOST_TEST(s.of(0).admitted == 7'000u);
  BOOST_TEST(s.longest_early_refusal() <= 300ms);
}

/// The replica knows nothing of the last half second.
BOOST_AUTO_TEST_CASE(a_failover_grants_again_at_most_what_it_forgot) {
  constexpr auto lag = 500ms;
  for (std::uint64_t seed = 80; seed < 80 + petstore::tests::repetitions(5); ++seed) {
    simulator s({.nodes = 6}, seed);
    s.keeps_history = true;
    s.plan = {limits::per_second(200), limits::window{30'000, 1h}};
    s.traffic(400, 5min, [&] { return std::pair{s.up_to(5), 0u}; });
    std::uint64_t granted_before = 0, forgotten = 0;
    s.at(100s - lag, [&] { granted_before = s.of(0).granted; });
    s.at(100s, [&] {
      forgotten = s.of(0).granted - granted_before;
      s.fail_over(lag);
    });
    s.run_until(5min);
    print("failover, an hour", s);
    BOOST_TEST(excess_of(s).of_short <= static_cast<std::int64_t>(forgotten));
    BOOST_TEST(excess_of(s).of_long <= static_cast<std::int64_t>(forgotten));
    BOOST_TEST(s.of(0).of_long.by_end.size() == 1u);
  }
}

/// What was granted before the nodes have claimed is granted twice, and no more: they claim the periods that requests
/// opened, with what earlier generations took of them.
BOOST_AUTO_TEST_CASE(a_server_that_lost_everything_hears_of_all_periods_that_are_open) {
  for (limits::plan const& p : {limits::plan{limits::per_second(100), limits::window{1'200, 1h}},
                                limits::plan{limits::per_hour(1'200), limits::per_month(100'000)},
                                limits::plan{limits::window{1'200, aligned_hour}}}) {
    simulator s({.nodes = 4}, 77);
    s.plan = p;
    auto const anywhere = [&] { return std::pair{s.up_to(3), 0u}; };
    s.traffic(5, 3min, anywhere);
    s.at(8min, [&] { s.traffic(5, 10min, anywhere); });  // another generation
    std::uint64_t before = 0, again = 0;
    s.at(10min, [&] {
      before = s.of(0).granted;
      s.lose_all();
    });
    s.at(10min + simulator::heartbeat + 50ms, [&] { again = s.of(0).granted - before; });
    s.at(10min + 5s, [&] { s.traffic(20, 20min, anywhere); });
    s.run_until(20min);
    print("all is lost", s);
    auto const& window = p.long_window && p.long_window.tokens() == 1'200 ? s.of(0).of_long : s.of(0).of_short;
    BOOST_TEST(window.by_end.size() == 1u);
    BOOST_TEST(most_in(window) <= 1'200u + again);
    BOOST_TEST(most_in(window) + 20 >= 1'200u);
  }
}

/// Ahead: open periods end early, and what nodes hold of them is used beside the next ones. Back: none is opened twice.
BOOST_AUTO_TEST_CASE(a_clock_that_jumps_costs_at_most_what_nodes_hold) {
  for (auto const jump : {20s, -20s}) {
    for (auto const& p : other_plans) {
      simulator s({.nodes = 4}, 78);
      s.plan = p;
      s.keeps_history = true;
      auto const anywhere = [&] { return std::pair{s.up_to(3), 0u}; };
      s.traffic(1, 110s, anywhere);
      std::uint64_t held = 0;
      s.at(110s, [&] {
        for (std::size_t i = 0; i < 4; ++i) held += s.held_by(i, 0);
        s.fail_over(0s, jump);
        s.traffic(30, 4min, anywhere);
      });
      s.run_until(4min);
      std::int64_t const most = jump > 0s ? static_cast<std::int64_t>(held) : 0;
      BOOST_TEST(excess_of(s).of_short <= most);
      BOOST_TEST(excess_of(s).of_long <= most);
      BOOST_TEST(decided_alone(s) == 0u);
    }
  }
}

/// A node is cut off for longer than a generation lives, within one period of an hour. The others do not use it up.
BOOST_AUTO_TEST_CASE(what_a_node_admits_without_the_server_counts_for_the_rest_of_the_period) {
  constexpr std::size_t nodes = 4;
  for (limits::plan const& p :
       {limits::plan{limits::per_second(100), limits::window{4'000, 1h}}, limits::plan{limits::per_hour(4'000)},
        limits::plan{limits::window{4'000, aligned_hour}},
        limits::plan{limits::per_hour(4'000), limits::per_month(9'000)}}) {
    for (bool const is_used : {true, false}) {  // while it is cut off for the first minutes
      simulator s({.nodes = nodes, .on_failure = failure_policy::degraded}, 79);
      s.plan = p;
      s.traffic(4, 2min, [&] { return std::pair{s.up_to(nodes - 1), 0u}; });
      s.at(2min, [&] {
        s.cut_off(0, true);
        if (is_used) s.traffic(4, 5min, [&] { return std::pair{s.up_to(nodes - 1), 0u}; });
      });
      s.at(5min, [&] { s.traffic(4, 8min, [&] { return std::pair{s.up_to(nodes - 1), 0u}; }); });
      s.at(8min, [&] { s.cut_off(0, false); });
      s.at(8min, [&] { s.traffic(4, 50min, [&] { return std::pair{s.up_to(nodes - 1), 0u}; }); });
      s.run_until(50min);
      print("an hour with a partition", s);
      BOOST_TEST(s.of(0).admitted_alone > 100u);
      hold_exact(s);
      BOOST_TEST(s.of(0).admitted == 4'000u);
    }
  }
}

BOOST_AUTO_TEST_CASE(nodes_without_the_server_admit_their_shares_of_each_period) {
  constexpr std::size_t nodes = 5;
  for (auto const& p : other_plans) {
    simulator s({.nodes = nodes, .on_failure = failure_policy::degraded}, 81);
    s.plan = p;
    s.traffic(1, 20min, [&] { return std::pair{s.up_to(nodes - 1), 0u}; });
    s.at(5min, [&] { s.cut_off(0, true); });
    s.at(11min, [&] { s.cut_off(0, false); });
    s.run_until(90min);
    std::uint64_t const of_short = p.short_window.tokens() / nodes + 1, of_long = p.long_window.tokens() / nodes + 1;
    BOOST_TEST(excess_of(s).of_short <= static_cast<std::int64_t>(2 * of_short));
    BOOST_TEST(excess_of(s).of_long <= static_cast<std::int64_t>(2 * of_long));
  }
}

/// A period that is open keeps its count, and is at most as long as one of the new plan.
BOOST_AUTO_TEST_CASE(another_plan_opens_no_period_before_the_last_one_ends) {
  auto const p = [](limits::window shorter, limits::window longer) {
    return limits::plan::of(shorter, longer).value();
  };
  std::vector<std::pair<limits::plan, limits::plan>> const changes{
      {p(limits::per_minute(40), limits::per_day(100)), p(limits::per_second(40), limits::per_hour(100))},
      {p(limits::per_second(40), limits::per_hour(100)), p(limits::per_minute(40), limits::per_day(100))},
      {p(limits::per_hour(40), limits::per_month(100)), p(limits::per_minute(40), limits::per_day(100))},
      {p(limits::per_minute(40), limits::per_day(100)), p(limits::window{40, aligned_minute}, limits::per_week(100))},
      {p(limits::window{40, aligned_minute}, limits::window{100, six_hours}),
       p(limits::per_hour(40), limits::window{100, std::chrono::days{2}})},
  };
  for (auto const& [before, after] : changes) {
    simulator s({.nodes = 4}, 82);
    s.plan = before;
    auto const anywhere = [&] { return std::pair{s.up_to(3), 0u}; };
    s.traffic(20, 1min, anywhere);
    s.run_until(1min);
    std::uint64_t const first = s.of(0).admitted;
    BOOST_TEST(first <= 100u);
    s.plan = after;
    s.traffic(20, 1min + 30s, anywhere);
    s.run_until(1min + 30s);
    BOOST_TEST(s.of(0).admitted <= 100u);  // no long period has ended
    hold_exact(s);
  }
}

BOOST_AUTO_TEST_SUITE_END()
