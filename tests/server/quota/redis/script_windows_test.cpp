// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// What acquire.lua does with windows of any length, and how it stores their periods.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "other_windows.hpp"
#include "script_server.hpp"

BOOST_AUTO_TEST_SUITE(quota_redis_script_windows)

using namespace petstore::quota;
using namespace std::chrono_literals;
namespace limits = petstore::limits;

namespace {

constexpr limits::plan hourly{limits::per_minute(600), limits::window{100, 1h}};

/// One node, and a server whose clock the test sets.
struct asking_node {
  script_server redis;
  std::int64_t now = noon;
  acquisition next{.generation = 1, .sequence = 0, .plan = hourly};
  int number = 1;

  /// Asks for that many tokens, which requests wait for, and claims from then on what it was told.
  acquired ask(std::uint32_t tokens = 1) {
    next.want = next.waiting = tokens;
    ++next.sequence;
    auto const told = parse_acquired(redis.acquire("{a}", number, next, {}, now));
    BOOST_REQUIRE(told.has_value());
    if (next.short_end != told->short_end) next.short_end = told->short_end, next.short_count = 0;
    if (next.long_end != told->long_end) next.long_end = told->long_end, next.long_count = 0;
    next.short_count += told->granted;
    if (next.plan.long_window) next.long_count += told->granted;
    next.born = told->born;
    return *told;
  }
  acquired ask_under(limits::plan const& p, std::uint32_t tokens = 1) {
    next.plan = p;
    return ask(tokens);
  }
  std::string value() { return redis.ask({"GET", "{a}"}); }
};

constexpr std::int64_t at(std::chrono::sys_days day, std::chrono::microseconds time = 0us) {
  return us_of(day) + time.count();
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_month_ends_where_the_next_one_begins, asking_node) {
  struct {
    std::int64_t now, end;
  } const moments[] = {
      {at(2026y / 6 / 1), at(2026y / 7 / 1)},
      {at(2026y / 7 / 1, -1us), at(2026y / 7 / 1)},
      {at(2026y / 12 / 31, 24h - 1us), at(2027y / 1 / 1)},
      {at(2027y / 1 / 1), at(2027y / 2 / 1)},
      {at(2027y / 2 / 28, 24h - 1us), at(2027y / 3 / 1)},
      {at(2028y / 2 / 1), at(2028y / 3 / 1)},
      {at(2028y / 2 / 29, 12h), at(2028y / 3 / 1)},
      {at(2028y / 3 / 1), at(2028y / 4 / 1)},
      {at(2099y / 12 / 31), at(2100y / 1 / 1)},
      {at(2100y / 2 / 28, 24h - 1us), at(2100y / 3 / 1)},
  };
  for (auto const& m : moments) {
    now = m.now;
    next = {.generation = next.sequence + 1, .sequence = next.sequence};
    redis.ask({"DEL", "{a}"});
    BOOST_TEST(ask_under({limits::per_hour(10), limits::per_month(100)}).long_end == m.end);
  }
}

BOOST_FIXTURE_TEST_CASE(each_day_of_ten_years_is_in_its_month, asking_node) {
  limits::period const month = limits::per_month(1).period;
  for (std::chrono::sys_days day = 2026y / 1 / 1; day < std::chrono::sys_days{2036y / 1 / 1};
       day += std::chrono::days{1}) {
    now = at(day, 7h);
    auto const end = month.end_after(day) - limits::wall_time{};
    BOOST_TEST_REQUIRE(ask_under({limits::per_hour(10), limits::per_month(100)}, 0).long_end == end / 1us);
  }
}

BOOST_FIXTURE_TEST_CASE(aligned_periods_end_at_multiples_of_their_length_since_a_monday, asking_node) {
  auto const first = ask_under({limits::window{60, aligned_hour}, limits::per_week(100)});
  BOOST_TEST(first.short_end == noon + hour_us);
  BOOST_TEST(first.long_end == at(2026y / 6 / 8));
  now += 3 * hour_us / 2;
  auto const second = ask();
  BOOST_TEST(second.short_end == noon + 2 * hour_us);
  BOOST_TEST(second.short_used == 1u);
  BOOST_TEST(second.long_used == 2u);
  now = second.long_end;
  auto const third = ask();
  BOOST_TEST(third.long_end == at(2026y / 6 / 15));
  BOOST_TEST(third.long_used == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_long_period_begins_with_a_grant_and_ends_at_a_full_second, asking_node) {
  now += 123'456;
  BOOST_TEST(ask(0).long_end == 0);
  auto const begun = ask(60);
  BOOST_TEST(begun.long_end == noon + hour_us + 1'000'000);
  now += hour_us / 2;
  BOOST_TEST(ask(60).granted == 40u);
  auto const refused = ask(10);
  BOOST_TEST(refused.granted == 0u);
  BOOST_TEST(refused.announced_until == begun.long_end);
  now = begun.long_end - 1;
  BOOST_TEST(ask().granted == 0u);
  now = begun.long_end;
  BOOST_TEST(ask(0).long_end == 0);
  now += 5'000'000;
  auto const again = ask(1);
  BOOST_TEST(again.long_used == 1u);
  BOOST_TEST(again.long_end == now + hour_us);
}

BOOST_FIXTURE_TEST_CASE(a_period_that_a_request_began_stays_open_when_its_tokens_come_back, asking_node) {
  auto const begun = ask(10);
  next.short_count = next.long_count = 0;
  now += 30'000'000;
  auto const after = ask(0);
  BOOST_TEST(after.long_end == begun.long_end);
  BOOST_TEST(after.long_used == 0u);
  int const left_ms = std::stoi(redis.ask({"PTTL", "{a}"}));
  BOOST_TEST(left_ms > 3'560'000);
  BOOST_TEST(left_ms <= 3'575'000);
}

BOOST_FIXTURE_TEST_CASE(a_key_lives_as_long_as_its_month, asking_node) {
  ask_under({limits::per_second(10), limits::per_month(100)});
  auto const left_ms = std::stoll(redis.ask({"PTTL", "{a}"}));
  BOOST_TEST(left_ms > (at(2026y / 7 / 1) - noon) / 1'000);
  BOOST_TEST(left_ms <= (at(2026y / 7 / 1) - noon) / 1'000 + 5'000);
}

/// Of a minute and a day, a value is what it was before there were other windows.
BOOST_FIXTURE_TEST_CASE(a_value_of_a_minute_and_a_day_has_version_2, asking_node) {
  limits::plan const p{limits::per_minute(60), limits::per_day(1'000)};
  now = 0x06531f2e3d4c5b;
  number = 0x010203;
  auto const told = ask_under(p, 5);
  std::string expected{"\x02\x00", 2};
  auto const add = [&expected](std::int64_t n, int bytes) {
    for (; bytes > 0; --bytes, n >>= 8) expected.push_back(static_cast<char>(n & 0xff));
  };
  add(now + minute_us, 7), add(5, 5), add(now / day_us, 3), add(5, 6), add(now, 7);
  add(number, 6), add(1, 5), add(1, 5), add(5, 4), add(5, 6), add(0, 3), add(0, 1), add(now / 1'000'000, 4);
  BOOST_TEST((value() == expected));
  BOOST_TEST(told.long_end == (now / day_us + 1) * day_us);
}

BOOST_FIXTURE_TEST_CASE(a_value_of_other_windows_has_version_3_and_says_when_they_end, asking_node) {
  for (auto const& p : other_plans) {
    redis.ask({"DEL", "{a}"});
    next = {.generation = next.sequence + 1, .sequence = next.sequence};
    auto const told = ask_under(p, 5);
    BOOST_TEST(value().front() == 3);
    BOOST_TEST(value().size() == 34u + 34u);
    auto const stored = parse_stored(value());
    BOOST_REQUIRE(stored.has_value());
    BOOST_TEST(stored->short_end == told.short_end);
    BOOST_TEST(stored->short_used == 5u);
    BOOST_TEST(stored->long_end == told.long_end);
    BOOST_TEST(stored->long_used == (p.long_window ? 5u : 0u));
  }
}

BOOST_AUTO_TEST_CASE(a_value_that_is_cut_off_or_of_another_version_is_not_read) {
  std::string const two{"\x02", 1}, three{"\x03", 1};
  BOOST_TEST(parse_stored(two + std::string(29, '\0')).has_value());
  BOOST_TEST(!parse_stored(two + std::string(28, '\0')).has_value());
  BOOST_TEST(parse_stored(three + std::string(33, '\0')).has_value());
  BOOST_TEST(!parse_stored(three + std::string(32, '\0')).has_value());
  BOOST_TEST(!parse_stored("\x04" + std::string(60, '\0')).has_value());
  BOOST_TEST(!parse_stored("").has_value());
}

BOOST_AUTO_TEST_CASE(a_hash_with_a_day_that_none_can_be_is_not_read) {
  std::vector<std::string> const fields{"1780315260000000", "7", "9223372036854775807", "40", ""};
  BOOST_TEST(!parse_stored_1(fields).has_value());
}

/// The end of an open period stays, but it is at most as far away as a new one's.
BOOST_FIXTURE_TEST_CASE(another_plan_keeps_the_periods_that_are_open, asking_node) {
  limits::plan const daily{limits::per_minute(600), limits::per_day(100)};
  auto const begun = ask(30);  // an hour
  auto told = ask_under(daily, 1);
  BOOST_TEST(told.long_end == begun.long_end);
  BOOST_TEST(told.long_used == 31u);
  BOOST_TEST(value().front() == 3);  // a value of version 2 could not say when it ends
  now = begun.long_end;
  told = ask();
  BOOST_TEST(told.long_end == (noon / day_us + 1) * day_us);
  BOOST_TEST(told.long_used == 1u);
  BOOST_TEST(value().front() == 2);

  told = ask_under(hourly);
  BOOST_TEST(told.long_end == now + hour_us);
  BOOST_TEST(told.long_used == 2u);
  told = ask_under({limits::per_second(600), limits::per_month(100)});
  BOOST_TEST(told.short_end == now + 1'000'000);
  BOOST_TEST(told.short_used == 3u);
  BOOST_TEST(told.long_end == now + hour_us);
  BOOST_TEST(told.long_used == 3u);
  now += hour_us;
  BOOST_TEST(ask().long_end == at(2026y / 7 / 1));
  told = ask_under(daily);
  BOOST_TEST(told.long_end == (noon / day_us + 1) * day_us);
  BOOST_TEST(told.long_used == 2u);
}

BOOST_FIXTURE_TEST_CASE(a_plan_without_a_long_window_forgets_nothing_of_one, asking_node) {
  limits::plan const monthly{limits::per_minute(600), limits::per_month(100)};
  auto const begun = ask_under(monthly, 30);
  now += day_us;
  BOOST_TEST(ask_under({limits::per_minute(600)}).long_used == 30u);
  now += day_us;
  auto const told = ask_under(monthly);
  BOOST_TEST(told.long_end == begun.long_end);
  BOOST_TEST(told.long_used == 31u);
}

BOOST_FIXTURE_TEST_CASE(a_clock_that_is_set_back_opens_no_period_twice, asking_node) {
  auto const hour = ask(40);
  now -= 600'000'000;
  auto told = ask();
  BOOST_TEST(told.long_end == hour.long_end - 600'000'000);
  BOOST_TEST(told.long_used == 41u);
  BOOST_TEST(told.short_end == now + minute_us);

  // A month that was reached is not left again, unless the clock was wrong by more than a month.
  redis.ask({"DEL", "{a}"});
  limits::plan const monthly{limits::per_minute(600), limits::per_month(100)};
  now = at(2026y / 7 / 1);
  next = {.generation = next.sequence + 1, .sequence = next.sequence};
  BOOST_TEST(ask_under(monthly, 30).long_end == at(2026y / 8 / 1));
  now -= hour_us;
  told = ask();
  BOOST_TEST(told.long_end == at(2026y / 8 / 1));
  BOOST_TEST(told.long_used == 31u);
  now = at(2026y / 5 / 1);
  told = ask();
  BOOST_TEST(told.long_end == at(2026y / 6 / 1));
  BOOST_TEST(told.long_used == 32u);

  // Neither is an hour.
  redis.ask({"DEL", "{a}"});
  limits::plan const aligned{limits::window{600, aligned_hour}};
  now = noon;
  next = {.generation = next.sequence + 1, .sequence = next.sequence};
  BOOST_TEST(ask_under(aligned, 30).short_end == noon + hour_us);
  now -= 1'000'000;
  told = ask();
  BOOST_TEST(told.short_end == noon + hour_us);
  BOOST_TEST(told.short_used == 31u);
  now = noon + 1;
  BOOST_TEST(ask().short_used == 32u);
  now -= 3 * hour_us / 2;
  told = ask();
  BOOST_TEST(told.short_end == noon - hour_us);
  BOOST_TEST(told.short_used == 33u);
}

/// As after FLUSHALL: the claim opens the periods again, and earlier generations' debits count.
BOOST_FIXTURE_TEST_CASE(periods_that_the_server_lost_are_opened_again_by_claims, asking_node) {
  limits::plan const weekly{limits::per_hour(600), limits::window{100, std::chrono::days{7}}};
  auto const begun = ask_under(weekly, 30);
  now += 1'800'000'000;
  for (bool const is_of_this_generation : {true, false}) {
    redis.ask({"FLUSHALL"});
    next.born = 1;
    if (!is_of_this_generation) {
      ++next.generation;
      next.earlier_short_end = begun.short_end, next.earlier_short_count = 30;
      next.earlier_long_end = begun.long_end, next.earlier_long_count = 30;
      next.short_end = next.long_end = 0;
      next.short_count = next.long_count = 0;
    }
    auto told = ask(0);
    BOOST_TEST(told.short_end == begun.short_end);
    BOOST_TEST(told.short_used == 30u);
    BOOST_TEST(told.long_end == begun.long_end);
    BOOST_TEST(told.long_used == 30u);
    next.short_count = next.long_count = 30;
    next.earlier_short_count = next.earlier_long_count = 0;
    told = ask(1);
    BOOST_TEST(told.short_used == 31u);
    BOOST_TEST(told.long_used == 31u);
    next.short_count = next.long_count = 30;
    ask(0);
  }
}

/// A node that knows nothing was first, and has begun another week. What the others took of theirs counts in it.
BOOST_FIXTURE_TEST_CASE(a_claim_of_an_open_period_counts_in_the_one_that_was_opened_after_a_loss, asking_node) {
  limits::plan const weekly{limits::per_minute(600), limits::window{100, std::chrono::days{7}}};
  ask_under(weekly, 30);
  redis.ask({"FLUSHALL"});
  now += 120'000'000;
  acquisition const stranger{.generation = 1, .sequence = 1, .plan = weekly, .want = 5, .waiting = 5};
  auto const opened = parse_acquired(redis.acquire("{a}", 2, stranger, {}, now));
  BOOST_TEST(opened->long_used == 5u);
  auto const told = ask(2);
  BOOST_TEST(told.long_end == opened->long_end);
  BOOST_TEST(told.long_used == 37u);
  BOOST_TEST(ask(0).long_used == 37u);  // which is now claimed of that week
}

BOOST_FIXTURE_TEST_CASE(nodes_that_hold_tokens_of_an_hour_are_remembered_until_it_is_over, asking_node) {
  limits::plan const p{limits::per_hour(1'000)};
  next.plan = p;
  next.want = 10;
  ++next.sequence;
  auto const got = parse_acquired(redis.acquire("{a}", number, next, {}, now));
  BOOST_TEST_REQUIRE(got->granted == 10u);
  acquisition other{.generation = 1, .sequence = 1, .plan = p, .want = 1, .waiting = 1};
  for (int i = 0; i < 4; ++i) {
    now += 700'000'000;
    redis.acquire("{a}", 2, other, {}, now);
    ++other.sequence;
  }
  next.short_end = got->short_end, next.short_count = 3;  // seven of them were not used
  BOOST_TEST(ask(0).short_used == 4u);                    // with one of the other node
  now += 1'000'000'000;
  other.short_end = 0;
  redis.acquire("{a}", 2, other, {}, now);
  ++other.sequence;
  for (int i = 0; i < 3; ++i) {
    now += 400'000'000;
    redis.acquire("{a}", 2, other, {}, now);
    ++other.sequence;
  }
  BOOST_TEST(value().size() == 34u + 34u);  // it held nothing, and is forgotten
}

/// They know no such plan, so they have counted nothing of it.
BOOST_FIXTURE_TEST_CASE(under_other_windows_the_hash_of_version_1_is_left_alone, asking_node) {
  next.has_old_nodes = true;
  acquisition const old_call{.generation = 1, .sequence = 1, .plan = {limits::per_minute(60)}, .want = 7, .waiting = 7};
  BOOST_TEST(redis.acquire_1("{a}", "0123456789abcdef", old_call, now) == 7u);
  auto const hash = redis.ask({"HGETALL", "old:{a}"});
  BOOST_TEST(ask(3).long_used == 3u);
  BOOST_TEST(redis.ask({"HGETALL", "old:{a}"}) == hash);
  BOOST_TEST(ask_under({limits::per_minute(60)}).short_used == 11u);  // it is found by a plan of theirs
}

BOOST_AUTO_TEST_SUITE_END()
