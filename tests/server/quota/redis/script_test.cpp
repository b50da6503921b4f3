// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// acquire.lua on a real server, beside the model of it. The one line that reads the clock is replaced.
#include <boost/test/unit_test.hpp>
#include <map>
#include <random>
#include <sstream>
#include <string>

#include "model_server.hpp"
#include "other_windows.hpp"
#include "script_server.hpp"

BOOST_AUTO_TEST_SUITE(quota_redis_script)

using namespace petstore::quota;
namespace limits = petstore::limits;

namespace {

/// A node as random as a node can be: mostly it claims what it got, now and then it says something else.
struct random_life {
  std::mt19937_64 random;
  std::int64_t now = noon;
  std::uint64_t sequence = 0;
  struct node {
    std::uint64_t generation = 1;
    acquisition last;
    acquired got;
  };
  std::map<int, node> nodes;

  std::int64_t up_to(std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(random); }
  bool once_in(std::int64_t n) { return up_to(n - 1) == 0; }

  static std::int64_t us(limits::period p) { return p.longest() / std::chrono::microseconds{1}; }
  acquisition next(node& n, limits::plan const& plan) {
    acquisition a;
    if (once_in(15)) n = {.generation = sequence + 1, .last = {}, .got = {}};
    a.generation = n.generation;
    a.sequence = once_in(20) ? sequence : ++sequence;
    a.plan = plan;
    a.nodes = static_cast<std::uint32_t>(1 + up_to(4));
    a.want = static_cast<std::uint32_t>(once_in(4) ? 0 : up_to(30));
    a.waiting = static_cast<std::uint32_t>(once_in(2) ? 0 : up_to(once_in(3) ? 80 : 2));
    a.dearest = static_cast<std::uint32_t>(once_in(2) ? 1 : 1 + up_to(30));
    a.cheapest = static_cast<std::uint32_t>(1 + up_to(a.dearest - 1));
    a.held = static_cast<std::uint32_t>(once_in(3) ? 0 : up_to(40));
    a.looks = once_in(10);
    a.patience = once_in(3) ? 0 : up_to(900'000);
    a.short_end = once_in(10) ? now + up_to(us(plan.short_window.period()) * 7 / 6) : n.got.short_end;
    a.short_count = n.last.short_count + n.got.granted;
    a.short_count -= std::min<std::uint64_t>(a.short_count, static_cast<std::uint64_t>(up_to(3)));
    a.long_end = once_in(20) ? (now / day_us + up_to(2)) * day_us : n.got.long_end;
    if (once_in(20)) a.long_end = now + up_to(us(plan.long_window.period()) * 7 / 6);
    a.long_count = n.last.long_count + n.got.granted + static_cast<std::uint64_t>(once_in(9) ? up_to(20) : 0);
    a.returned_ns = once_in(2) ? 0 : up_to(3'000'000'000);
    a.returned_mark = n.got.full_at;
    a.strikes = static_cast<std::uint32_t>(once_in(3) ? up_to(6) : 0);
    a.pardoned = once_in(40) ? now - up_to(100'000'000) : 0;
    a.never_banned = once_in(5);
    a.born = once_in(10) ? up_to(3) : n.got.born;
    a.earlier_short_end = once_in(5) ? now + up_to(2 * us(plan.short_window.period())) : a.short_end;
    a.earlier_short_count = once_in(3) ? static_cast<std::uint64_t>(up_to(30)) : 0;
    a.earlier_long_end = once_in(20) ? a.long_end - us(plan.long_window.period()) : a.long_end;
    a.earlier_long_count = once_in(3) ? static_cast<std::uint64_t>(up_to(30)) : 0;
    a.full_at = once_in(3) ? now + up_to(50'000'000) : n.got.full_at;
    return a;
  }
  void pass_time() {
    if (once_in(50))
      now -= up_to(90'000'000);
    else if (once_in(100))
      now -= up_to(40 * day_us);
    else if (once_in(60))
      now += day_us / 2;
    else if (once_in(60))
      now += up_to(20 * day_us);
    else
      now += up_to(once_in(5) ? 70'000'000 : 900'000);
  }
};

std::string text_of(script_integers const& numbers) {
  std::ostringstream text;
  for (std::int64_t const n : numbers) text << n << ' ';
  return text.str();
}

script_integers numbers_of(std::optional<acquired> const& a) {
  if (!a) return {0};
  auto const n = [](std::uint64_t u) { return static_cast<std::int64_t>(u); };
  return {1,
          a->now,
          a->granted,
          a->short_end,
          n(a->short_used),
          a->long_end,
          n(a->long_used),
          a->full_at,
          a->full_at_ns,
          a->announced_at,
          a->announced_until,
          a->ban_until,
          a->ban_begun,
          static_cast<std::int64_t>(a->holders),
          a->born};
}

}  // namespace

namespace {

using namespace std::chrono_literals;
constexpr std::chrono::sys_days beginnings[] = {2026y / 6 / 1,  2027y / 1 / 1, 2027y / 3 / 1,
                                                2028y / 2 / 29, 2028y / 3 / 1, 2026y / 6 / 8};

}  // namespace

BOOST_AUTO_TEST_CASE(the_script_does_what_the_model_does) {
  script_server redis;
  limits::ban_policy const bans{.strikes = 10};
  std::vector<limits::plan> plans{
      {limits::per_minute(60), limits::per_day(1'000)},
      {limits::per_minute(7)},
      {limits::per_minute(300), limits::per_day(40)},
      {.short_window = limits::per_minute(50),
       .long_window = limits::per_day(500),
       .short_refill = limits::refill::continuous},
      {.short_window = limits::per_minute(9'999'991), .short_refill = limits::refill::continuous},
      {.short_window = limits::per_second(30),
       .long_window = limits::per_month(500),
       .short_refill = limits::refill::continuous},
      {.short_window = limits::per_month(100)}};
  plans.insert(plans.end(), other_plans.begin(), other_plans.end());
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    random_life life;
    life.random.seed(seed);
    life.now = us_of(beginnings[seed % std::size(beginnings)]) - life.up_to(2 * minute_us);
    model_key model;
    std::string const key = "{test:" + std::to_string(seed) + "}";
    limits::plan plan = plans[seed % std::size(plans)];
    for (int step = 0; step < 150; ++step) {
      if (life.once_in(40)) plan = plans[static_cast<std::size_t>(life.up_to(std::ssize(plans) - 1))];
      int const number = static_cast<int>(life.up_to(2));
      auto& node = life.nodes[number];
      acquisition const asked = life.next(node, plan);
      auto const expected = model.acquire(number, asked, bans, life.now);
      auto const said = redis.acquire(key, number, asked, bans, life.now);
      BOOST_TEST_REQUIRE(text_of(said) == text_of(numbers_of(expected)), "seed " << seed << ", step " << step << ": "
                                                                                 << text_of(said) << "is not "
                                                                                 << text_of(numbers_of(expected)));
      BOOST_TEST((parse_acquired(said) == expected));
      if (expected) node.last = asked, node.got = *expected;
      life.pass_time();
    }
  }
}

BOOST_AUTO_TEST_CASE(a_key_says_little_and_goes_when_it_says_nothing) {
  script_server redis;
  limits::ban_policy const bans;
  acquisition a{.generation = 1, .sequence = 1, .plan = {limits::per_minute(60)}, .want = 1};
  redis.acquire("{a}", 1, a, bans, noon);
  int const left_ms = std::stoi(redis.ask({"PTTL", "{a}"}));
  BOOST_TEST(left_ms > 60'000);
  BOOST_TEST(left_ms <= 65'000);
  BOOST_TEST(std::stoi(redis.ask({"STRLEN", "{a}"})) == 64);

  a.plan.long_window = limits::per_day(1'000);
  a.sequence = 2;
  redis.acquire("{a}", 1, a, bans, noon);
  BOOST_TEST(std::stoi(redis.ask({"PTTL", "{a}"})) > 43'200'000);
}

BOOST_AUTO_TEST_CASE(requests_that_wait_get_what_is_left_at_once) {
  script_server redis;
  limits::ban_policy const bans;
  acquisition a{.generation = 1, .sequence = 1, .plan = {limits::per_minute(60)}, .nodes = 10};
  a.want = a.waiting = 20;
  auto const granted = [&] {
    auto const said = parse_acquired(redis.acquire("{a}", 1, a, bans, noon));
    ++a.sequence;
    a.short_end = said->short_end;
    a.short_count += said->granted;
    return said->granted;
  };
  BOOST_TEST(granted() == 20u);
  a.want = 30, a.waiting = 2;  // the rest would be ahead of need
  BOOST_TEST(granted() == 2u);
  a.want = a.waiting = 100;
  BOOST_TEST(granted() == 38u);
  auto const said = parse_acquired(redis.acquire("{a}", 1, a, bans, noon));
  BOOST_TEST(said->granted == 0u);
  BOOST_TEST(said->short_used == 60u);
  BOOST_TEST(said->announced_until == noon + 60'000'000);  // to those who got nothing of the 38
}

BOOST_AUTO_TEST_CASE(who_is_never_banned_gets_tokens_while_a_ban_holds_and_does_not_end_it) {
  script_server redis;
  limits::ban_policy const bans{.strikes = 5};
  acquisition a{.generation = 1, .sequence = 1, .plan = {limits::per_minute(60)}, .want = 1, .waiting = 1};
  a.strikes = 5;
  auto const struck = parse_acquired(redis.acquire("{a}", 1, a, bans, noon));
  BOOST_TEST(struck->ban_until > noon);
  BOOST_TEST(struck->granted == 0u);

  acquisition proxy = a;
  proxy.never_banned = true;
  auto const served = parse_acquired(redis.acquire("{a}", 2, proxy, bans, noon + 1));
  BOOST_TEST(served->granted == 1u);
  BOOST_TEST(served->ban_until == struck->ban_until);
  a.sequence = 2, a.strikes = 0;
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 1, a, bans, noon + 2))->granted == 0u);
}

BOOST_AUTO_TEST_CASE(returned_tokens_are_worth_what_they_cost) {
  script_server redis;
  limits::ban_policy const bans;
  limits::plan const fast{.short_window = limits::per_minute(60'000), .short_refill = limits::refill::continuous};
  acquisition a{.generation = 1, .sequence = 1, .plan = fast, .want = 58'700, .waiting = 58'700};
  auto const got = parse_acquired(redis.acquire("{a}", 1, a, bans, noon));
  BOOST_TEST_REQUIRE(got->granted == 58'700u);
  a.sequence = 2;
  a.plan.short_window = limits::per_minute(60);
  a.returned_ns = 900 * 1'000'000;
  a.returned_mark = got->full_at;
  a.want = a.waiting = 60;
  auto const after = parse_acquired(redis.acquire("{a}", 1, a, bans, noon));
  BOOST_TEST(after->granted == 2u);  // 57.8 s are owed of a minute
}

BOOST_AUTO_TEST_CASE(a_plan_that_refills_in_another_way_keeps_what_was_used) {
  script_server redis;
  limits::ban_policy const bans;
  acquisition a{.generation = 1, .sequence = 1, .plan = {limits::per_minute(60)}, .want = 50, .waiting = 50};
  auto const got = parse_acquired(redis.acquire("{a}", 1, a, bans, noon));
  BOOST_TEST(got->granted == 50u);
  a.sequence = 2;
  a.short_end = got->short_end;
  a.short_count = 50;
  a.plan.short_refill = limits::refill::continuous;
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 1, a, bans, noon))->granted == 10u);
  // Who has not heard of it claims what is owed already.
  acquisition late{.generation = 1, .sequence = 1, .plan = a.plan, .want = 1, .waiting = 1};
  late.short_end = got->short_end;
  late.short_count = 5;
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 2, late, bans, noon))->granted == 0u);
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 3, late, bans, noon + 1'000'000))->granted == 1u);
}

