// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// What several threads do to one limiter at once. Also run under ThreadSanitizer.
#include <array>
#include <atomic>
#include <barrier>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "clock.hpp"
#include "petstore/limits/limiter.hpp"
#include "petstore/limits/saved_limiter.hpp"
#include "support/on_threads.hpp"

using namespace petstore::limits;
using petstore::tests::on_threads;
using namespace std::chrono_literals;

namespace {

constexpr int thread_count = 4;

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_limiter_threads, virtual_clock)

BOOST_AUTO_TEST_CASE(exactly_the_quota_of_each_identity_passes_whoever_makes_its_entry) {
  constexpr int identities = 300;
  limiter<int> l({.plan = {per_minute(40)}, .identities_max = 4'096});
  std::array<std::atomic<unsigned>, identities> admitted{};
  on_threads(thread_count, [&](int) {
    for (int round = 0; round < 20; ++round)
      for (int key = 0; key < identities; ++key)
        if (l.charge(key, 1, now).admitted()) ++admitted[static_cast<std::size_t>(key)];
  });
  for (auto const& count : admitted) BOOST_TEST_REQUIRE(count == 40u);
  BOOST_TEST(l.figures().shared == 0u);
}

BOOST_AUTO_TEST_CASE(mixed_costs_of_one_identity_add_up_to_its_quota) {
  limiter<std::string> l({.plan = {per_minute(10'000)}});
  std::atomic<std::uint64_t> taken{0};
  on_threads(thread_count, [&](int n) {
    cost const mine = *cost::of(static_cast<std::uint64_t>(n) + 1);
    for (int i = 0; i < 20'000; ++i)
      if (l.charge("ann", mine, now).admitted()) taken += mine.tokens();
  });
  BOOST_TEST(taken == 10'000u);  // whoever takes one token takes the last ones
}

BOOST_AUTO_TEST_CASE(reservations_that_come_and_go_leave_the_quota_whole) {
  limiter<int> l({.plan = {per_minute(1'000), per_day(50'000)}});
  std::atomic<std::uint64_t> kept{0};
  on_threads(thread_count, [&](int n) {
    auto const clock = [this] { return now; };
    for (int i = 0; i < 2'000; ++i) {
      auto held = l.reserve(i % 3, 7, clock);
      if (n == 0 && i % 10 == 0 && held.admitted()) {
        held.commit(1);
        ++kept;
      }
    }
  });
  std::uint64_t used = 0;
  for (int key = 0; key < 3; ++key) used += 1'000 - tell(l.peek(key, 1, now)).short_window.remaining;
  BOOST_TEST(used == kept);
}

/// A table that is far too small, whose entries change hands all the time while others use them: nobody is charged for
/// somebody else. Each thread has identities of its own, so what each account did is known exactly.
BOOST_AUTO_TEST_CASE(an_entry_that_changes_hands_takes_no_charge_for_another) {
  limiter<int> l({.plan = {per_minute(3)}, .identities_max = 8});
  std::atomic<std::uint64_t> wrong{0};
  on_threads(thread_count, [&](int n) {
    std::mt19937 random(static_cast<unsigned>(n));
    virtual_clock mine{now};
    for (int i = 0; i < 20'000; ++i) {
      mine.pass(61s);  // what was used a moment ago may be forgotten
      int const key = n * 1'000 + static_cast<int>(random() % 20);
      auto const clock = [&mine] { return mine.now; };
      auto held = l.reserve(key, 2, clock);
      if (!held.admitted()) continue;
      // Of an account of its own it is the only user: two tokens are used, unless strangers share it.
      if (tell(held.verdict()).short_window.remaining > 1) ++wrong;
      held.commit();
    }
  });
  BOOST_TEST(wrong == 0u);
  BOOST_TEST(l.figures().evicted > 100u);
  BOOST_TEST(l.figures().identities <= 8u);
}

BOOST_AUTO_TEST_CASE(each_charge_is_decided_under_one_of_the_plans_that_follow_each_other) {
  constexpr int identities = 300;
  constexpr plan small{per_minute(40), per_day(4'000)};
  constexpr plan large{.short_window = per_minute(60), .long_window = per_day(6'000), .short_refill = refill::periodic};
  limiter<int> l({.plan = small, .identities_max = 4'096});
  std::array<std::atomic<unsigned>, identities> admitted{};
  std::atomic<unsigned> mixed{0};
  on_threads(thread_count, [&](int n) {
    for (int round = 0; round < 60; ++round)
      for (int key = 0; key < identities; ++key) {
        if (n == 0) BOOST_REQUIRE(!l.set_plan(0, key % 2 == 0 ? large : small));
        verdict const v = l.charge(key, now);
        if (v.plan != small && v.plan != large) ++mixed;
        if (v.admitted()) ++admitted[static_cast<std::size_t>(key)];
      }
  });
  BOOST_TEST(mixed == 0u);
  for (auto const& count : admitted) BOOST_TEST_REQUIRE((40u <= count && count <= 60u));
}

BOOST_AUTO_TEST_CASE(snapshots_and_figures_may_be_asked_for_while_others_charge) {
  limiter<int> l({.plan = {per_minute(5), per_day(1'000)}, .identities_max = 64});
  on_threads(thread_count, [&](int n) {
    for (int i = 0; i < 300; ++i) {
      if (n == 0) {
        for (auto const& saved : l.snapshot(now)) BOOST_REQUIRE(saved.account.short_used <= 5u);
        (void)l.figures();
      } else {
        (void)l.charge(i % 100, now + i * 1s);
        l.enforce(i % 2 == 0 ? enforcement::shadow : enforcement::enforced);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(what_is_saved_while_others_charge_has_no_more_than_they_took) {
  limiter<int> l({.plan = {per_minute(1'000), per_day(100'000)}, .identities_max = 64});
  on_threads(thread_count, [&](int n) {
    for (int i = 0; i < 1'000; ++i) {
      if (n != 0) {
        (void)l.charge(i % 10, now);
        continue;
      }
      if (i % 10 != 0) continue;
      limiter<int> copy({.plan = {per_minute(1'000)}, .identities_max = 64});
      BOOST_REQUIRE(!load(copy, save(l, now), now).failed);
      for (int key = 0; key < 10; ++key)
        BOOST_REQUIRE(tell(copy.peek(key, 1, now)).short_window.remaining >= 1'000 - 100u * (thread_count - 1));
    }
  });
  limiter<int> copy({.plan = {per_minute(1'000)}, .identities_max = 64});
  BOOST_TEST(!load(copy, save(l, now), now).failed);
  for (int key = 0; key < 10; ++key)
    BOOST_TEST(tell(copy.peek(key, 1, now)).short_window.remaining == 1'000 - 100u * (thread_count - 1));
}

BOOST_AUTO_TEST_SUITE_END()
