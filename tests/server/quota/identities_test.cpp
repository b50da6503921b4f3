// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Identities that come and go: their accounts are forgotten, and nothing else.
#include "identities.hpp"

#include <array>
#include <atomic>
#include <barrier>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "petstore/limits/notice.hpp"
#include "petstore/ports/current_bans.hpp"
#include "petstore/quota/local_quota.hpp"
#include "support/eventually.hpp"

namespace petstore::quota {
namespace {

using namespace std::chrono_literals;
using limits::tell;
using limits::verdict;

/// Two hours after boot, in the middle of a day.
constexpr limits::instant start{limits::boot_time{2h},
                                limits::wall_time{std::chrono::sys_days{std::chrono::days{20'000}}} + 12h};
constexpr limits::plan of_a_minute{limits::per_minute(5)};
constexpr limits::plan of_a_day{limits::per_minute(5), limits::per_day(20)};
constexpr limits::ban_policy strict{.strikes = 1, .grace = 0ms};

/// A clock that threads read while the case sets it.
class set_clock {
 public:
  limits::instant now() const { return start + passed_.load(); }
  void pass(std::chrono::nanoseconds time) { passed_ = passed_.load() + time; }
  std::function<limits::instant()> function() const {
    return [this] { return now(); };
  }

 private:
  std::atomic<std::chrono::nanoseconds> passed_{0ns};
};

struct some_identities {
  explicit some_identities(identities::forgetting how = identities::forgetting::by_visits, std::size_t most = 1'000'000)
      : all{bans, clock.function(), how, most} {}

  verdict charge(std::uint64_t identity, limits::plan const& p = of_a_minute) {
    return all.use(identity, p, clock.now(), [&](limits::account& a) { return a.charge(p, bans.get(), clock.now()); });
  }
  verdict observe(std::uint64_t identity, limits::plan const& p = of_a_minute) {
    return all.use(identity, p, clock.now(), [&](limits::account& a) { return a.observe(p, clock.now()); });
  }
  /// As a writer without a disk.
  void forget() {
    all.for_each([this](identities::visited const& one) {
      return identities::counts_nothing(one.owner->account.save(one.plan, clock.now()), clock.now());
    });
  }
  std::set<std::uint64_t> known() {
    std::set<std::uint64_t> numbers;
    all.for_each([&](identities::visited const& one) {
      BOOST_TEST(numbers.insert(one.owner->identity).second);
      return false;
    });
    return numbers;
  }

  set_clock clock;
  ports::current_bans bans{strict};
  identities all;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(quota_identities)

BOOST_FIXTURE_TEST_CASE(an_account_is_forgotten_a_minute_after_nothing_of_it_counts, some_identities) {
  BOOST_TEST(charge(7).admitted());
  clock.pass(120s);
  forget();
  BOOST_TEST(known().size() == 1u);
  clock.pass(1s);
  forget();
  BOOST_TEST(known().empty());
  BOOST_TEST(tell(charge(7)).short_window.remaining == 4u);
}

BOOST_FIXTURE_TEST_CASE(an_account_with_a_day_is_forgotten_an_hour_after_it, some_identities) {
  BOOST_TEST(charge(7, of_a_day).admitted());
  clock.pass(12h + 59min);
  forget();
  BOOST_TEST(known().size() == 1u);
  clock.pass(3min);
  forget();
  BOOST_TEST(known().empty());
}

BOOST_FIXTURE_TEST_CASE(an_account_in_use_is_not_forgotten, some_identities) {
  for (int i = 0; i < 5; ++i) BOOST_TEST(charge(7).admitted());
  clock.pass(90s);
  (void)observe(7);
  clock.pass(50s);
  forget();
  BOOST_TEST(known().size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(in_the_first_minute_after_boot_nothing_has_been_unused_for_a_minute, some_identities) {
  clock.pass(5s - start.boot.time_since_epoch());
  (void)observe(7);
  forget();
  BOOST_TEST(known().size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_ban_is_remembered_for_a_day_after_it_began, some_identities) {
  for (int i = 0; i < 7; ++i) (void)charge(7);
  BOOST_TEST((charge(7).decision == limits::decision::banned));
  clock.pass(23h + 59min);
  forget();
  BOOST_TEST(known().size() == 1u);
  clock.pass(3min);
  forget();
  BOOST_TEST(known().empty());
}

BOOST_FIXTURE_TEST_CASE(an_account_that_was_handed_out_stays, some_identities) {
  limits::account* const kept = &all.account_of(1, of_a_minute, 0);
  limits::account* const reset = &all.account_of(2, of_a_minute, 3);
  limits::account* const banned = &all.account_of(3);
  (void)charge(4);
  limits::account* const later_kept = &all.account_of(4, of_a_minute, 0);
  (void)charge(5);
  clock.pass(24h);
  forget();
  BOOST_TEST((known() == std::set<std::uint64_t>{1, 2, 3, 4}));
  BOOST_TEST(&all.account_of(1) == kept);
  BOOST_TEST(&all.account_of(2) == reset);
  BOOST_TEST(&all.account_of(3) == banned);
  BOOST_TEST(&all.account_of(4) == later_kept);
}

BOOST_FIXTURE_TEST_CASE(a_number_of_resets_from_the_disk_is_not_forgotten, some_identities) {
  all.restore_later(7, {.account = {}, .resets = 2});
  (void)charge(7);
  clock.pass(24h);
  forget();
  BOOST_TEST(known().size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_walk_visits_each_identity_once_whatever_it_forgets, some_identities) {
  for (std::uint64_t n = 0; n < 3'000; ++n) (void)charge(n);
  clock.pass(1h);
  for (std::uint64_t n = 0; n < 3'000; n += 3) (void)charge(n);
  std::set<std::uint64_t> visited;
  all.for_each([&](identities::visited const& one) {
    BOOST_TEST(visited.insert(one.owner->identity).second);
    return true;
  });
  BOOST_TEST(visited.size() == 3'000u);
  auto const left = known();
  BOOST_TEST(left.size() == 1'000u);
  for (std::uint64_t const n : left) BOOST_TEST(n % 3 == 0u);
}

BOOST_AUTO_TEST_CASE(without_a_writer_new_identities_displace_those_that_do_not_come_any_more) {
  some_identities s{identities::forgetting::by_new_ones};
  for (std::uint64_t n = 0; n < 100'000; ++n) {
    (void)s.charge(n);
    s.clock.pass(12ms);  // 10,000 identities in the two minutes until one is forgotten
  }
  BOOST_TEST(s.known().size() >= 10'000u);
  BOOST_TEST(s.known().size() <= 14'000u);
  BOOST_TEST(tell(s.observe(99'999)).short_window.remaining == 4u);
}

/// In each round the threads charge the same identities more often than their quotas allow, and give some tokens back.
/// A minute and a half lies between two rounds, so what one round leaves is forgotten during the next.
template <class Charge, class Refund, class Used>
void charge_in_rounds(set_clock& clock, Charge charge, Refund refund, Used used_by) {
  constexpr std::uint64_t customers = 96;
  constexpr int rounds = 60, attempts = 4, charging_threads = 2;
  std::array<std::atomic<int>, customers> admitted{};
  int wrong = 0;
  auto const next_round = [&]() noexcept {
    for (std::uint64_t n = 0; n < customers; ++n)
      if (int const net = admitted[n].exchange(0); net != 5 || used_by(n) != 5u) ++wrong;
    clock.pass(150s);
  };
  std::barrier round{charging_threads, next_round};
  auto const work = [&](int seed) {
    for (int r = 0; r < rounds; ++r) {
      for (int i = 0; i < attempts; ++i)
        for (std::uint64_t n = 0; n < customers; ++n) {
          std::uint64_t const who = seed == 0 ? n : customers - 1 - n;
          verdict const v = charge(who);
          if (!v.admitted()) continue;
          if ((static_cast<int>(who) + i + r) % 7 != 0) {
            ++admitted[who];
            continue;
          }
          refund(who, v);
          if (charge(who).admitted()) ++admitted[who];
        }
      round.arrive_and_wait();
    }
  };
  {
    std::jthread const first{work, 0};
    std::jthread const second{work, 1};
  }
  BOOST_TEST(wrong == 0);
}

BOOST_FIXTURE_TEST_CASE(accounts_that_threads_charge_while_they_are_forgotten_count_exactly, some_identities) {
  bans.set({.strikes = 0});
  std::jthread const forgetting{[this](std::stop_token const& stop) {
    while (!stop.stop_requested()) forget();
  }};
  charge_in_rounds(
      clock, [this](std::uint64_t n) { return charge(n); },
      [this](std::uint64_t n, verdict const& v) {
        (void)all.use_charged(n, of_a_minute, v.at, [&](limits::account& a) {
          return a.refund(v, of_a_minute, clock.now(), limits::charged_account::likely);
        });
      },
      [this](std::uint64_t n) { return tell(observe(n)).short_window.used; });
}

namespace {

/// Records in memory, which the case may read.
class records_in_memory final : public quota_records {
 public:
  struct disk {
    std::mutex mutex;
    std::map<std::string, std::string, std::less<>> records;

    std::size_t size() {
      std::lock_guard const lock(mutex);
      return records.size();
    }
  };
  explicit records_in_memory(disk& d) : disk_{d} {}

  void read_all(std::function<void(std::string_view, std::string_view)> const& visit) override {
    std::lock_guard const lock(disk_.mutex);
    for (auto const& [key, value] : disk_.records) visit(key, value);
  }
  void write(std::span<change const> changes) override {
    std::lock_guard const lock(disk_.mutex);
    for (change const& c : changes)
      if (c.value)
        disk_.records.insert_or_assign(c.key, *c.value);
      else
        disk_.records.erase(c.key);
  }

 private:
  disk& disk_;
};

local_options options_of(set_clock const& clock) {
  local_options o;
  o.write_interval = 1ms;
  o.bans.strikes = 0;
  o.clock = clock.function();
  return o;
}

bool is_lack_of_place(boost::system::system_error const& failed) {
  return failed.code() == boost::system::errc::no_buffer_space;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_identity_finds_a_place_when_another_one_is_forgotten) {
  for (auto const how : {identities::forgetting::by_visits, identities::forgetting::by_new_ones}) {
    some_identities s{how, 1'000};
    for (std::uint64_t n = 1; n <= 1'000; ++n) BOOST_TEST_REQUIRE(tell(s.charge(n)).short_window.used == 1u);
    for (std::uint64_t n = 1'001; n <= 1'100; ++n)
      BOOST_CHECK_EXCEPTION((void)s.charge(n), boost::system::system_error, is_lack_of_place);
    BOOST_TEST(s.known().size() == 1'000u);
    for (std::uint64_t n = 1; n <= 1'000; ++n) BOOST_TEST_REQUIRE(tell(s.charge(n)).short_window.used == 2u);

    s.clock.pass(3min);
    if (how == identities::forgetting::by_visits) s.forget();
    for (std::uint64_t n = 1'001; n <= 1'100; ++n) BOOST_TEST_REQUIRE(tell(s.charge(n)).short_window.used == 1u);
  }
}

BOOST_AUTO_TEST_CASE(identities_that_are_kept_or_stored_have_accounts_of_their_own_however_many_there_are) {
  some_identities s{identities::forgetting::by_visits, 1};
  s.all.restore_later(9, {.account = {}, .resets = 0});
  BOOST_TEST(tell(s.charge(1)).short_window.used == 1u);
  for (std::uint64_t n = 2; n < 8; ++n) {
    limits::account& own = s.all.account_of(n, of_a_minute, 0);
    BOOST_TEST(own.charge(of_a_minute, s.bans.get(), s.clock.now()).admitted());
    BOOST_TEST(tell(s.observe(n)).short_window.used == 1u);
  }
  BOOST_TEST(tell(s.charge(9)).short_window.used == 1u);
  BOOST_TEST(s.known().size() == 8u);
}

BOOST_AUTO_TEST_CASE(a_source_without_a_place_charges_nobody_new_and_shows_them_what_a_new_one_has) {
  set_clock clock;
  auto options = options_of(clock);
  options.identities_max = 1;
  auto const q = make_local_quota(options);
  auto const first = q->payer_of(1, of_a_minute), second = q->payer_of(2, of_a_minute);
  verdict const charged = q->charge(first, clock.now()).take();
  BOOST_CHECK_EXCEPTION((void)q->charge(second, clock.now()), boost::system::system_error, is_lack_of_place);
  BOOST_CHECK_EXCEPTION((void)q->charge_inquiry(second, clock.now()), boost::system::system_error, is_lack_of_place);
  BOOST_TEST(tell(q->observe(second, clock.now())).short_window.remaining == 5u);
  BOOST_TEST(tell(q->refund(first, charged, clock.now()).take()).short_window.remaining == 5u);

  auto key = second;
  key.account = &q->account_of(2, of_a_minute);
  BOOST_TEST(q->charge(key, clock.now()).take().admitted());
  options.identities_max = 0;
  BOOST_CHECK_THROW((void)make_local_quota(options), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_source_counts_exactly_while_it_forgets) {
  for (bool const has_records : {false, true}) {
    set_clock clock;
    records_in_memory::disk disk;
    auto const q =
        make_local_quota(options_of(clock), has_records ? std::make_unique<records_in_memory>(disk) : nullptr);
    charge_in_rounds(
        clock, [&](std::uint64_t n) { return q->charge(q->payer_of(n, of_a_minute), clock.now()).take(); },
        [&](std::uint64_t n, verdict const& v) { (void)q->refund(q->payer_of(n, of_a_minute), v, clock.now()).take(); },
        [&](std::uint64_t n) { return tell(q->observe(q->payer_of(n, of_a_minute), clock.now())).short_window.used; });
    BOOST_TEST(q->mistaken_refunds() == 0u);
  }
}

BOOST_AUTO_TEST_CASE(a_source_forgets_the_record_too) {
  set_clock clock;
  records_in_memory::disk disk;
  auto const q = make_local_quota(options_of(clock), std::make_unique<records_in_memory>(disk));
  ports::payer const key = [&] {
    ports::payer who = q->payer_of(1, of_a_day);
    who.account = &q->account_of(1, of_a_day);
    return who;
  }();
  BOOST_TEST(q->charge(key, clock.now()).take().admitted());
  ports::payer const one_that_leaves = q->payer_of(2, of_a_day);
  BOOST_TEST(!one_that_leaves.account);
  verdict const charged = q->charge(one_that_leaves, clock.now()).take();
  BOOST_TEST(tests::eventually([&] { return disk.size() == 2; }));
  clock.pass(13h + 1min);
  BOOST_TEST(tests::eventually([&] { return disk.size() == 1; }));
  BOOST_TEST(tell(q->refund(one_that_leaves, charged, clock.now()).take()).long_window.remaining == 20u);
  BOOST_TEST(tell(q->charge(one_that_leaves, clock.now()).take()).long_window.remaining == 19u);
  BOOST_TEST(tests::eventually([&] { return disk.size() == 2; }));
  BOOST_TEST(q->close());
}

BOOST_AUTO_TEST_CASE(what_an_identity_has_used_survives_a_restart) {
  set_clock clock;
  records_in_memory::disk disk;
  for (std::uint64_t used = 1; used <= 3; ++used) {
    auto const q = make_local_quota(options_of(clock), std::make_unique<records_in_memory>(disk));
    BOOST_TEST(tell(q->charge(q->payer_of(7, of_a_day), clock.now()).take()).long_window.used == used);
    BOOST_TEST(q->close());
  }
}

BOOST_AUTO_TEST_CASE(the_records_of_identities_that_do_not_come_back_after_a_restart_are_forgotten) {
  set_clock clock;
  records_in_memory::disk disk;
  auto q = make_local_quota(options_of(clock), std::make_unique<records_in_memory>(disk));
  for (std::uint64_t n = 0; n < 300; ++n)
    BOOST_TEST(q->charge(q->payer_of(n, of_a_day), clock.now()).take().admitted());
  BOOST_TEST(q->close());
  BOOST_TEST(disk.size() == 300u);
  q = make_local_quota(options_of(clock), std::make_unique<records_in_memory>(disk));
  clock.pass(59h);
  BOOST_TEST(q->charge(q->payer_of(7, of_a_day), clock.now()).take().admitted());
  BOOST_TEST(disk.size() == 300u);
  clock.pass(2h);
  BOOST_TEST(tests::eventually([&] { return disk.size() == 1; }));
  BOOST_TEST(q->close());
}

BOOST_AUTO_TEST_CASE(the_limit_of_inquiries_is_not_forgotten) {
  set_clock clock;
  records_in_memory::disk disk;
  auto const q = make_local_quota(options_of(clock), std::make_unique<records_in_memory>(disk));
  auto const inquire = [&] { return q->charge_inquiry(q->payer_of(7, of_a_minute), clock.now()).take().refused(); };
  for (int i = 0; i < 60; ++i) BOOST_TEST(!inquire());
  clock.pass(1ms);
  // The writer has passed twice when it has written these.
  for (std::uint64_t n = 100; n < 102; ++n) {
    std::size_t const before = disk.size();
    (void)q->charge(q->payer_of(n, of_a_minute), clock.now()).take();
    BOOST_TEST(tests::eventually([&] { return disk.size() > before; }));
  }
  BOOST_TEST(inquire());
}

BOOST_AUTO_TEST_CASE(an_identity_is_charged_to_the_account_that_others_hold) {
  set_clock clock;
  auto const q = make_local_quota(options_of(clock));
  ports::payer const who = q->payer_of(7, of_a_minute);
  auto const charge = [&] { return q->charge(who, clock.now()).take(); };
  auto const used_of = [&](limits::account const& a) {
    return tell(a.observe(of_a_minute, clock.now())).short_window.used;
  };
  BOOST_TEST(charge().admitted());
  limits::account& first = q->account_of(7, of_a_minute);
  verdict const before_the_reset = charge();
  BOOST_TEST(used_of(first) == 2u);

  clock.pass(1s);
  limits::account& second = q->account_of(7, of_a_minute, 1);
  clock.pass(1s);
  verdict const after_the_reset = charge();
  BOOST_TEST(charge().admitted());
  BOOST_TEST(used_of(first) == 2u);
  BOOST_TEST(used_of(second) == 2u);
  (void)q->refund(who, before_the_reset, clock.now()).take();
  BOOST_TEST(used_of(first) == 1u);
  BOOST_TEST(used_of(second) == 2u);
  (void)q->refund(who, after_the_reset, clock.now()).take();
  BOOST_TEST(used_of(first) == 1u);
  BOOST_TEST(used_of(second) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::quota
