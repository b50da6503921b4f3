// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/quota_watch.hpp"

#include <array>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "petstore/limits/account.hpp"
#include "petstore/limits/notice.hpp"
#include "service_fixture.hpp"
#include "support/on_threads.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(quota_watching)

namespace {

using namespace std::chrono_literals;
using percents = std::vector<unsigned>;

constexpr limits::ban_policy never{.strikes = 0};
constexpr std::chrono::sys_days today{std::chrono::days{20'778}};
constexpr limits::instant noon{limits::boot_time{2h}, today + 12h};

constexpr limits::instant later(limits::instant t, std::chrono::nanoseconds by) {
  return {t.boot + by, t.wall + by};
}

/// One account with a quota of a hundred tokens a day, and one thread that looks at its verdicts.
struct watched_account {
  void spend(std::uint32_t tokens) {
    last = account.charge(plan, never, *limits::cost::of(tokens), now);
    look();
  }
  void give_back() {
    last = account.refund(last, plan, now);
    look();
  }
  void look() { observer.look(payer(), 7, 3, last, {}); }
  ports::payer payer() {
    ports::payer who;
    who.kind = ports::payer::kind::identity;
    who.account = &account;
    who.plan = plan;
    return who;
  }
  percents told() const {
    percents all;
    for (auto const& event : events) all.push_back(event.percent);
    return all;
  }

  limits::plan plan{limits::per_minute(1'000), limits::per_day(100)};
  limits::account account;
  limits::instant now = noon;
  limits::verdict last;
  std::vector<quota_threshold> events;
  std::vector<std::string> log;
  metrics counters{1};
  quota_watch watch{[this](quota_threshold const& t) { events.push_back(t); },
                    [this](severity, std::string_view event, std::string_view detail, log_origin const&) {
                      log.push_back(std::string{event}.append(": ").append(detail));
                    }};
  quota_watch::observer observer{watch, counters.shard(0)};
};

BOOST_AUTO_TEST_CASE(each_mark_is_told_once_by_the_request_that_reaches_it) {
  watched_account a;
  for (int i = 0; i < 79; ++i) a.spend(1);
  BOOST_TEST(a.events.empty());
  a.spend(1);
  BOOST_REQUIRE(a.events.size() == 1u);
  auto const& event = a.events.front();
  BOOST_TEST(event.key == 7u);
  BOOST_TEST(event.identity == 3u);
  BOOST_TEST(limits::name_of(event.window) == "day");
  BOOST_TEST(event.percent == 80u);
  BOOST_TEST(event.limit == 100u);
  BOOST_TEST(event.used == 80u);
  BOOST_TEST((event.resets_at == today + 24h));
  for (int i = 0; i < 25; ++i) a.spend(1);  // the last five are refused
  BOOST_TEST(a.told() == (percents{80, 100}), boost::test_tools::per_element());
  BOOST_TEST(a.events.back().used == 100u);
}

BOOST_AUTO_TEST_CASE(an_event_has_a_line_and_a_count) {
  watched_account a;
  a.spend(85);
  BOOST_REQUIRE(a.log.size() == 1u);
  BOOST_TEST(a.log.front() ==
             "quota_threshold: k3 has used 80 % of its quota of the day: 85 of 100 tokens, by a request of k7");
  a.spend(15);
  auto const sums = a.counters.collect();
  BOOST_TEST(sums.count_of(counted::thresholds, 0) == 1u);
  BOOST_TEST(sums.count_of(counted::thresholds, 1) == 1u);
}

BOOST_AUTO_TEST_CASE(one_large_charge_reaches_both_marks) {
  watched_account a;
  a.spend(100);
  BOOST_TEST(a.told() == (percents{80, 100}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_cost_that_steps_over_a_mark_reaches_it) {
  watched_account a;
  for (int i = 0; i < 12; ++i) a.spend(7);
  BOOST_TEST(a.told() == percents{80}, boost::test_tools::per_element());
  BOOST_TEST(a.events.front().used == 84u);
}

BOOST_AUTO_TEST_CASE(the_next_day_tells_them_again) {
  watched_account a;
  a.spend(100);
  a.now = later(a.now, 24h);
  a.spend(80);
  BOOST_TEST(a.told() == (percents{80, 100, 80}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(tokens_that_were_given_back_and_are_used_again_tell_nothing) {
  watched_account a;
  a.spend(79);
  a.spend(1);
  a.give_back();
  a.spend(1);
  BOOST_TEST(a.told() == percents{80}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_quota_of_another_size_is_told_anew) {
  watched_account a;
  a.spend(90);
  a.plan = {limits::per_minute(1'000), limits::per_day(200)};
  a.spend(1);
  BOOST_TEST(a.events.size() == 1u);
  a.spend(70);  // 161 of 200
  BOOST_TEST(a.told() == (percents{80, 80}), boost::test_tools::per_element());
  a.plan = {limits::per_minute(1'000),
            limits::per_day(163)};  // a smaller one may be beyond a mark with its first request
  a.spend(1);
  BOOST_TEST(a.told() == (percents{80, 80, 80}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_an_earlier_process_has_told_is_told) {
  watched_account a;
  a.last = a.account.charge(a.plan, never, 85, a.now);
  a.watch.note_past(&a.account, a.account.observe(a.plan, a.now));
  a.spend(1);
  BOOST_TEST(a.events.empty());
  a.spend(14);
  BOOST_TEST(a.told() == percents{100}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_was_used_on_an_earlier_day_is_not_told_yet) {
  watched_account a;
  a.last = a.account.charge(a.plan, never, 100, a.now);
  a.now = later(a.now, 24h);
  a.watch.note_past(&a.account, a.account.observe(a.plan, a.now));
  a.spend(80);
  BOOST_TEST(a.told() == percents{80}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_request_that_ends_after_midnight_tells_nothing_again) {
  watched_account a;
  a.spend(80);
  auto const of_yesterday = a.last;
  a.now = later(a.now, 24h);
  a.spend(80);
  BOOST_TEST(a.events.size() == 2u);
  a.observer.look(a.payer(), 7, 3, of_yesterday, {});
  quota_watch::observer other{a.watch, a.counters.shard(0)};
  other.look(a.payer(), 7, 3, of_yesterday, {});
  BOOST_TEST(a.events.size() == 2u);
}

BOOST_AUTO_TEST_CASE(looking_at_a_quota_or_being_refused_tells_nothing) {
  watched_account a;
  a.last = a.account.charge(a.plan, never, 100, a.now);
  a.last = a.account.observe(a.plan, a.now);
  a.look();
  a.last = a.account.charge_inquiry(a.plan, a.now);
  a.look();
  a.last = a.account.charge(a.plan, never, a.now);
  a.look();
  BOOST_TEST(a.events.empty());
}

BOOST_AUTO_TEST_CASE(a_month_tells_its_marks_once_from_its_first_day_to_its_last) {
  watched_account a;
  a.plan = {limits::per_minute(1'000), limits::per_month(100)};
  a.now = {limits::boot_time{2h}, std::chrono::sys_days{2026y / 2 / 1}};
  a.spend(80);
  BOOST_REQUIRE(a.events.size() == 1u);
  BOOST_TEST(limits::name_of(a.events.front().window) == "month");
  BOOST_TEST((a.events.front().resets_at == std::chrono::sys_days{2026y / 3 / 1}));
  BOOST_TEST(a.log.front() ==
             "quota_threshold: k3 has used 80 % of its quota of the month: 80 of 100 tokens, by a request of k7");
  for (int day = 0; day < 27; ++day) {
    a.now = later(a.now, 24h);
    quota_watch::observer other{a.watch, a.counters.shard(0)};  // only what all threads share knows what was told
    a.last = a.account.charge(a.plan, never, 1, a.now);
    if (day < 19) other.look(a.payer(), 7, 3, a.last, {});
  }
  BOOST_TEST(a.told() == percents{80}, boost::test_tools::per_element());
  a.now = later(a.now, 24h);  // the first of March
  a.spend(80);
  BOOST_TEST(a.told() == (percents{80, 80}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(accounts_of_a_month_and_of_a_day_are_told_side_by_side) {
  watched_account a;
  limits::account of_month;
  limits::plan const monthly{limits::per_minute(1'000), limits::per_month(100)};
  ports::payer who;
  who.kind = ports::payer::kind::identity;
  who.account = &of_month;
  auto const spend_monthly = [&](std::uint32_t tokens) {
    quota_watch::observer other{a.watch, a.counters.shard(0)};
    other.look(who, 8, 4, of_month.charge(monthly, never, *limits::cost::of(tokens), a.now), {});
  };
  spend_monthly(80);
  a.spend(80);
  a.now = later(a.now, 24h);
  a.spend(80);  // the month's account, whose period ends later, neither hides this nor is forgotten with yesterday
  spend_monthly(1);
  BOOST_TEST(a.told() == (percents{80, 80, 80}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_hour_that_began_with_a_request_is_one_period_although_clocks_differ_a_little) {
  watched_account a;
  a.plan = {limits::per_minute(1'000), limits::per_hour(100)};
  a.spend(80);
  for (auto const drift : {-1'500ms, 1'500ms, 700ms, -30'000ms}) {
    a.now = {a.now.boot + 1min, a.now.wall + 1min + drift};
    a.spend(1);
    quota_watch::observer other{a.watch, a.counters.shard(0)};
    other.look(a.payer(), 7, 3, a.last, {});
  }
  BOOST_TEST(a.told() == percents{80}, boost::test_tools::per_element());
  BOOST_TEST(a.log.front() ==
             "quota_threshold: k3 has used 80 % of its quota of the hour: 80 of 100 tokens, by a request of k7");
  a.now = later(a.now, 56min);  // the next hour has begun
  a.spend(80);
  BOOST_TEST(a.told() == (percents{80, 80}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_window_of_another_length_is_told_anew) {
  watched_account a;
  a.spend(90);
  a.plan = {limits::per_minute(1'000), limits::per_month(100)};  // what was used today stays used
  a.spend(1);
  BOOST_TEST(a.told() == (percents{80, 80}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_period_that_is_over_for_hours_is_forgotten_without_another_event_of_its_account) {
  watched_account a;
  a.plan = {limits::per_minute(1'000), limits::per_hour(100)};
  a.spend(80);
  auto const of_long_ago = a.last;
  a.now = later(a.now, 5h);
  limits::account fresh;
  ports::payer who;
  who.kind = ports::payer::kind::identity;
  who.account = &fresh;
  a.observer.look(who, 8, 4, fresh.charge(a.plan, never, 80, a.now), {});
  BOOST_TEST(a.events.size() == 2u);
  quota_watch::observer other{a.watch, a.counters.shard(0)};
  other.look(a.payer(), 7, 3, of_long_ago, {});  // told again: nothing is known of it any more
  BOOST_TEST(a.events.size() == 3u);
}

BOOST_AUTO_TEST_CASE(identities_without_an_account_that_stays_are_told_apart) {
  watched_account a;
  for (std::uint64_t const identity : {1u, 2u, 1u}) {
    ports::payer who;
    who.kind = ports::payer::kind::identity;
    who.identity = identity;
    limits::account found;
    a.observer.look(who, identity, identity, found.charge(a.plan, never, 80, a.now), {});
  }
  BOOST_REQUIRE(a.events.size() == 2u);
  BOOST_TEST(a.events[0].identity == 1u);
  BOOST_TEST(a.events[1].identity == 2u);
}

BOOST_AUTO_TEST_CASE(a_plan_without_a_long_window_has_no_marks) {
  watched_account a;
  a.plan = {limits::per_minute(10)};
  for (int i = 0; i < 10; ++i) a.spend(1);
  BOOST_TEST(a.events.empty());
}

/// Each thread has an observer of its own, and all spend from the same accounts.
BOOST_AUTO_TEST_CASE(threads_together_tell_each_mark_once) {
  constexpr int threads = 4;
  constexpr std::size_t accounts = 300;  // more than an observer remembers
  constexpr limits::plan plan{limits::per_minute(10'000), limits::per_day(100)};
  std::vector<limits::account> all(accounts);
  std::array<std::vector<std::atomic<int>>, 2> told{std::vector<std::atomic<int>>(accounts),
                                                    std::vector<std::atomic<int>>(accounts)};
  quota_watch watch{[&](quota_threshold const& t) { ++told[t.percent == 100 ? 1 : 0][t.identity]; }, {}};
  metrics counters{threads};
  tests::on_threads(threads, [&](int number) {
    quota_watch::observer observer{watch, counters.shard(static_cast<std::size_t>(number))};
    for (int round = 0; round < 40; ++round) {
      for (std::size_t i = 0; i < accounts; ++i) {
        ports::payer who;
        who.kind = ports::payer::kind::identity;
        who.account = &all[i];
        who.plan = plan;
        observer.look(who, i + 1, i, all[i].charge(plan, never, noon), {});
      }
    }
  });
  for (auto const& mark : told)
    for (auto const& count : mark) BOOST_TEST(count == 1);
  BOOST_TEST(counters.collect().count_of(counted::thresholds, 0) == accounts);
  BOOST_TEST(counters.collect().count_of(counted::thresholds, 1) == accounts);
}

BOOST_AUTO_TEST_CASE(a_key_of_the_service_tells_when_its_day_runs_out) {
  service_fixture s;
  auto const key = s.make_key("business", key_scope::write, {}, 100, 10);
  for (int i = 0; i < 12; ++i) s.get("/v1/pets", key);
  BOOST_REQUIRE(s.thresholds.size() == 2u);
  BOOST_TEST(s.thresholds[0].percent == 80u);
  BOOST_TEST(s.thresholds[0].used == 8u);
  BOOST_TEST(s.thresholds[0].key == 1u);
  BOOST_TEST(s.thresholds[1].percent == 100u);
  BOOST_TEST(s.counters.collect().count_of(counted::thresholds, 0) == 1u);
  BOOST_REQUIRE(s.log.size() == 2u);
  BOOST_TEST(s.log.front() ==
             "quota_threshold: k1 has used 80 % of its quota of the day: 8 of 10 tokens, by a request "
             "of k1 [test-request]");
}

BOOST_AUTO_TEST_CASE(a_request_that_costs_nothing_after_all_reaches_no_mark) {
  service_fixture s;
  auto const key = s.make_key("business", key_scope::write, {}, 100, 5);
  for (int i = 0; i < 3; ++i) s.get("/v1/pets", key);
  s.fail_store_with(error{errc::internal, {}, {}});
  s.get("/v1/pets", key);  // 500: the token is given back
  BOOST_TEST(s.thresholds.empty());
  s.fail_store_with({});
  s.get("/v1/pets", key);
  BOOST_TEST(s.thresholds.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_reset_quota_tells_its_marks_again) {
  service_fixture s;
  auto const key = s.make_key("business", key_scope::write, {}, 100, 5);
  for (int i = 0; i < 5; ++i) s.get("/v1/pets", key);
  BOOST_TEST(s.thresholds.size() == 2u);
  s.change_keys(reset_quota{1});
  for (int i = 0; i < 5; ++i) s.get("/v1/pets", key);
  BOOST_TEST(s.thresholds.size() == 4u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