BOOST_AUTO_TEST_CASE(a_node_that_gives_back_under_an_old_plan_ends_no_period_early) {
  script_server redis;
  limits::ban_policy const bans;
  limits::plan const before{limits::per_minute(60), limits::per_day(1'000)};
  limits::plan const after{limits::per_hour(60), limits::per_month(1'000)};
  acquisition idle{.generation = 1, .sequence = 1, .plan = before, .want = 20, .waiting = 1};
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 1, idle, bans, noon))->granted == 20u);
  std::int64_t const later = noon + 2 * day_us;
  acquisition busy{.generation = 1, .sequence = 1, .plan = after, .want = 10, .waiting = 10};
  auto const told = parse_acquired(redis.acquire("{a}", 2, busy, bans, later));
  BOOST_TEST(told->granted == 10u);
  idle.sequence = 2, idle.want = idle.waiting = 0;
  redis.acquire("{a}", 1, idle, bans, later + 1'000'000);
  busy.sequence = 2, busy.short_end = told->short_end, busy.long_end = told->long_end;
  busy.short_count = busy.long_count = 10;
  auto const then = parse_acquired(redis.acquire("{a}", 2, busy, bans, later + 120'000'000));
  BOOST_TEST(then->short_end == told->short_end);
  BOOST_TEST(then->short_used == 20u);
  BOOST_TEST(then->long_end == told->long_end);
}

BOOST_AUTO_TEST_CASE(a_node_that_gives_back_under_an_old_plan_refills_no_bucket) {
  script_server redis;
  limits::ban_policy const bans;
  limits::plan const before{limits::per_minute(60), {}, limits::refill::continuous};
  limits::plan const after{limits::per_hour(60), {}, limits::refill::continuous};
  acquisition busy{.generation = 1, .sequence = 1, .plan = after, .want = 60, .waiting = 60};
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 2, busy, bans, noon))->granted == 60u);
  acquisition const idle{.generation = 1, .sequence = 1, .plan = before};
  redis.acquire("{a}", 1, idle, bans, noon);
  busy.sequence = 2;
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 2, busy, bans, noon))->granted == 0u);
}

