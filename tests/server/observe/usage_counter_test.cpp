// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/usage_counter.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "petstore/server/metrics.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(usage_counters)

namespace {

using limits::decision;
using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::sys_days;

/// 2026-11-25T12:00:00Z.
constexpr sys_days today{days{20'782}};
constexpr limits::wall_time noon = today + hours{12};
constexpr limits::wall_time midnight = today + days{1};

struct sum {
  std::uint64_t admitted = 0;
  std::uint64_t refused = 0;
  unix_ms last_used{};
};
using sums = std::map<std::pair<std::uint64_t, sys_days>, sum>;

/// Adds what was counted since the last call.
void take(usage_counter& from, sums& into) {
  std::vector<ports::usage_of_key> taken;
  from.take(taken);
  for (auto const& t : taken) {
    auto& s = into[{t.key, t.day}];
    s = {s.admitted + t.admitted, s.refused + t.refused, std::max(s.last_used, t.last_used)};
  }
}

sums take(usage_counter& from) {
  sums all;
  take(from, all);
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(requests_are_counted_by_key_and_decision) {
  usage_counter c;
  BOOST_TEST(take(c).empty());
  c.count(7, decision::admitted, noon);
  c.count(7, decision::admitted, noon + milliseconds{2});
  c.count(7, decision::rate_limited, noon + milliseconds{3});
  c.count(7, decision::banned, noon + milliseconds{4});
  c.count(9, decision::observed, noon + milliseconds{5});  // the quotas could not be asked
  auto all = take(c);
  BOOST_TEST(all.size() == 2u);
  auto const& of_seven = all[{7, today}];
  BOOST_TEST(of_seven.admitted == 2u);
  BOOST_TEST(of_seven.refused == 2u);
  BOOST_TEST((of_seven.last_used == unix_ms{today + hours{12} + milliseconds{4}}));
  auto const& of_nine = all[{9, today}];
  BOOST_TEST(of_nine.admitted + of_nine.refused == 0u);
  BOOST_TEST((of_nine.last_used == unix_ms{today + hours{12} + milliseconds{5}}));
}

BOOST_AUTO_TEST_CASE(each_request_is_taken_once) {
  usage_counter c;
  c.count(1, decision::admitted, noon);
  take(c);
  BOOST_TEST(take(c).empty());
  c.count(1, decision::admitted, noon);
  c.count(1, decision::admitted, noon + milliseconds{1});
  BOOST_TEST((take(c)[{1, today}].admitted == 2u));
}

BOOST_AUTO_TEST_CASE(the_days_on_both_sides_of_midnight_are_counted_apart) {
  usage_counter c;
  c.count(1, decision::admitted, midnight - limits::wall_time::duration{1});
  c.count(1, decision::rate_limited, midnight);
  auto all = take(c);
  BOOST_TEST((all[{1, today}].admitted == 1u));
  BOOST_TEST((all[{1, today}].refused == 0u));
  BOOST_TEST((all[{1, today + days{1}}].admitted == 0u));
  BOOST_TEST((all[{1, today + days{1}}].refused == 1u));
}

BOOST_AUTO_TEST_CASE(requests_of_the_day_before_may_end_between_those_of_today) {
  usage_counter c;
  sums all;
  for (int i = 0; i < 300; ++i) {
    c.count(1, decision::admitted, midnight - milliseconds{1});
    c.count(2, decision::admitted, midnight + milliseconds{i});
    // Also a key that was not used before midnight.
    c.count(3, decision::admitted, midnight - milliseconds{1});
    if (i % 100 == 0) take(c, all);
  }
  take(c, all);
  BOOST_TEST((all[{1, today}].admitted == 300u));
  BOOST_TEST((all[{2, today + days{1}}].admitted == 300u));
  BOOST_TEST((all[{3, today}].admitted == 300u));
  BOOST_TEST(all.size() == 3u);
}

BOOST_AUTO_TEST_CASE(clock_that_jumps_over_midnight_loses_and_doubles_nothing) {
  usage_counter c;
  sums all;
  auto const tomorrow = today + days{1};
  int requests = 0;
  for (auto const at : {midnight - hours{1}, midnight + hours{1}, midnight - hours{1}, midnight + days{9},
                        midnight + hours{1}, midnight - hours{1}}) {
    for (std::uint64_t key = 1; key <= 200; ++key) c.count(key, decision::admitted, at);
    if (++requests % 2 == 0) take(c, all);
  }
  take(c, all);
  BOOST_TEST((all[{1, today}].admitted == 3u));
  BOOST_TEST((all[{200, today}].admitted == 3u));
  BOOST_TEST((all[{200, tomorrow}].admitted == 2u));
  BOOST_TEST((all[{200, today + days{10}}].admitted == 1u));
  BOOST_TEST(all.size() == 3u * 200);
}

BOOST_AUTO_TEST_CASE(any_number_of_keys_is_counted_exactly) {
  usage_counter c;
  constexpr std::uint64_t keys = 10'000;
  for (int round = 0; round < 3; ++round)
    for (std::uint64_t key = 1; key <= keys; ++key) c.count(key * 0x1'0000'0001, decision::admitted, noon);
  auto const all = take(c);
  BOOST_TEST(all.size() == keys);
  for (auto const& [at, s] : all) BOOST_REQUIRE(s.admitted == 3u);
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_while_another_thread_takes) {
  usage_counter c;
  constexpr std::uint64_t keys = 300;
  constexpr int rounds = 2'000;
  sums all;
  std::jthread counting([&c] {
    for (int round = 0; round < rounds; ++round)
      for (std::uint64_t key = 1; key <= keys; ++key)
        c.count(key, decision::admitted, midnight + hours{round / 100 * 7} - hours{48});
  });
  std::uint64_t sum = 0;
  while (sum != keys * rounds) {
    take(c, all);
    sum = 0;
    for (auto const& [at, s] : all) sum += s.admitted;
    BOOST_REQUIRE(sum <= keys * rounds);
  }
  counting.join();
  BOOST_TEST(take(c).empty());
  for (std::uint64_t key = 1; key <= keys; ++key)
    BOOST_REQUIRE((all[{key, today}].admitted == all[{1, today}].admitted));
}

BOOST_AUTO_TEST_CASE(shards_count_usage_only_where_it_is_wanted) {
  limits::verdict v;
  v.decision = decision::admitted;
  metrics none{1};
  none.shard(0).count_key(7, v, noon);
  BOOST_TEST(none.take_usage().empty());

  metrics two{2, {}, true};
  two.shard(0).count_key(7, v, noon);
  two.shard(1).count_key(7, v, noon);
  std::uint64_t admitted = 0;
  for (auto const& u : two.take_usage()) admitted += u.admitted;
  BOOST_TEST(admitted == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
