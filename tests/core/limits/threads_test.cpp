// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Real threads on real words: what ThreadSanitizer looks at, and what no count of tokens may contradict.
#include <atomic>
#include <barrier>
#include <functional>
#include <thread>
#include <vector>

#include "clock.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/address_table.hpp"
#include "petstore/limits/notice.hpp"
#include "support/on_threads.hpp"

using namespace petstore::limits;
using petstore::tests::on_threads;
using namespace std::chrono_literals;

namespace {

constexpr int charging_threads = 4;

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_threads, virtual_clock)

BOOST_AUTO_TEST_CASE(exactly_the_tokens_there_are_are_admitted) {
  for (plan const& p : {plan{per_minute(5'000), per_day(100'000)}, plan{per_minute(100'000), per_day(5'000)},
                        plan{per_minute(5'000), per_day(5'000)}}) {
    account a;
    std::atomic<int> admitted = 0;
    std::atomic<int> refused_with_both = 0;
    on_threads(charging_threads, [&](int) {
      for (int i = 0; i < 3'000; ++i) {
        notice const v = tell(a.charge(p, no_bans, now));
        if (v.admitted())
          ++admitted;
        else if (v.short_window.remaining > 0 && v.long_window.remaining > 0)
          ++refused_with_both;
      }
    });
    BOOST_TEST(admitted == 5'000);
    BOOST_TEST(refused_with_both == 0);
    notice const after = tell(a.observe(p, now));
    BOOST_TEST(after.short_window.used == 5'000u);
    BOOST_TEST(after.long_window.used == 5'000u);
  }
}

BOOST_AUTO_TEST_CASE(charges_and_refunds_add_up) {
  plan const p{per_minute(1'000), per_day(2'000)};
  account a;
  std::atomic<std::int64_t> kept = 0;
  on_threads(charging_threads, [&](int thread) {
    for (int i = 0; i < 3'000; ++i) {
      verdict const v = a.charge(p, no_bans, now);
      if (!v.admitted()) continue;
      if (i % 3 == thread % 3)
        a.refund(v, p, now);
      else
        ++kept;
    }
  });
  notice const after = tell(a.observe(p, now));
  BOOST_TEST(after.short_window.used == static_cast<std::uint64_t>(kept));
  BOOST_TEST(after.long_window.used == static_cast<std::uint64_t>(kept));
}

BOOST_AUTO_TEST_CASE(no_period_is_overdrawn_while_periods_end) {
  plan const p{per_minute(100), per_day(1'000'000)};
  account a;
  std::vector<std::atomic<int>> admitted_until(40);
  std::int64_t const begin_s = now.wall.time_since_epoch() / 1s;
  on_threads(charging_threads, [&](int) {
    virtual_clock mine{now};
    for (int i = 0; i < 6'000; ++i) {
      mine.pass(100ms);
      notice const v = tell(a.charge(p, no_bans, mine.now));
      if (v.admitted()) ++admitted_until[static_cast<std::size_t>((v.short_window.reset_unix_s - begin_s) / 60)];
    }
  });
  // The threads run apart from each other in virtual time, so a period may open late; none holds more than its quota.
  for (auto const& count : admitted_until) BOOST_TEST(count <= 2 * 100);
  BOOST_TEST(tell(a.observe(p, now)).long_window.used <= 11u * 100u);
}

BOOST_AUTO_TEST_CASE(a_ban_begins_once_under_fire) {
  plan const p{per_minute(60), per_day(1)};
  ban_policy const policy{.strikes = 50};
  account a;
  (void)a.charge(p, policy, now);
  (void)a.charge(p, policy, now);
  pass(policy.grace);
  std::atomic<int> banned = 0;
  on_threads(charging_threads, [&](int) {
    for (int i = 0; i < 500; ++i)
      if (a.charge(p, policy, now).decision == decision::banned) ++banned;
  });
  BOOST_TEST(banned >= charging_threads * 500 - 50 - charging_threads);
  saved_account const saved = a.save(p, now);
  BOOST_TEST(saved.ban_until_unix_ms == (now.wall + 60s).time_since_epoch() / 1ms);  // not doubled
  BOOST_TEST(saved.bans_begun_unix_ms[0] == now.wall.time_since_epoch() / 1ms);
  BOOST_TEST(saved.bans_begun_unix_ms[1] == 0);
}

BOOST_AUTO_TEST_CASE(everything_at_once) {
  plan const p{per_minute(50), per_day(5'000)};
  ban_policy const policy{.strikes = 5, .grace = 0ms, .base = 100ms, .max = 2s};
  account a;
  on_threads(charging_threads, [&](int thread) {
    virtual_clock mine{now};
    for (int i = 0; i < 3'000; ++i) {
      mine.pass(10ms);
      verdict const v = a.charge(p, policy, mine.now);
      if (v.admitted() && i % 7 == 0) a.refund(v, p, mine.now);
      if (i % 50 == thread) (void)a.charge_inquiry(p, mine.now);
      if (i % 97 == thread) a.lift_ban();
      if (i % 101 == thread) a.impose_ban(mine.now.wall + 20ms, mine.now);
      if (i % 11 == 0) (void)a.save(p, mine.now);
      if (i % 13 == 0) (void)a.forgettable(p, mine.now);
    }
  });
  BOOST_TEST(tell(a.observe(p, later(30s))).long_window.used <= 5'000u);
}

BOOST_AUTO_TEST_CASE(a_small_table_under_many_addresses_overdraws_nobody) {
  plan const p{per_minute(20)};
  address_table table(64, 1);
  std::vector<std::atomic<int>> admitted(200);
  on_threads(charging_threads, [&](int) {
    for (int i = 0; i < 6'000; ++i) {
      auto const n = static_cast<std::size_t>(i) % admitted.size();
      address a;
      a.bytes[3] = static_cast<unsigned char>(n);
      if (table.charge(a, p, no_bans, now).admitted()) ++admitted[n];
    }
  });
  for (auto const& count : admitted) BOOST_TEST(count <= 20);
  BOOST_TEST(table.size() == 64u);
}

BOOST_AUTO_TEST_SUITE_END()