BOOST_AUTO_TEST_CASE(nodes_that_are_silent_for_minutes_are_forgotten) {
  script_server redis;
  limits::ban_policy const bans;
  acquisition a{.generation = 1,
                .sequence = 1,
                .plan = {limits::per_minute(60), limits::per_day(1'000)},
                .want = 1,
                .waiting = 1};
  for (int node = 0; node < 40; ++node) redis.acquire("{a}", node, a, bans, noon);
  int const full = std::stoi(redis.ask({"STRLEN", "{a}"}));
  for (std::int64_t const silent : {310'000'000, 620'000'000}) {
    BOOST_TEST(std::stoi(redis.ask({"STRLEN", "{a}"})) == full);  // they may have called, if the clock was set forward
    ++a.sequence;
    redis.acquire("{a}", 1, a, bans, noon + silent);
  }
  BOOST_TEST(std::stoi(redis.ask({"STRLEN", "{a}"})) < full - 38 * 30);
}

BOOST_AUTO_TEST_CASE(a_clock_that_is_set_forward_counts_nothing_of_the_day_twice) {
  script_server redis;
  limits::ban_policy const bans;
  acquisition a{.generation = 1, .sequence = 1, .plan = {limits::per_minute(60), limits::per_day(1'000)}};
  a.want = a.waiting = 10;
  std::map<int, acquired> told;
  for (int node = 0; node < 3; ++node) told[node] = *parse_acquired(redis.acquire("{a}", node, a, bans, noon));
  a.sequence = 2, a.want = a.waiting = 0;
  for (int node = 0; node < 3; ++node) {
    a.long_end = told[node].long_end, a.long_count = told[node].granted;
    BOOST_TEST(parse_acquired(redis.acquire("{a}", node, a, bans, noon + 3'600'000'000))->long_used == 30u);
  }
}

BOOST_AUTO_TEST_CASE(nodes_that_hold_tokens_of_the_day_are_remembered_until_it_is_over) {
  script_server redis;
  limits::ban_policy const bans;
  acquisition a{.generation = 1, .sequence = 1, .plan = {limits::per_minute(600), limits::per_day(1'000)}, .want = 10};
  auto const got = parse_acquired(redis.acquire("{a}", 1, a, bans, noon));
  BOOST_TEST_REQUIRE(got->granted == 10u);
  acquisition other{.generation = 1, .sequence = 1, .plan = a.plan, .want = 1, .waiting = 1};
  redis.acquire("{a}", 2, other, bans, noon + 3'600'000'000);
  a.sequence = 2;
  a.long_end = got->long_end, a.long_count = 3;  // seven of them were not used
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 1, a, bans, noon + 7'200'000'000))->long_used == 14u);
}

BOOST_AUTO_TEST_CASE(whoever_finds_too_little_makes_the_others_give_back_what_they_hold) {
  script_server redis;
  limits::ban_policy const bans;
  limits::plan const plan{limits::per_minute(20)};
  acquisition holder{.generation = 1, .sequence = 1, .plan = plan, .want = 20, .waiting = 12};
  auto const got = parse_acquired(redis.acquire("{a}", 1, holder, bans, noon));
  BOOST_TEST_REQUIRE(got->granted == 12u);  // and it holds none beside these
  holder.sequence = 2;
  holder.short_end = got->short_end, holder.short_count = 12, holder.waiting = 0, holder.held = 5;
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 1, holder, bans, noon))->granted == 4u);

  acquisition asker{.generation = 1, .sequence = 1, .plan = plan, .want = 10, .waiting = 10, .patience = 200'000};
  auto ask = [&](std::int64_t now) {
    auto const told = parse_acquired(redis.acquire("{a}", 2, asker, bans, now));
    ++asker.sequence;
    asker.short_end = told->short_end;
    asker.short_count += told->granted;
    return *told;
  };
  acquired const short_of = ask(noon);
  BOOST_TEST(short_of.granted == 4u);
  BOOST_TEST((short_of.holders == holders::recalled));
  BOOST_TEST(short_of.announced_until == 0);
  asker.waiting = 6;
  BOOST_TEST((ask(noon + 199'000).holders == holders::recalled));
  acquired const silent = ask(noon + 201'000);
  BOOST_TEST((silent.holders == holders::silent));
  BOOST_TEST(silent.announced_until == got->short_end);

  holder.sequence = 3;
  holder.short_count = 9, holder.held = holder.want = 0;  // of nine that it had it used two
  redis.acquire("{a}", 1, holder, bans, noon + 300'000);
  acquired const last = ask(noon + 300'000);
  BOOST_TEST(last.granted == 6u);
  BOOST_TEST((last.holders == holders::none));
}

BOOST_AUTO_TEST_CASE(an_announced_refusal_ends_when_a_token_comes_back) {
  script_server redis;
  limits::ban_policy const bans{.strikes = 5};
  limits::plan const plan{limits::per_minute(2)};
  acquisition holder{.generation = 1, .sequence = 1, .plan = plan, .want = 2, .waiting = 2};
  auto const got = *parse_acquired(redis.acquire("{a}", 1, holder, bans, noon));
  BOOST_TEST(got.granted == 2u);
  acquisition asker{.generation = 1, .sequence = 1, .plan = plan, .want = 1, .waiting = 1};
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 2, asker, bans, noon + 1))->announced_until == got.short_end);

  holder.sequence = 2, holder.want = holder.waiting = 0;
  holder.short_end = got.short_end, holder.short_count = 2;
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 1, holder, bans, noon + 2))->announced_until == got.short_end);
  holder.sequence = 3, holder.short_count = 1;
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 1, holder, bans, noon + 3))->announced_until == 0);
}

BOOST_AUTO_TEST_CASE(a_clock_that_is_set_back_by_an_hour_makes_nobody_wait_for_it) {
  script_server redis;
  limits::ban_policy const bans{.strikes = 5};
  std::int64_t const ahead = noon + 3'600'000'000;
  limits::plan const plan{limits::per_minute(20), limits::per_day(1'000)};
  acquisition const holder{.generation = 1, .sequence = 1, .plan = plan, .want = 20};
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 1, holder, bans, ahead))->granted == 10u);
  acquisition asker{.generation = 1, .sequence = 1, .plan = plan, .want = 30, .waiting = 30, .patience = 200'000};
  auto const ask = [&](std::int64_t now) {
    auto const told = *parse_acquired(redis.acquire("{a}", 2, asker, bans, now));
    ++asker.sequence;
    asker.short_end = told.short_end, asker.short_count += told.granted;
    asker.long_end = told.long_end, asker.long_count += told.granted;
    return told;
  };
  BOOST_TEST((ask(ahead).holders == holders::recalled));
  BOOST_TEST(ask(ahead + 300'000).announced_until == ahead + 60'000'000);
  asker.patience = 0;
  acquired const refused = ask(noon);  // the recall is over, and this refusal is announced
  BOOST_TEST((refused.holders == holders::silent));
  BOOST_TEST(refused.announced_at == noon);
  BOOST_TEST(refused.announced_until == noon + 60'000'000);
}

BOOST_AUTO_TEST_CASE(a_clock_that_is_set_back_by_an_hour_prolongs_no_ban) {
  script_server redis;
  limits::ban_policy const bans{.strikes = 5, .base = std::chrono::minutes{1}, .max = std::chrono::minutes{10}};
  acquisition a{.generation = 1, .sequence = 1, .plan = {limits::per_minute(60)}, .want = 1, .waiting = 1};
  a.strikes = 5;
  std::int64_t const ahead = noon + 3'600'000'000;
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 1, a, bans, ahead))->ban_until == ahead + 60'000'000);
  a.sequence = 2, a.strikes = 0;
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 1, a, bans, noon))->ban_until == noon + 600'000'000);
}

BOOST_AUTO_TEST_CASE(strikes_under_a_clock_that_is_set_back_are_none) {
  script_server redis;
  limits::ban_policy const bans{.strikes = 5};
  acquisition a{.generation = 1,
                .sequence = 1,
                .plan = {limits::per_minute(60), limits::per_day(1'000)},
                .want = 1,
                .waiting = 1,
                .strikes = 1};
  redis.acquire("{a}", 1, a, bans, noon + 3'600'000'000);
  a.sequence = 2;
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 1, a, bans, noon))->ban_until == 0);
}

BOOST_AUTO_TEST_CASE(a_value_of_another_version_and_one_of_another_program_are_left_alone) {
  script_server redis;
  limits::ban_policy const bans;
  acquisition const a{.generation = 1, .sequence = 1, .plan = {limits::per_minute(60)}, .want = 1};
  redis.ask({"SET", "{a}", "\x04 of a later version"});
  BOOST_CHECK_THROW(redis.acquire("{a}", 1, a, bans, noon), std::exception);
  BOOST_TEST(redis.ask({"GET", "{a}"}) == "\x04 of a later version");
  redis.ask({"RPUSH", "{b}", "a list"});
  BOOST_CHECK_THROW(redis.acquire("{b}", 1, a, bans, noon), std::exception);
}

/// While a cluster is updated. Nodes of both versions take what they can, give some back, and so on through minutes.
BOOST_AUTO_TEST_CASE(nodes_of_version_1_share_the_quota) {
  limits::ban_policy const bans;
  limits::plan const plan{limits::per_minute(60), limits::per_day(200)};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    script_server redis;
    std::mt19937_64 random(seed);
    auto const up_to = [&](std::uint64_t most) {
      return std::uniform_int_distribution<std::uint64_t>(0, most)(random);
    };
    std::int64_t now = noon;
    acquisition old_node{.generation = 1, .plan = plan}, new_node = old_node;
    new_node.has_old_nodes = true;
    std::map<std::int64_t, std::uint64_t> used_in_minute;  // by its end
    std::uint64_t used = 0;
    for (int step = 0; step < 200; ++step) {
      bool const is_old = up_to(1) == 0;
      acquisition& a = is_old ? old_node : new_node;
      ++a.sequence;
      a.want = a.waiting = static_cast<std::uint32_t>(up_to(9));
      if (up_to(9) == 0 && a.short_count > 0) --a.short_count, --a.long_count, --used_in_minute[a.short_end], --used;
      std::uint32_t granted = 0;
      std::int64_t minute = 0;
      if (is_old) {
        granted = redis.acquire_1("{a}", "0123456789abcdef", a, now);
        minute = redis.old_minute_end_, a.long_end = redis.old_day_end_;
      } else {
        auto const told = parse_acquired(redis.acquire("{a}", 7, a, bans, now));
        granted = told->granted;
        minute = told->short_end, a.long_end = told->long_end;
      }
      if (minute != a.short_end) a.short_end = minute, a.short_count = 0;
      a.short_count += granted;
      a.long_count += granted;
      used_in_minute[minute] += granted;
      used += granted;
      now += static_cast<std::int64_t>(up_to(2'000'000));
    }
    BOOST_TEST(used == 200u);
    for (auto const& [end, count] : used_in_minute) BOOST_TEST(count <= 60u);
    BOOST_TEST(used_in_minute.size() <= 5u);  // they are the same minutes
  }
}

BOOST_AUTO_TEST_CASE(what_nodes_of_version_1_took_of_the_day_is_in_use_after_them) {
  script_server redis;
  limits::ban_policy const bans;
  acquisition a{.generation = 1,
                .sequence = 1,
                .plan = {limits::per_minute(60), limits::per_day(100)},
                .want = 30,
                .waiting = 30};
  BOOST_TEST(redis.acquire_1("{a}", "0123456789abcdef", a, noon) == 30u);
  for (int minute = 1; minute <= 2; ++minute) {  // nobody of them is left
    auto const told = parse_acquired(redis.acquire("{a}", 7, a, bans, noon + minute * 61'000'000));
    BOOST_TEST(told->granted == 30u);
    BOOST_TEST(told->long_used == 30u + 30u * static_cast<unsigned>(minute));
    ++a.sequence;
    a.long_end = told->long_end, a.long_count = 30u * static_cast<unsigned>(minute);
  }
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 7, a, bans, noon + 200'000'000))->granted == 10u);
}

