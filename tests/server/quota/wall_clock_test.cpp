// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// What hangs on the wall clock while that is set under a running source of quotas.
#include <boost/test/unit_test.hpp>
#include <mutex>
#include <thread>

#include "petstore/limits/notice.hpp"
#include "petstore/quota/local.hpp"
#include "support/temporary_directory.hpp"
#include "support/virtual_clock.hpp"
#include "wall_clock_watch.hpp"

BOOST_AUTO_TEST_SUITE(quota_wall_clock)

using namespace petstore;
using namespace petstore::quota;
using namespace std::chrono_literals;
using limits::instant;

namespace {

constexpr instant noon = petstore::tests::virtual_clock::start;
constexpr std::chrono::seconds wrong_year{4'086'828'000};  // 2099-07-04T06:00:00Z
constexpr limits::plan plan_of_three{limits::per_minute(60), limits::per_day(3)};

instant later(std::chrono::nanoseconds time) {
  return petstore::tests::virtual_clock{}.later(time);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_clock_is_believed_when_it_was_left_alone_for_a_day) {
  wall_clock_watch watch(noon);
  BOOST_TEST(!watch.is_believed(later(24h - 1s)));
  BOOST_TEST(watch.is_believed(later(24h)));
  for (std::chrono::nanoseconds const step : {std::chrono::nanoseconds{-30s}, std::chrono::nanoseconds{500'000h}}) {
    instant const set{.boot = noon.boot + 30h, .wall = noon.wall + 30h + step};
    BOOST_TEST(!watch.is_believed(set));
    BOOST_TEST(!watch.is_believed({.boot = set.boot + 23h, .wall = set.wall + 23h}));
    BOOST_TEST(watch.is_believed({.boot = set.boot + 24h, .wall = set.wall + 24h}));
  }
}

/// A source that runs, with a clock that the case sets.
struct running {
  petstore::tests::temporary_directory directory;
  std::thread::id const own = std::this_thread::get_id();
  std::mutex mutable mutex;
  instant shown = noon;
  int readings = 0;  ///< by the background thread
  std::unique_ptr<local_quota> quotas = open_local_quota({.directory = directory.path() / "quota",
                                                          .bans = {},
                                                          .addresses_max = 16,
                                                          .write_interval = 1ms,
                                                          .clock = [this] { return read(); },
                                                          .report = {}});

  instant now() const {
    std::lock_guard const lock(mutex);
    return shown;
  }
  instant read() {
    std::lock_guard const lock(mutex);
    if (std::this_thread::get_id() != own) ++readings;
    return shown;
  }
  /// Returns when the background thread has done what it does about it: it reads the clock a few times in a turn.
  void show(instant at) {
    constexpr int readings_in_two_turns = 10;
    std::unique_lock lock(mutex);
    shown = at;
    for (int const until = readings + readings_in_two_turns; readings < until;) {
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
    }
  }
  limits::account& account() { return quotas->account_of(1, plan_of_three); }
  limits::notice charge() { return tell(account().charge(plan_of_three, {}, now())); }
};

BOOST_FIXTURE_TEST_CASE(a_key_is_not_locked_by_a_year_that_was_wrong_for_a_moment, running) {
  show({.boot = noon.boot, .wall = limits::wall_time{wrong_year}});
  for (int i = 0; i < 3; ++i) BOOST_TEST(charge().admitted());
  show(noon);
  BOOST_TEST(charge().retry_after_s > 86'400);
  show(later(23h));
  BOOST_TEST(charge().retry_after_s > 86'400);
  show(later(24h));
  BOOST_TEST(charge().long_window.used == 3u);  // nothing was granted
  BOOST_TEST(charge().retry_after_s == 12 * 3'600);
  show(later(36h));
  BOOST_TEST(charge().admitted());
}

BOOST_FIXTURE_TEST_CASE(an_operators_ban_follows_a_clock_that_is_set, running) {
  show({.boot = noon.boot, .wall = limits::wall_time{10s}});
  quotas->impose_ban(1, noon.wall + 10min, now());
  BOOST_TEST(account().banned(later(1'000h)));
  show(noon);
  BOOST_TEST(!account().banned(later(10min)));
  BOOST_TEST(account().banned(later(10min - 1s)));
  quotas->lift_ban(1, noon.wall, noon);
  BOOST_TEST(!account().banned(noon));
}

BOOST_AUTO_TEST_CASE(without_records_an_operators_ban_follows_a_clock_that_is_set_with_the_next_charge) {
  instant const wrong{.boot = noon.boot, .wall = limits::wall_time{10s}};
  auto const quotas = make_local_quota({.directory = {},
                                        .bans = {},
                                        .addresses_max = 16,
                                        .write_interval = 1ms,
                                        .clock = [wrong] { return wrong; },
                                        .report = {}});
  quotas->impose_ban(1, noon.wall + 10min, wrong);
  auto const who = quotas->payer_of(1, plan_of_three);
  auto const is_banned = [&](instant at) { return quotas->observe(who, at).decision == limits::decision::banned; };
  BOOST_TEST(is_banned({.boot = noon.boot + 1'000h, .wall = wrong.wall + 1'000h}));
  BOOST_TEST(is_banned(later(10min - 1s)));
  BOOST_TEST(!is_banned(later(10min)));
}

BOOST_AUTO_TEST_SUITE_END()