BOOST_AUTO_TEST_CASE(a_pardon_ends_the_ban_of_nodes_of_version_1_too) {
  script_server redis;
  limits::ban_policy const bans;
  acquisition a{
      .generation = 1, .sequence = 1, .plan = {limits::per_minute(60), limits::per_day(100)}, .want = 1, .waiting = 1};
  BOOST_TEST(redis.acquire_1("{a}", "0123456789abcdef", a, noon) == 1u);
  redis.ask({"HSET", "old:{a}", "x", std::to_string(noon + 3'600'000'000)});
  auto const is_banned = [&](std::int64_t now) {
    auto const told = parse_acquired(redis.acquire("{a}", 7, a, bans, now));
    ++a.sequence;
    return told->ban_until > now;
  };
  BOOST_TEST(is_banned(noon));
  a.pardoned = noon + 1;
  BOOST_TEST(!is_banned(noon + 2));
  BOOST_TEST(!is_banned(noon + 3));
}

/// A node sends one key when there have been no nodes of version 1 for two days. Another one may not know that yet.
BOOST_AUTO_TEST_CASE(a_call_with_one_key_neither_touches_nor_forgets_the_hash_of_version_1) {
  script_server redis;
  limits::ban_policy const bans;
  acquisition a{
      .generation = 1, .sequence = 1, .plan = {limits::per_minute(60), limits::per_day(100)}, .want = 1, .waiting = 1};
  BOOST_TEST(redis.acquire_1("{a}", "0123456789abcdef", a, noon) == 1u);
  auto const hash = redis.ask({"HGETALL", "old:{a}"});
  auto const day_used = [&](std::vector<std::string> const& keys) {
    auto const told = parse_acquired(redis.acquire(keys, 7, a, bans, noon));
    ++a.sequence;
    a.short_end = told->short_end, a.long_end = told->long_end;
    a.short_count = ++a.long_count;
    return told->long_used;
  };
  BOOST_TEST(day_used({"{a}", "old:{a}"}) == 2u);
  BOOST_TEST(day_used({"{a}"}) == 2u);
  BOOST_TEST(day_used({"{a}", "old:{a}"}) == 4u);
  BOOST_TEST(redis.ask({"HGETALL", "old:{a}"}) == hash);

  a = {.generation = 1, .sequence = 1, .plan = {limits::per_minute(60), limits::per_day(100)}, .want = 1, .waiting = 1};
  BOOST_TEST(redis.acquire_1("{b}", "0123456789abcdef", a, noon) == 1u);
  BOOST_TEST(day_used({"{b}"}) == 1u);
  BOOST_TEST(day_used({"{b}", "old:{b}"}) == 2u);  // the key is known to have no hash
}

BOOST_AUTO_TEST_CASE(it_is_known_for_how_long_there_have_been_no_nodes_of_version_1) {
  petstore::tests::redis_process process;
  auto const alone_ms = [&] {
    std::istringstream lines(process.ask(
        {"EVAL", std::string(heartbeat_script), "3", "{test}:nodes", "{test}:since", "{test}:nodes2", "a", "1"}));
    std::int64_t n = -1;
    for (int i = 0; i < 5; ++i) lines >> n;
    return n;
  };
  auto const ms_now = [] { return std::chrono::system_clock::now().time_since_epoch() / std::chrono::milliseconds{1}; };
  constexpr std::int64_t hour = 3'600'000;
  BOOST_TEST(alone_ms() == 0);  // there may have been some a moment ago
  process.ask({"ZADD", "{test}:nodes2", std::to_string(ms_now() - hour), "alone"});
  BOOST_TEST(alone_ms() >= hour);
  BOOST_TEST(alone_ms() < 2 * hour);
  process.ask({"ZADD", "{test}:nodes", std::to_string(ms_now()), "0123456789abcdef"});
  BOOST_TEST(alone_ms() == 0);
  process.ask({"ZREM", "{test}:nodes", "0123456789abcdef"});
  BOOST_TEST(alone_ms() < hour);
  process.ask({"ZADD", "{test}:nodes2", std::to_string(ms_now() + hour), "alone"});  // the clock was set back
  BOOST_TEST(alone_ms() == 0);
  process.ask({"ACL", "SETUSER", "default", "-zscore"});
  BOOST_TEST(alone_ms() == 0);
}

BOOST_AUTO_TEST_CASE(nodes_of_version_1_are_counted) {
  petstore::tests::redis_process process;
  process.ask({"ZADD", "{test}:nodes", "4086828", "0123456789abcdef"});  // silent
  auto const beat = [&] {
    std::istringstream lines(process.ask(
        {"EVAL", std::string(heartbeat_script), "3", "{test}:nodes", "{test}:since", "{test}:nodes2", "a", "1"}));
    std::int64_t nodes = 0, run = 0, since = 0, old = -1;
    lines >> nodes >> run >> since >> old;
    return std::pair{nodes, old};
  };
  BOOST_TEST((beat() == std::pair<std::int64_t, std::int64_t>{1, 0}));
  auto const ms = std::to_string(std::chrono::system_clock::now().time_since_epoch() / std::chrono::milliseconds{1});
  process.ask({"ZADD", "{test}:nodes", ms, "0123456789abcdef"});
  BOOST_TEST((beat() == std::pair<std::int64_t, std::int64_t>{2, 1}));
}

BOOST_AUTO_TEST_CASE(living_nodes_are_counted) {
  petstore::tests::redis_process process;
  auto const beat = [&](std::string const& node, std::string const& lives) {
    return process.ask(
        {"EVAL", std::string(heartbeat_script), "3", "{test}:nodes", "{test}:since", "{test}:nodes2", node, lives});
  };
  auto const number = [](std::string const& said) { return std::stoi(said); };
  BOOST_TEST(number(beat("a", "1")) == 1);
  BOOST_TEST(number(beat("b", "1")) == 2);
  BOOST_TEST(number(beat("a", "1")) == 2);
  BOOST_TEST(number(beat("b", "0")) == 1);
}

BOOST_AUTO_TEST_CASE(a_clock_that_is_set_back_keeps_no_dead_node) {
  petstore::tests::redis_process process;
  process.ask({"ZADD", "{test}:nodes", "4086828000000", "dead"});
  auto const said = process.ask(
      {"EVAL", std::string(heartbeat_script), "3", "{test}:nodes", "{test}:since", "{test}:nodes2", "a", "1"});
  BOOST_TEST(said.starts_with("1\n"));
}

namespace {

struct beat {
  std::int64_t nodes = 0, run = 0, data_since = 0;
};
beat beat_of(petstore::tests::redis_process const& process) {
  std::istringstream lines(process.ask(
      {"EVAL", std::string(heartbeat_script), "3", "{test}:nodes", "{test}:since", "{test}:nodes2", "a", "1"}));
  beat b;
  lines >> b.nodes >> b.run >> b.data_since;
  return b;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_heartbeat_tells_another_run_and_other_data) {
  petstore::tests::redis_process process({"--appendonly", "yes", "--appendfsync", "always"});
  beat const first = beat_of(process), second = beat_of(process);
  BOOST_TEST(first.run > 0);
  BOOST_TEST(first.data_since > 0);
  BOOST_TEST(second.run == first.run);
  BOOST_TEST(second.data_since == first.data_since);
  process.kill();
  process.start();
  beat const restarted = beat_of(process);
  BOOST_TEST(restarted.run != first.run);
  BOOST_TEST(restarted.data_since == first.data_since);
  process.ask({"FLUSHALL"});
  beat const emptied = beat_of(process);
  BOOST_TEST(emptied.run == restarted.run);
  BOOST_TEST(emptied.data_since > first.data_since);
}

BOOST_AUTO_TEST_CASE(whoever_may_not_ask_for_the_run_has_a_heartbeat_all_the_same) {
  petstore::tests::redis_process process;
  process.ask({"ACL", "SETUSER", "default", "-info"});
  beat const told = beat_of(process);
  BOOST_TEST(told.nodes == 1);
  BOOST_TEST(told.run == 0);
  BOOST_TEST(told.data_since > 0);
}

/// As after FLUSHALL: nodes say what they took, each as often as it takes until it is heard.
BOOST_AUTO_TEST_CASE(what_the_server_lost_is_counted_when_nodes_claim_it_again) {
  script_server redis;
  limits::ban_policy const bans;
  limits::plan const plan{limits::per_minute(300), limits::per_day(1'000)};
  acquisition first{.generation = 1, .sequence = 1, .plan = plan, .want = 100, .waiting = 100};
  acquisition second = first;
  auto const a = parse_acquired(redis.acquire("{a}", 1, first, bans, noon));
  auto const b = parse_acquired(redis.acquire("{a}", 2, second, bans, noon));
  BOOST_TEST(a->born == noon);
  BOOST_TEST(b->born == noon);
  redis.ask({"FLUSHALL"});

  for (auto* one : {&first, &second}) {
    one->generation = 2;  // a new one of each, before which it had taken 40 on this day
    one->short_end = a->short_end, one->short_count = 100;
    one->long_end = a->long_end, one->long_count = 100;
    one->earlier_long_end = a->long_end, one->earlier_long_count = 40;
    one->born = a->born;
    one->want = one->waiting = 0;
  }
  for (std::uint64_t sequence = 2; sequence < 5; ++sequence) {
    first.sequence = sequence;
    first.generation += sequence == 4 ? 1 : 0;
    auto const told = parse_acquired(redis.acquire("{a}", 1, first, bans, noon + 1'000'000));
    BOOST_TEST(told->short_end == a->short_end);
    BOOST_TEST(told->short_used == 100u);
    BOOST_TEST(told->long_used == 140u);
    BOOST_TEST(told->born == noon + 1'000'000);
  }
  second.sequence = 2;
  auto const all = parse_acquired(redis.acquire("{a}", 2, second, bans, noon + 2'000'000));
  BOOST_TEST(all->short_used == 200u);
  BOOST_TEST(all->long_used == 280u);
  // Whoever has heard of it claims it as any other debit.
  second.sequence = 3;
  second.born = all->born;
  second.long_count = 140;
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 2, second, bans, noon + 2'000'000))->long_used == 280u);
}

BOOST_AUTO_TEST_CASE(a_bucket_that_the_server_lost_is_as_full_as_a_node_was_told) {
  script_server redis;
  limits::ban_policy const bans;
  limits::plan const plan{.short_window = limits::per_minute(60), .short_refill = limits::refill::continuous};
  acquisition a{.generation = 1, .sequence = 1, .plan = plan, .want = 50, .waiting = 50};
  auto const got = parse_acquired(redis.acquire("{a}", 1, a, bans, noon));
  BOOST_TEST(got->granted == 50u);
  redis.ask({"FLUSHALL"});
  a.sequence = 2;
  a.born = got->born;
  a.full_at = got->full_at;
  a.want = a.waiting = 60;
  BOOST_TEST(parse_acquired(redis.acquire("{a}", 1, a, bans, noon + 5'000'000))->granted == 15u);
}

BOOST_AUTO_TEST_SUITE_END()
